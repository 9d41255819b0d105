import type { ModeratedKind } from "@/lib/reviews/decisions/schema";

/** The tables with the words of reviews, seller reviews and questions, by which they are found. */
export const wordsTables: Record<ModeratedKind, string> = {
  review: "review_words",
  seller_review: "seller_review_words",
  question: "question_words",
};
