import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import type { AskedQuestion, FormIssue, FormWords, ItemValues } from "@/lib/forms/schema";
import { emailAddress } from "@/lib/platform/http/fields";
import { fill } from "@/lib/platform/i18n/languages";
import type { Issue } from "@/lib/platform/issue";
import { fewestWords, type ReviewSubmission } from "@/lib/reviews/reviews/rules";

// What is wrong with a form, at its controls and in its language. `name` is an item's, such as `items.2`.

/** Whether it is a number of stars. */
export const isScore = (score: string): boolean => /^[1-5]$/.test(score);

/** An issue where a text has more characters than fit. */
export const longIssues = (field: string, text: string, most: number, words: FormWords): FormIssue[] =>
  [...text].length > most ? [{ field, message: fill(words.fault_long, { count: most }) }] : [];

/** What is wrong with an item by itself: no stars, or more than fits. */
export const itemIssues = (name: string, values: ItemValues, words: FormWords): FormIssue[] => [
  ...(isScore(values.score) ? [] : [{ field: `${name}.score`, message: words.fault_score }]),
  ...longIssues(`${name}.title`, values.title, 255, words),
  ...longIssues(`${name}.content`, values.content, 60_000, words),
  ...(["pros", "cons"] as const).flatMap((kind) =>
    values[kind].flatMap((line, index) => longIssues(`${name}.${kind}.${index}`, line, 2_000, words)),
  ),
];

/** What is wrong with the name to be shown and the box to be ticked. */
export const authorIssues = (
  { author, terms }: { author: string; terms: boolean },
  { mustAgree }: { mustAgree: boolean },
  words: FormWords,
): FormIssue[] => [
  ...(author.trim() === "" ? [{ field: "author", message: words.fault_author }] : []),
  ...longIssues("author", author, 255, words),
  ...(mustAgree && !terms ? [{ field: "terms", message: words.fault_terms }] : []),
];

/** An address that was typed must be one. Whether it must be typed is for others to say. */
export const emailIssues = ({ email }: { email: string }, words: FormWords): FormIssue[] =>
  email.trim() === "" || emailAddress.safeParse(email).success ? [] : [{ field: "email", message: words.fault_email }];

type Judged = { client: ClientRow; submission: ReviewSubmission; values: ItemValues; words: FormWords };

/**
 * Issues that the client's settings and the uploads show in a submission, told at the controls of the item it was made
 * of. Photos that cannot be used leave the item's values: the next try is without them.
 */
export function issuesAt(
  name: string,
  found: readonly Issue[],
  { client, submission, values, words }: Judged,
): FormIssue[] {
  const issues = new Map<string, string>();
  // One sentence a control: a wrong answer is not a missing one as well.
  const add = (field: string, message: string) => issues.has(field) || issues.set(field, message);
  const unusable = new Set<number>();
  for (const { field, reason } of found) {
    const image = /^images\[(\d+)\]$/.exec(field ?? "");
    if (field === "content")
      add(`${name}.content`, fill(words.fault_words, { count: fewestWords(client, submission) }));
    else if (field === "author_email") add("email", words.fault_email);
    else if (field === "images") add(`${name}.files`, words.fault_photos_many);
    else if (image) {
      unusable.add(Number(image[1]));
      add(`${name}.files`, words.fault_photo_gone);
    } else if (field?.startsWith("custom_questions.")) {
      const id = questionId(client, field.slice("custom_questions.".length));
      add(`${name}.answers.${id}`, reason === "required" ? words.fault_required : words.fault_check);
    } else throw new Error(`No control of the form for the issue at ${field}: ${reason}`);
  }
  values.images = values.images.filter((_, index) => !unusable.has(index));
  return [...issues].map(([field, message]) => ({ field, message }));
}

/** Issues name a question by the key it was answered with, or by its name where the answer is missing. */
const questionId = ({ custom_questions }: ClientRow, key: string): string =>
  (custom_questions as CustomQuestion[]).find(({ id, name }) => id === key || name === key)?.id ?? key;

/** Whether somebody wrote something about an item: in a text of the form, or as the answer to a question. */
const hasText = (values: ItemValues, questions: AskedQuestion[]): boolean =>
  [
    ...[values.title, values.content, ...values.pros, ...values.cons],
    ...questions.flatMap(({ id, type }) => (type === "text" ? (values.answers[id] ?? []) : [])),
  ].some((text) => text.trim() !== "");

/** Asks once whether a review without any text is meant to be one: stars alone are sent by a slip of the thumb. */
export const textlessAsks = (
  rated: { name: string; values: ItemValues; questions: AskedQuestion[] }[],
  words: FormWords,
): FormIssue[] =>
  rated.flatMap(({ name, values, questions }) =>
    hasText(values, questions) ? [] : [{ field: `${name}.content`, message: words.ask_text }],
  );
