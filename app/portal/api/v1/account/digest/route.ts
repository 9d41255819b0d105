import { setDigestContract } from "@/lib/digests/contract";
import { setDigest } from "@/lib/digests/set-digest";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(setDigestContract, async ({ actor, client, body }) => {
    await setDigest(actor, client, body.digest);
    return undefined;
  }),
);
