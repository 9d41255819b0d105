import { english, type Words } from "@/lib/platform/i18n/rules";
import type { RejectReason } from "@/lib/reviews/decisions/schema";

export type Reason = { code: RejectReason; label: string };

/** What a moderator may reject for. "I disagree" is not on the list. */
export const reasons: Reason[] = [
  { code: "not_about_product", label: "Not about the product" },
  { code: "company_policy", label: "Against the review policy" },
  { code: "profanity", label: "Offensive language" },
  { code: "price", label: "Only about the price" },
  { code: "competitor", label: "Names a competitor" },
  { code: "question", label: "A question, not a review" },
  { code: "personal_data", label: "Holds personal data" },
  { code: "not_tested", label: "Product not tried yet" },
  { code: "promotion", label: "Advertising" },
  { code: "discrimination", label: "Hateful or discriminating" },
  { code: "wrong_language", label: "Wrong language" },
  { code: "unintelligible", label: "Cannot be understood" },
  { code: "illegal", label: "Illegal content" },
  { code: "spam", label: "Spam or fake" },
  { code: "duplicate", label: "Duplicate" },
  { code: "ignored", label: "Ignore" },
];

/** A reject code in words; codes of other times and callers are shown as they are. */
export const reasonWords = (code: string | null, t: Words = english): string =>
  code === null || code === "unspecified"
    ? t("No reason given")
    : t(reasons.find((reason) => reason.code === code)?.label ?? code);
