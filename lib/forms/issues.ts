import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import type { FormIssue, FormQuestion, ItemValues } from "@/lib/forms/schema";
import { emailAddress } from "@/lib/platform/http/fields";
import type { PublicText } from "@/lib/platform/i18n/public-texts";
import type { Issue } from "@/lib/platform/issue";
import { minWordsFor, type ReviewSubmission } from "@/lib/reviews/reviews/rules";

// What is wrong with a form, at its controls and in its language. `name` is an item's, such as `items.2`.

/** Whether it is a number of stars. */
export const isScore = (score: string): boolean => /^[1-5]$/.test(score);

/** An issue where a text has more characters than fit. */
export const longIssues = (field: string, text: string, max: number, t: PublicText): FormIssue[] =>
  [...text].length > max ? [{ field, message: t("form.errorTooLong", { n: max }) }] : [];

/** What is wrong with an item by itself: no stars, or more than fits. */
export const itemIssues = (name: string, values: ItemValues, t: PublicText): FormIssue[] => [
  ...(isScore(values.score) ? [] : [{ field: `${name}.score`, message: t("reviewForm.errorScore") }]),
  ...longIssues(`${name}.title`, values.title, 255, t),
  ...longIssues(`${name}.content`, values.content, 60_000, t),
  ...(["pros", "cons"] as const).flatMap((kind) =>
    values[kind].flatMap((line, index) => longIssues(`${name}.${kind}.${index}`, line, 2_000, t)),
  ),
];

/** What is wrong with the name to be shown and the box to be ticked. */
export const authorIssues = (
  { author, terms }: { author: string; terms: boolean },
  { mustAgree }: { mustAgree: boolean },
  t: PublicText,
): FormIssue[] => [
  ...(author.trim() === "" ? [{ field: "author", message: t("form.errorAuthor") }] : []),
  ...longIssues("author", author, 255, t),
  ...(mustAgree && !terms ? [{ field: "terms", message: t("form.errorTerms") }] : []),
];

/** An address that was typed must be one. Whether it must be typed is for others to say. */
export const emailIssues = ({ email }: { email: string }, t: PublicText): FormIssue[] =>
  email.trim() === "" || emailAddress.safeParse(email).success
    ? []
    : [{ field: "email", message: t("form.errorEmail") }];

type SubmissionContext = { client: ClientRow; submission: ReviewSubmission; values: ItemValues; t: PublicText };

/**
 * Issues that the client's settings and the uploads show in a submission, told at the controls of the item it was made
 * of. Photos that cannot be used leave the item's values: the next try is without them.
 */
export function issuesAt(
  name: string,
  found: readonly Issue[],
  { client, submission, values, t }: SubmissionContext,
): FormIssue[] {
  const issues = new Map<string, string>();
  // One sentence a control: a wrong answer is not a missing one as well.
  const add = (field: string, message: string) => issues.has(field) || issues.set(field, message);
  const unusable = new Set<number>();
  for (const { field, reason } of found) {
    const image = /^images\[(\d+)\]$/.exec(field ?? "");
    if (field === "content") add(`${name}.content`, t("reviewForm.errorWords", { n: minWordsFor(client, submission) }));
    else if (field === "author_email") add("email", t("form.errorEmail"));
    else if (field === "images") add(`${name}.files`, t("reviewForm.errorTooManyPhotos"));
    else if (image) {
      unusable.add(Number(image[1]));
      add(`${name}.files`, t("reviewForm.errorPhotoGone"));
    } else if (field?.startsWith("custom_questions.")) {
      const id = questionId(client, field.slice("custom_questions.".length));
      add(
        `${name}.answers.${id}`,
        reason === "required" ? t("reviewForm.errorRequired") : t("reviewForm.errorInvalid"),
      );
    } else throw new Error(`No control of the form for the issue at ${field}: ${reason}`);
  }
  values.images = values.images.filter((_, index) => !unusable.has(index));
  return [...issues].map(([field, message]) => ({ field, message }));
}

/** Issues name a question by the key it was answered with, or by its name where the answer is missing. */
const questionId = ({ custom_questions }: ClientRow, key: string): string =>
  (custom_questions as CustomQuestion[]).find(({ id, name }) => id === key || name === key)?.id ?? key;

/** Whether somebody wrote something about an item: in a text of the form, or as the answer to a question. */
const hasText = (values: ItemValues, questions: FormQuestion[]): boolean =>
  [
    ...[values.title, values.content, ...values.pros, ...values.cons],
    ...questions.flatMap(({ id, type }) => (type === "text" ? (values.answers[id] ?? []) : [])),
  ].some((text) => text.trim() !== "");

/** Asks once whether a review without any text is meant to be one: stars alone are sent by a slip of the thumb. */
export const emptyTextWarnings = (
  rated: { name: string; values: ItemValues; questions: FormQuestion[] }[],
  t: PublicText,
): FormIssue[] =>
  rated.flatMap(({ name, values, questions }) =>
    hasText(values, questions) ? [] : [{ field: `${name}.content`, message: t("reviewForm.askText") }],
  );
