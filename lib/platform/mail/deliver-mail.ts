import { AppError } from "@/lib/platform/errors";
import { type Delivery, deliverMails, type MailState } from "@/lib/platform/mail/deliver-mails";

/**
 * Hands one queued mail over, as {@link deliverMails} does. Throws `unavailable` when the service does not take it now,
 * with `Retry-After` where it says when it will.
 */
export async function deliverMail(mailId: string): Promise<Exclude<MailState, "later">> {
  const delivery = await deliverMails([mailId]);
  const state = delivery.states.get(mailId) ?? "gone";
  if (state === "later") throw notAcceptedError(delivery);
  return state;
}

/** The mail service does not take mails now. */
export const notAcceptedError = ({ afterMs, reason }: Pick<Delivery, "afterMs" | "reason">): AppError =>
  new AppError("unavailable", {
    ...(reason === null
      ? { reason: "email_not_accepted" }
      : { reason: "email_not_accepted_because", params: { said: reason } }),
    ...(afterMs === null ? {} : { headers: { "Retry-After": String(Math.ceil(afterMs / 1_000)) } }),
  });
