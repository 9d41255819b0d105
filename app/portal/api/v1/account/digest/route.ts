import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { setDigestContract } from "@/lib/moderation/digests/contract";
import { setDigest } from "@/lib/moderation/digests/set-digest";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(setDigestContract, async ({ actor, client, body }) => {
    await setDigest(actor, client, body.digest);
    return undefined;
  }),
);
