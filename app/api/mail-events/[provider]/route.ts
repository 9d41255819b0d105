import { AppError } from "@/lib/errors";
import { methods } from "@/lib/http/methods";
import { Reply } from "@/lib/http/reply";
import { route } from "@/lib/http/route";
import { mailEventContract } from "@/lib/mail-events/contract";
import { readResendEvent } from "@/lib/mail-events/read-resend-event";
import { takeMailEvent } from "@/lib/mail-events/take-mail-event";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(mailEventContract, async ({ params, body, headers }) => {
    if (params.provider !== "resend") throw new AppError("not_found", "There is no such mail service.");
    const event = readResendEvent(body, headers);
    if (event) await takeMailEvent(event);
    return new Reply(undefined, { status: 204 });
  }),
);
