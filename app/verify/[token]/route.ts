import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { confirmAddress } from "@/lib/forms/verification/confirm-address";
import { verificationPageContract, verifyContract } from "@/lib/forms/verification/contract";
import { openVerification } from "@/lib/forms/verification/open-verification";
import { BEGUN_FIELD, NEXT_FIELD, verificationPage } from "@/lib/forms/verification/verification-page";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(verificationPageContract, async ({ params, headers }) =>
    verificationPage(await openVerification(params.token, headers.get("accept-language"))),
  ),
  route(verifyContract, async ({ params, body, headers }) => {
    const language = headers.get("accept-language");
    const { [NEXT_FIELD]: next, [BEGUN_FIELD]: begunBefore, ...chosen } = body;
    const link = await openVerification(params.token, language);
    const following = next === undefined ? null : await openVerification(params.token, language, next);
    const goesOn = following?.state === "open";
    const count = await confirmAddress(params.token, Object.keys(chosen), {
      last: !goesOn,
      begun: begunBefore !== undefined,
    });
    const begun = count > 0 || begunBefore !== undefined;
    if (goesOn) return verificationPage(following, { begun });
    if (begun && link.state === "open") return verificationPage(link, { confirmed: true });
    return verificationPage(await openVerification(params.token, language));
  }),
);
