import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";
import type { RejectReason } from "@/lib/reviews/decisions/schema";

export type Reason = { code: RejectReason; label: MessageKey };

/** The reasons a moderator may reject for. "I disagree" is not one of them. */
export const reasons: Reason[] = [
  { code: "not_about_product", label: "decisions.notAboutProduct" },
  { code: "company_policy", label: "decisions.companyPolicy" },
  { code: "profanity", label: "decisions.profanity" },
  { code: "price", label: "decisions.priceOnly" },
  { code: "competitor", label: "decisions.competitor" },
  { code: "question", label: "decisions.notReview" },
  { code: "personal_data", label: "decisions.personalData" },
  { code: "not_tested", label: "decisions.notTested" },
  { code: "promotion", label: "decisions.promotion" },
  { code: "discrimination", label: "decisions.discrimination" },
  { code: "wrong_language", label: "decisions.wrongLanguage" },
  { code: "unintelligible", label: "decisions.unintelligible" },
  { code: "illegal", label: "decisions.illegal" },
  { code: "spam", label: "decisions.spam" },
  { code: "duplicate", label: "decisions.duplicate" },
  { code: "ignored", label: "decisions.other" },
];

function labelOf(code: string, t: Translate): string {
  const known = reasons.find((reason) => reason.code === code);
  return known ? t(known.label) : code;
}

/** A reject code in words; unknown codes are shown as they are. */
export const reasonLabel = (code: string | null, t: Translate): string =>
  code === null || code === "unspecified" ? t("decisions.noReason") : labelOf(code, t);
