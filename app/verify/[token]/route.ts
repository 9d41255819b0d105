import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { confirmAddress } from "@/lib/forms/verification/confirm-address";
import { verificationPageContract, verifyContract } from "@/lib/forms/verification/contract";
import { openVerification } from "@/lib/forms/verification/open-verification";
import { NEXT_FIELD, STARTED_FIELD, verificationPage } from "@/lib/forms/verification/verification-page";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(verificationPageContract, async ({ params, headers }) =>
    verificationPage(await openVerification(params.token, headers.get("accept-language"))),
  ),
  route(verifyContract, async ({ params, body, headers }) => {
    const language = headers.get("accept-language");
    const { [NEXT_FIELD]: next, [STARTED_FIELD]: startedBefore, ...chosen } = body;
    const link = await openVerification(params.token, language);
    const following = next === undefined ? null : await openVerification(params.token, language, next);
    const hasNextPage = following?.state === "open";
    const count = await confirmAddress(params.token, Object.keys(chosen), {
      last: !hasNextPage,
      started: startedBefore !== undefined,
    });
    const started = count > 0 || startedBefore !== undefined;
    if (hasNextPage) return verificationPage(following, { begun: started });
    if (started && link.state === "open") return verificationPage(link, { confirmed: true });
    return verificationPage(await openVerification(params.token, language));
  }),
);
