import type { ResendEvent } from "@/lib/invitations/mail-events/schema";

/** What an event says of its mail. `suppress`: why the address is to get no more mails, null where it may. */
export type Fate = {
  became: "delivered" | "bounced" | "complained" | "opened" | "clicked";
  suppress: "bounce" | "complaint" | null;
};

/** So soon after sending no person opens or clicks: it is the receiving server that looks into the mail. */
const FASTER_THAN_PEOPLE_MS = 10_000;

/** Programs that fetch what mails link to. Apple's privacy relay, which loads every picture unseen, says `Mozilla/5.0` alone. */
const machine =
  /^mozilla\/5\.0$|bot\b|crawl|spider|scan|preview|proofpoint|mimecast|barracuda|safelinks|headless|curl|python|okhttp|java\//i;

/**
 * What an event of Resend means, or null where it means nothing here. Only a mailbox that is gone for good is suppressed;
 * a full one, or a server that was away, ends this mail only. `sentAt` is when the mail went, as far as that is known.
 */
export function fateOf({ type, created_at, data }: ResendEvent, sentAt: Date | null): Fate | null {
  const byMachine = (userAgent: string | undefined) =>
    machine.test(userAgent?.trim() ?? "") ||
    (sentAt !== null && Date.parse(created_at) - sentAt.getTime() < FASTER_THAN_PEOPLE_MS);
  switch (type) {
    case "email.delivered":
      return { became: "delivered", suppress: null };
    case "email.bounced":
      return { became: "bounced", suppress: data.bounce?.type === "Permanent" ? "bounce" : null };
    case "email.suppressed": // Resend's own list: an earlier mail bounced for good
      return { became: "bounced", suppress: "bounce" };
    case "email.failed":
      return { became: "bounced", suppress: null };
    case "email.complained":
      return { became: "complained", suppress: "complaint" };
    case "email.opened":
      return byMachine(data.open?.userAgent) ? null : { became: "opened", suppress: null };
    case "email.clicked":
      return byMachine(data.click?.userAgent) ? null : { became: "clicked", suppress: null };
    default:
      return null;
  }
}
