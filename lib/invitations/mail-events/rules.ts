import type { ResendEvent } from "@/lib/invitations/mail-events/schema";

/** What an event says of its mail. `suppress`: why the address is to get no more mails, null where it may. */
export type MailEventOutcome = {
  outcome: "delivered" | "bounced" | "complained" | "opened" | "clicked";
  suppress: "bounce" | "complaint" | null;
};

/** So soon after sending no person opens or clicks: it is the receiving server that looks into the mail. */
const MIN_HUMAN_DELAY_MS = 10_000;

/** Programs that fetch what mails link to. Apple's privacy relay, which loads every picture unseen, says `Mozilla/5.0` alone. */
const botUserAgent =
  /^mozilla\/5\.0$|bot\b|crawl|spider|scan|preview|proofpoint|mimecast|barracuda|safelinks|headless|curl|python|okhttp|java\//i;

/**
 * What an event of Resend means, or null where it means nothing here. Only a mailbox that is gone for good is suppressed;
 * a full one, or a server that was away, ends this mail only. `sentAt` is when the mail went, as far as that is known.
 */
export function outcomeOfEvent({ type, created_at, data }: ResendEvent, sentAt: Date | null): MailEventOutcome | null {
  const isBot = (userAgent: string | undefined) =>
    botUserAgent.test(userAgent?.trim() ?? "") ||
    (sentAt !== null && Date.parse(created_at) - sentAt.getTime() < MIN_HUMAN_DELAY_MS);
  switch (type) {
    case "email.delivered":
      return { outcome: "delivered", suppress: null };
    case "email.bounced":
      return { outcome: "bounced", suppress: data.bounce?.type === "Permanent" ? "bounce" : null };
    case "email.suppressed": // Resend's own list: an earlier mail bounced for good
      return { outcome: "bounced", suppress: "bounce" };
    case "email.failed":
      return { outcome: "bounced", suppress: null };
    case "email.complained":
      return { outcome: "complained", suppress: "complaint" };
    case "email.opened":
      return isBot(data.open?.userAgent) ? null : { outcome: "opened", suppress: null };
    case "email.clicked":
      return isBot(data.click?.userAgent) ? null : { outcome: "clicked", suppress: null };
    default:
      return null;
  }
}
