import type { DecidedKind } from "@/lib/reviews/decisions/schema";

/**
 * Where items of a kind lie, photos in a view that can be written. Their moderation columns are the same: accepted,
 * accepted_at, reject_reason, decided_at.
 */
export const tables: Record<DecidedKind, string> = {
  review: "reviews",
  seller_review: "seller_reviews",
  question: "questions",
  answer: "answers",
  photo: "photos",
};
