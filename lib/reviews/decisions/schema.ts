/** The states that reviews, seller reviews, questions and answers share; the API carries them as `accepted`. */
export const moderationStatuses = ["accepted", "rejected", "pending"] as const;
export type ModerationStatus = (typeof moderationStatuses)[number];

/** What visitors write and rules judge, as history and findings name it. */
export const moderatedKinds = ["review", "seller_review", "question"] as const;
export type ModeratedKind = (typeof moderatedKinds)[number];

/** What people read and decide on: that, and the answers to questions. */
export const writtenKinds = [...moderatedKinds, "answer"] as const;
export type WrittenKind = (typeof writtenKinds)[number];

/** What people decide on: that, and photos which nobody saw when rules published the words they came with. */
export const decidedKinds = [...writtenKinds, "photo"] as const;
export type DecidedKind = (typeof decidedKinds)[number];

/** Each kind in a word, within a sentence. */
export const kindLabels: Record<DecidedKind, string> = {
  review: "review",
  seller_review: "seller review",
  question: "question",
  answer: "answer",
  photo: "photo",
};

/** Why a review is not published. `unspecified` stands where a caller gave no reason. */
export const rejectReasons = [
  "not_about_product",
  "company_policy",
  "profanity",
  "price",
  "competitor",
  "question",
  "personal_data",
  "not_tested",
  "promotion",
  "discrimination",
  "wrong_language",
  "unintelligible",
  "illegal",
  "spam",
  "duplicate",
  "ignored",
  "unspecified",
] as const;
export type RejectReason = (typeof rejectReasons)[number];
