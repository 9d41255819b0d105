import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { confirmAddress } from "@/lib/verification/confirm-address";
import { verificationPageContract, verifyContract } from "@/lib/verification/contract";
import { openVerification } from "@/lib/verification/open-verification";
import { verificationPage } from "@/lib/verification/verification-page";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(verificationPageContract, async ({ params, headers }) =>
    verificationPage(await openVerification(params.token, headers.get("accept-language"))),
  ),
  route(verifyContract, async ({ params, body, headers }) => {
    const language = headers.get("accept-language");
    const link = await openVerification(params.token, language);
    const count = await confirmAddress(params.token, Object.keys(body));
    if (count > 0) return verificationPage(link, { confirmed: true });
    return verificationPage(await openVerification(params.token, language));
  }),
);
