import { dayWords } from "@/components/ui/time";
import type { HeldReason } from "@/lib/invitations/rules";

type Outlook = { reason: null; day: string } | { reason: HeldReason; until: string | null };

const held: Record<HeldReason, (until: string | null) => string> = {
  too_early: (until) => `Asked for from ${until} on, so that there is time to try it.`,
  too_late: () => "The time to ask for it is over.",
  quarantine: (until) => `The customer had a mail lately. Asked for from ${until} on.`,
  send_limit: (until) =>
    until
      ? `The day's limit of mails is reached. Asked for on ${until}.`
      : "No mail may be sent: the limit a day is 0.",
  waiting_for_items: (until) => `Waits for other items until ${until}, so that one mail asks for all.`,
  opted_out: () => "Not asked for: the customer wants no mail.",
  suppressed: () => "Not asked for: mail to this address came back or was complained about.",
  no_email: () => "Not asked for: no e-mail address is known.",
  no_delivery_date: () => "Waits for a delivery date.",
  not_reviewable: () => "Not asked for: cancelled, or not known to the catalogue.",
  product_deleted: () => "Not asked for: the product is gone from the catalogue.",
  already_reviewed: (until) => `The customer reviewed this product lately. Asked for again from ${until} on.`,
  already_invited: () => "The customer was asked.",
  held: () => "Held back by a person.",
};

/** In one sentence, whether and when an item will be asked for, and if not, why. `today` is the client's day. */
export function outlookWords(outlook: Outlook, today: string): string {
  if (outlook.reason !== null) return held[outlook.reason](outlook.until && dayWords(outlook.until));
  return outlook.day === today
    ? "Will be asked for in the next mail, today."
    : `Will be asked for in the next mail, on ${dayWords(outlook.day)}.`;
}
