import type { DecidedKind } from "@/lib/moderation/schema";

/** Where items of a kind lie. Their moderation columns are the same: accepted, accepted_at, reject_reason, decided_at. */
export const tables: Record<DecidedKind, string> = {
  review: "reviews",
  seller_review: "seller_reviews",
  question: "questions",
  answer: "answers",
};
