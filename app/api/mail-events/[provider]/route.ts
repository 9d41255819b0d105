import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { mailEventContract } from "@/lib/invitations/mail-events/contract";
import { readResendEvent } from "@/lib/invitations/mail-events/read-resend-event";
import { recordMailEvent } from "@/lib/invitations/mail-events/record-mail-event";
import { AppError } from "@/lib/platform/errors";
import { Reply } from "@/lib/platform/http/reply";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(mailEventContract, async ({ params, body, headers }) => {
    if (params.provider !== "resend") throw new AppError("not_found", { reason: "mail_service_not_found" });
    const event = readResendEvent(body, headers);
    if (event) await recordMailEvent(event);
    return new Reply(undefined, { status: 204 });
  }),
);
