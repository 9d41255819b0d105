import { digestPageContract, stopDigestContract } from "@/lib/digests/contract";
import { digestPage, readDigestLink, stopDigest } from "@/lib/digests/stop-digest";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

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
