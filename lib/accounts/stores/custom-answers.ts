import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import type { Issue } from "@/lib/platform/issue";

/**
 * Answers to a client's custom questions: validated here, shown in forms, stored with reviews and questions.
 * Browser-safe.
 */

const MAX_TEXT_LENGTH = 2_000;

/** Stored answers by question name; a choice is an option id, a multiple choice a list of them. */
export type CustomAnswers = Record<string, number | string | string[]>;

export const questionName = (question: CustomQuestion): string => question.name ?? question.id;

/**
 * The questions that apply to a product of this category (`Cameras > Lenses`): those for all categories, and those for
 * the category or one above it. Without a category only the former.
 */
export const questionsFor = (questions: readonly CustomQuestion[], category: string | null): CustomQuestion[] =>
  questions.filter(
    ({ categories }) =>
      categories.length === 0 ||
      (category !== null && categories.some((name) => category === name || category.startsWith(`${name} > `))),
  );

/**
 * Validates answers given by question id or name. Issues are at `custom_questions.<key>`: an unknown question or
 * option, a value of the wrong type, a question answered twice, or a required one without an answer. An empty value is
 * no answer. `demanding: false` skips the check for required questions.
 */
export function validateAnswers(
  questions: readonly CustomQuestion[],
  input: Record<string, unknown>,
  category: string | null,
  { checkRequired = true }: { checkRequired?: boolean } = {},
): { answers: CustomAnswers; issues: Issue[] } {
  const byKey = new Map(
    questions.flatMap((question) => [question.id, questionName(question)].map((key) => [key, question])),
  );
  const answers = new Map<string, CustomAnswers[string]>();
  const issues: Issue[] = [];
  // Questions with any answer, under either key: a wrong answer isn't reported as missing, too.
  const mentioned = new Set<CustomQuestion>();
  for (const [key, value] of Object.entries(input)) {
    const field = `custom_questions.${key}`;
    const question = byKey.get(key);
    if (!question) issues.push({ field, reason: "not_a_custom_question" });
    else if (!isEmpty(value)) {
      mentioned.add(question);
      const result = validateAnswer(question, value);
      if ("reason" in result) issues.push({ field, ...result });
      else if (answers.has(questionName(question))) issues.push({ field, reason: "answered_twice" });
      else answers.set(questionName(question), result.answer);
    }
  }
  for (const question of checkRequired ? questionsFor(questions, category) : []) {
    if (question.required && !mentioned.has(question))
      issues.push({ field: `custom_questions.${questionName(question)}`, reason: "required" });
  }
  return { answers: Object.fromEntries(answers), issues };
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

type ValidatedAnswer = { answer: CustomAnswers[string] } | Pick<Issue, "reason" | "params">;

function validateAnswer({ type, multiple, options }: CustomQuestion, value: unknown): ValidatedAnswer {
  if (type === "score") {
    const isValid = typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 5;
    return isValid ? { answer: value } : { reason: "not_a_count_between", params: { min: 1, max: 5 } };
  }
  if (type === "text") {
    if (typeof value !== "string") return { reason: "not_text" };
    return [...value.slice(0, 2 * MAX_TEXT_LENGTH + 1)].length > MAX_TEXT_LENGTH
      ? { reason: "too_long", params: { max: MAX_TEXT_LENGTH } }
      : { answer: value };
  }
  const chosen = multiple && Array.isArray(value) ? value : [value];
  if (!chosen.every((id) => typeof id === "string"))
    return { reason: multiple ? "not_option_ids" : "not_an_option_id" };
  const unknown = chosen.find((id) => !options.some((option) => option.id === id));
  if (unknown !== undefined) return { reason: "unknown_option" };
  return { answer: multiple ? [...new Set<string>(chosen)] : (chosen[0] as string) };
}
