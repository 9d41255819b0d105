import { type CustomAnswers, validateAnswers } from "@/lib/accounts/stores/custom-answers";
import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import type { Issue } from "@/lib/platform/issue";
import { commonIssues, type Submission } from "@/lib/reviews/submissions/rules";

/** The rules of question submission: what a client's settings ask of a question. Browser-safe. */

/** A question as a form or a shop's server submits it: shape checked, rules not yet. */
export type QuestionSubmission = Submission & {
  source: "web" | "collect";
  question: string;
  details: string;
  /** whether the asker wants to be mailed the answer */
  mailAnswer: boolean;
};

/** The settings that these rules read. */
export type QuestionSettings = {
  collect_questions: boolean;
  require_verification: boolean;
  custom_questions: unknown[];
};

/**
 * Everything that a client's settings hold against a question, at once. Answers to custom questions are judged where
 * they are given, but none is missed: they ask about living with a product, which somebody who asks does not yet.
 */
export function validateQuestion(
  settings: QuestionSettings,
  question: Partial<QuestionSubmission>,
): { issues: Issue[]; answers: CustomAnswers } {
  const issues: Issue[] = settings.collect_questions ? [] : [{ field: "question", reason: "questions_not_collected" }];
  const needsEmail = settings.require_verification
    ? "required_for_confirmation"
    : question.mailAnswer === true && "required_for_answer";
  const judged = validateAnswers(settings.custom_questions as CustomQuestion[], question.answers ?? {}, null, {
    demanding: false,
  });
  return { issues: [...issues, ...commonIssues(question, { needsEmail }), ...judged.issues], answers: judged.answers };
}
