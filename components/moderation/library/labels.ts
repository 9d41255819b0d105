import type { LibraryFilter, librarySorts, scoreChanges } from "@/lib/moderation/library/values";
import type { MessageKey } from "@/lib/platform/i18n/translator";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";

/** How many there are. */
export const countLabels: Record<ModeratedKind, MessageKey> = {
  review: "common.reviewCount",
  seller_review: "common.sellerReviewCount",
  question: "common.questionCount",
};

export const sortLabels: Record<(typeof librarySorts)[number], MessageKey> = {
  newest: "library.newest",
  oldest: "library.oldest",
  highest: "library.highest",
  lowest: "library.lowest",
};

export const scoreChangeLabels: Record<(typeof scoreChanges)[number], MessageKey> = {
  up: "library.scoreRaised",
  down: "library.scoreLowered",
};

type Choice = { any: MessageKey; "1": MessageKey; "0": MessageKey };
export const photoChoice: Choice = { any: "library.photosAny", "1": "queue.withPhoto", "0": "library.withoutPhotos" };
export const buyerChoice: Choice = { any: "library.anyBuyer", "1": "queue.verifiedBuyer", "0": "library.notVerified" };
export const replyChoice: Choice = { any: "library.replyAny", "1": "library.withReply", "0": "queue.noReply" };
export const answerChoice: Choice = { any: "library.answerAny", "1": "library.answered", "0": "queue.unanswered" };

/** Columns that can be hidden, in their order. */
export const columns = ["author", "status", "date", "source", "language", "reply"] as const;
export type Column = (typeof columns)[number];
const columnLabels: Record<Column, MessageKey> = {
  author: "queue.author",
  status: "queue.status",
  date: "common.date",
  source: "queue.source",
  language: "common.language",
  reply: "library.reply",
};

/** The heading of a column; questions have answers instead of replies. */
export const columnLabel = (column: Column, { kind }: Pick<LibraryFilter, "kind">): MessageKey =>
  column === "reply" && kind === "question" ? "common.answer" : columnLabels[column];

/** Views that everyone has. */
export const defaultViews: { name: MessageKey; filter: Partial<LibraryFilter> }[] = [
  { name: "library.viewLowNoReply", filter: { status: "accepted", stars: "12", reply: "0" } },
  { name: "library.viewPhotos", filter: { photos: "1", status: "accepted" } },
  { name: "queue.viewSpam", filter: { status: "rejected", reason: "spam" } },
  { name: "library.viewScoreLowered", filter: { score_change: "down" } },
];

/** What a list shows while there is nothing. */
export const emptyTexts: Record<ModeratedKind, { title: MessageKey; hint: MessageKey }> = {
  review: { title: "queue.noReviews", hint: "queue.reviewSourcesHint" },
  seller_review: { title: "queue.noSellerReviews", hint: "queue.sellerReviewSourcesHint" },
  question: { title: "queue.noQuestions", hint: "queue.questionSourcesHint" },
};
