import { type CustomAnswers, validateAnswers } from "@/lib/accounts/stores/custom-answers";
import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import type { Issue } from "@/lib/platform/issue";
import { commonIssues, type Submission } from "@/lib/reviews/submissions/rules";

/** Rules of review submission, based on a client's settings: what is required and what is stored. Browser-safe. */

/** A review as submitted by a form or a store's server: shape checked, rules not yet. */
export type ReviewSubmission = Submission & {
  source: "web" | "collect" | "invitation";
  /** From the order's item; reviews without an order have none. */
  category: string | null;
  score: number;
  title: string | null;
  content: string;
  pros: string[];
  cons: string[];
  recommended: boolean | null;
  order: { orderId: string; customerId: string; invitationId: string | null } | null;
};

/** The settings these rules use. */
export type SubmissionSettings = {
  min_review_words: number | null;
  min_review_words_promoter: number | null;
  collect_pros_cons: boolean;
  collect_recommended: boolean;
  require_verification: boolean;
  custom_questions: unknown[];
};

/** Fields the rules check; missing ones are skipped. */
export type SubmissionFields = Partial<ReviewSubmission> & Pick<ReviewSubmission, "source">;

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/** Counts words by Unicode rules, in any script; stops at `enough`. */
export function countWords(text: string, enough = Number.POSITIVE_INFINITY): number {
  let words = 0;
  if (enough <= 0) return 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike && ++words >= enough) break;
  return words;
}

/** Minimum words of a text. For 4 and 5 stars of verified buyers, the promoters' setting applies if set. */
export function minWordsFor(
  { min_review_words, min_review_words_promoter }: SubmissionSettings,
  { score, order }: Pick<SubmissionFields, "score" | "order">,
): number {
  const promoter = order != null && score !== undefined && score >= 4;
  return (promoter ? min_review_words_promoter : null) ?? min_review_words ?? 0;
}

/**
 * All violations of a client's settings; `category` is the product's, if known. Also validates answers to custom
 * questions.
 */
export function validateSubmission(
  settings: SubmissionSettings,
  submission: SubmissionFields,
  category: string | null,
): { issues: Issue[]; answers: CustomAnswers } {
  const confirms = settings.require_verification && submission.source !== "invitation";
  const issues = commonIssues(submission, { needsEmail: confirms && "required_for_confirmation" });
  const minWords = minWordsFor(settings, submission);
  if (submission.content !== undefined && countWords(submission.content, minWords) < minWords) {
    issues.push({ field: "content", reason: "too_few_words", params: { min: minWords } });
  }
  const validated = validateAnswers(settings.custom_questions as CustomQuestion[], submission.answers ?? {}, category);
  return { issues: [...issues, ...validated.issues], answers: validated.answers };
}

/** Trims entries and drops empty ones. */
export const nonBlank = (entries: string[]): string[] =>
  entries.map((entry) => entry.trim()).filter((entry) => entry !== "");

/** The fields that the client collects, without those switched off and without blank entries. */
export const pickCollected = (
  settings: SubmissionSettings,
  { pros, cons, recommended }: Pick<ReviewSubmission, "pros" | "cons" | "recommended">,
) => ({
  pros: settings.collect_pros_cons ? nonBlank(pros) : [],
  cons: settings.collect_pros_cons ? nonBlank(cons) : [],
  recommended: settings.collect_recommended ? recommended : null,
});
