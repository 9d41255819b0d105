import { type CustomAnswers, validateAnswers } from "@/lib/accounts/stores/custom-answers";
import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import type { Issue } from "@/lib/platform/issue";
import { commonIssues, type Submission } from "@/lib/reviews/submissions/rules";

/** The rules of review submission: what a client's settings ask of a text, and what is kept of it. Browser-safe. */

/** A review as a form or a shop's server submits it: shape checked, rules not yet. */
export type ReviewSubmission = Submission & {
  source: "web" | "collect" | "invitation";
  /** of the order's item; without an order reviews have none */
  category: string | null;
  score: number;
  title: string | null;
  content: string;
  pros: string[];
  cons: string[];
  recommended: boolean | null;
  order: { orderId: string; customerId: string; invitationId: string | null } | null;
};

/** The settings that these rules read. */
export type SubmissionSettings = {
  min_review_words: number | null;
  min_review_words_promoter: number | null;
  collect_pros_cons: boolean;
  collect_recommended: boolean;
  require_verification: boolean;
  custom_questions: unknown[];
};

/** What the rules look at; a value that is missing is not judged. */
export type SubmissionFields = Partial<ReviewSubmission> & Pick<ReviewSubmission, "source">;

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/** Words of a text as Unicode sees them, in any script; counting stops at `enough`. */
export function countWords(text: string, enough = Number.POSITIVE_INFINITY): number {
  let words = 0;
  if (enough <= 0) return 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike && ++words >= enough) break;
  return words;
}

/** How many words the text must have. Of 4 and 5 stars of verified buyers the promoters' setting counts, if set. */
export function minWordsFor(
  { min_review_words, min_review_words_promoter }: SubmissionSettings,
  { score, order }: Pick<SubmissionFields, "score" | "order">,
): number {
  const promoter = order != null && score !== undefined && score >= 4;
  return (promoter ? min_review_words_promoter : null) ?? min_review_words ?? 0;
}

/**
 * Everything that a client's settings hold against a submission, at once; `category` is the product's, as far as it is
 * known. Answers to custom questions are judged on the way.
 */
export function validateSubmission(
  settings: SubmissionSettings,
  submission: SubmissionFields,
  category: string | null,
): { issues: Issue[]; answers: CustomAnswers } {
  const confirms = settings.require_verification && submission.source !== "invitation";
  const issues = commonIssues(submission, { needsEmail: confirms && "required_for_confirmation" });
  const fewest = minWordsFor(settings, submission);
  if (submission.content !== undefined && countWords(submission.content, fewest) < fewest) {
    issues.push({ field: "content", reason: "too_few_words", params: { min: fewest } });
  }
  const judged = validateAnswers(settings.custom_questions as CustomQuestion[], submission.answers ?? {}, category);
  return { issues: [...issues, ...judged.issues], answers: judged.answers };
}

/** Entries that say something, without blanks around them. */
export const nonBlank = (entries: string[]): string[] =>
  entries.map((entry) => entry.trim()).filter((entry) => entry !== "");

/** What a client collects of a submission: fields that are switched off are left out, blank entries too. */
export const pickCollected = (
  settings: SubmissionSettings,
  { pros, cons, recommended }: Pick<ReviewSubmission, "pros" | "cons" | "recommended">,
) => ({
  pros: settings.collect_pros_cons ? nonBlank(pros) : [],
  cons: settings.collect_pros_cons ? nonBlank(cons) : [],
  recommended: settings.collect_recommended ? recommended : null,
});
