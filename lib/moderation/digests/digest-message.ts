import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { stopDigestLink } from "@/lib/moderation/digests/links";
import type { Digest } from "@/lib/moderation/digests/schema";
import type { PendingCounts } from "@/lib/moderation/queue/schema";
import { env } from "@/lib/platform/env";
import { formatCount, formatMoment } from "@/lib/platform/i18n/format";
import type { Language } from "@/lib/platform/i18n/languages";
import { emailText } from "@/lib/platform/i18n/public-texts";
import type { Message } from "@/lib/platform/mail/render-message";
import { type DecidedKind, decidedKinds } from "@/lib/reviews/decisions/schema";

/**
 * Counts for a digest: the items pending in the recipient's queue (`yours`), reports and questions, and reviews without
 * a reply.
 */
export type DigestCounts = { pending: PendingCounts; unreplied: number };

/** Whether a digest has content. Reviews without a reply are mentioned, but don't cause a digest. */
export const hasContent = ({ pending }: DigestCounts): boolean =>
  (pending.yours && pending.count > 0) || pending.reported > 0 || pending.unanswered > 0;

const countOf = {
  review: "digest.reviews",
  seller_review: "digest.sellerReviews",
  question: "digest.questions",
  answer: "digest.answers",
  photo: "digest.photos",
} as const satisfies Record<DecidedKind, string>;

/**
 * The digest email in a language: pending items and the oldest date, reports, and items without a reply, each with a
 * link to those rows.
 */
export function digestMessage(
  client: ClientRow,
  { userId, every, language }: { userId: string; every: Digest["every"]; language: Language },
  { pending, unreplied }: DigestCounts,
): Message {
  const t = emailText(language);
  const shop = client.display_name;
  const link = (path: string, query: Record<string, string> = {}) =>
    `${env().PUBLIC_URL}/portal${path}?${new URLSearchParams({ client_id: client.id, ...query })}`;
  const toModerate = {
    shop,
    n: pending.count,
    count: formatCount(pending.count, language, pending.more),
  };
  const yours = pending.yours && pending.count > 0;
  const blocks: NonNullable<Message["blocks"]> = [];
  if (yours) {
    const kinds = decidedKinds.filter((kind) => pending.kinds[kind] > 0);
    const since =
      pending.oldest_at &&
      t("digest.oldest", { moment: formatMoment(pending.oldest_at, timeZoneOf(client), language) });
    blocks.push({
      label: t("digest.toModerate", toModerate),
      lines: [kinds.map((kind) => t(countOf[kind], { n: pending.kinds[kind] })).join(", "), ...(since ? [since] : [])],
      link: { label: t("digest.startModerating"), url: link("/queue") },
    });
  }
  if (pending.reported > 0)
    blocks.push({
      label: t("digest.reportedLabel"),
      lines: [t("digest.reported", { n: pending.reported })],
      link: { label: t("digest.viewReported"), url: link("/reviews", { status: "accepted", reported: "1" }) },
    });
  if (pending.unanswered > 0)
    blocks.push({
      label: t("digest.unansweredLabel"),
      lines: [t("digest.unanswered", { n: pending.unanswered }), t("digest.unansweredNote")],
      link: { label: t("digest.answerQuestions"), url: link("/questions", { status: "accepted", unreplied: "1" }) },
    });
  if (unreplied > 0)
    blocks.push({
      label: t("digest.unrepliedLabel"),
      lines: [t("digest.unreplied", { n: unreplied })],
      link: { label: t("digest.replyToReviews"), url: link("/reviews", { status: "accepted", unreplied: "1" }) },
    });
  return {
    language,
    subject: yours ? t("digest.subject", toModerate) : t("digest.subjectOther", { shop }),
    preheader: t("digest.preheader"),
    heading: t("digest.heading", { shop }),
    lines: [],
    blocks,
    button: { label: t("digest.button"), url: link("") },
    note: null,
    isForTeam: true,
    why: t(every === "day" ? "digest.whyDaily" : "digest.whyWeekly", { shop }),
    opt_out: { question: t("digest.optOut"), label: t("digest.optOutLink"), url: stopDigestLink(userId, client.id) },
  };
}
