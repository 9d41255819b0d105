import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { digestPageContract, stopDigestContract } from "@/lib/moderation/digests/contract";
import { digestPage, readDigestLink, stopDigest } from "@/lib/moderation/digests/stop-digest";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(digestPageContract, async ({ params, headers }) =>
    digestPage(await readDigestLink(params.token), headers.get("accept-language")),
  ),
  route(stopDigestContract, async ({ params, headers }) => {
    const about = await readDigestLink(params.token);
    if (about) await stopDigest(about);
    return digestPage(about && { ...about, on: false }, headers.get("accept-language"));
  }),
);
