import { type CustomAnswers, validateAnswers } from "@/lib/accounts/stores/custom-answers";
import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import type { Issue } from "@/lib/platform/issue";
import { commonIssues, type Submission } from "@/lib/reviews/submissions/rules";

/** Rules of question submission, based on a client's settings. Browser-safe. */

/** A question as submitted by a form or a store's server: shape checked, rules not yet. */
export type QuestionSubmission = Submission & {
  source: "web" | "collect";
  question: string;
  details: string;
  /** The author wants the answer by email. */
  mailAnswer: boolean;
};

/** The settings these rules use. */
export type QuestionSettings = {
  collect_questions: boolean;
  require_verification: boolean;
  custom_questions: unknown[];
};

/**
 * All violations of a client's settings. Given answers to custom questions are validated, but none are required: they
 * are about experience with a product, which the author of a question doesn't have yet.
 */
export function validateQuestion(
  settings: QuestionSettings,
  question: Partial<QuestionSubmission>,
): { issues: Issue[]; answers: CustomAnswers } {
  const issues: Issue[] = settings.collect_questions ? [] : [{ field: "question", reason: "questions_not_collected" }];
  const needsEmail = settings.require_verification
    ? "required_for_confirmation"
    : question.mailAnswer === true && "required_for_answer";
  const validated = validateAnswers(settings.custom_questions as CustomQuestion[], question.answers ?? {}, null, {
    checkRequired: false,
  });
  return {
    issues: [...issues, ...commonIssues(question, { needsEmail }), ...validated.issues],
    answers: validated.answers,
  };
}
