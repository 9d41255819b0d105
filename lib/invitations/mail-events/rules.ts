import type { ResendEvent } from "@/lib/invitations/mail-events/schema";

/** The outcome of an event. `suppress`: why the address gets no more emails, or null. */
export type MailEventOutcome = {
  outcome: "delivered" | "bounced" | "complained" | "opened" | "clicked";
  suppress: "bounce" | "complaint" | null;
};

/** People don't open or click this soon after sending; it is the receiving server scanning the email. */
const MIN_HUMAN_DELAY_MS = 10_000;

/** Clients that fetch the links in emails. Apple's privacy proxy, which loads every image, sends only `Mozilla/5.0`. */
const botUserAgent =
  /^mozilla\/5\.0$|bot\b|crawl|spider|scan|preview|proofpoint|mimecast|barracuda|safelinks|headless|curl|python|okhttp|java\//i;

/**
 * The outcome of a Resend event, or null if it has none here. Only permanent bounces are suppressed; a full mailbox or
 * a temporary server error ends this email only. `sentAt` is when the email was sent, if known.
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
    case "email.suppressed": // Resend's own suppression list: an earlier email bounced permanently
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
