/** States of reviews, seller reviews, questions and answers; the API has them as `accepted`. */
export const moderationStatuses = ["accepted", "rejected", "pending"] as const;
export type ModerationStatus = (typeof moderationStatuses)[number];

/** What visitors write and rules check, as named in history and findings. */
export const moderatedKinds = ["review", "seller_review", "question"] as const;
export type ModeratedKind = (typeof moderatedKinds)[number];

/** What people read and decide on: the above, and answers to questions. */
export const textKinds = [...moderatedKinds, "answer"] as const;
export type TextKind = (typeof textKinds)[number];

/** What people decide on: the above, and photos nobody has seen because rules published the text. */
export const decidedKinds = [...textKinds, "photo"] as const;
export type DecidedKind = (typeof decidedKinds)[number];

/** Each kind's name within a sentence. */
export const kindLabels: Record<DecidedKind, string> = {
  review: "review",
  seller_review: "seller review",
  question: "question",
  answer: "answer",
  photo: "photo",
};

/** Why a review isn't published. `unspecified` if no reason was given. */
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
/** Reasons that apply to texts only, not to photos. */
export const textReasons = ["question", "not_tested", "price", "wrong_language"] as const satisfies RejectReason[];
