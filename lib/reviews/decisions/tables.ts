import type { DecidedKind } from "@/lib/reviews/decisions/schema";

/**
 * Table of each kind; for photos an updatable view. They share the moderation columns: accepted, accepted_at,
 * reject_reason, decided_at.
 */
export const tables = {
  review: "reviews",
  seller_review: "seller_reviews",
  question: "questions",
  answer: "answers",
  photo: "photos",
} as const satisfies Record<DecidedKind, string>;
