import { AppError } from "@/lib/platform/errors";
import { type Delivery, deliverMails, type MailState } from "@/lib/platform/mail/deliver-mails";

/**
 * Sends one queued email, like {@link deliverMails}. Throws `unavailable` if the service doesn't accept it now, with
 * the service's `Retry-After` if any.
 */
export async function deliverMail(mailId: string): Promise<Exclude<MailState, "later">> {
  const delivery = await deliverMails([mailId]);
  const state = delivery.states.get(mailId) ?? "gone";
  if (state === "later") throw notAcceptedError(delivery);
  return state;
}

/** The error if the email service doesn't accept emails now. */
export const notAcceptedError = ({ afterMs, reason }: Pick<Delivery, "afterMs" | "reason">): AppError =>
  new AppError("unavailable", {
    ...(reason === null
      ? { reason: "email_not_accepted" }
      : { reason: "email_not_accepted_because", params: { said: reason } }),
    ...(afterMs === null ? {} : { headers: { "Retry-After": String(Math.ceil(afterMs / 1_000)) } }),
  });
