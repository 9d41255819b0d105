import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import type { FormIssue, FormQuestion, ItemValues } from "@/lib/forms/schema";
import { emailAddress } from "@/lib/platform/http/fields";
import type { PublicText } from "@/lib/platform/i18n/public-texts";
import type { Issue } from "@/lib/platform/issue";
import { minWordsFor, type ReviewSubmission } from "@/lib/reviews/reviews/rules";

// Form issues, by control and in the form's language. `name` is an item's, such as `items.2`.

/** Whether the value is a rating from 1 to 5. */
export const isScore = (score: string): boolean => /^[1-5]$/.test(score);

/** An issue if a text exceeds the maximum length. */
export const longIssues = (field: string, text: string, max: number, t: PublicText): FormIssue[] =>
  [...text].length > max ? [{ field, message: t("form.errorTooLong", { n: max }) }] : [];

/** Issues of one item: no rating, or texts that are too long. */
export const itemIssues = (name: string, values: ItemValues, t: PublicText): FormIssue[] => [
  ...(isScore(values.score) ? [] : [{ field: `${name}.score`, message: t("reviewForm.errorScore") }]),
  ...longIssues(`${name}.title`, values.title, 255, t),
  ...longIssues(`${name}.content`, values.content, 60_000, t),
  ...(["pros", "cons"] as const).flatMap((kind) =>
    values[kind].flatMap((line, index) => longIssues(`${name}.${kind}.${index}`, line, 2_000, t)),
  ),
];

/** Issues of the author's name and the terms checkbox. */
export const authorIssues = (
  { author, terms }: { author: string; terms: boolean },
  { mustAgree }: { mustAgree: boolean },
  t: PublicText,
): FormIssue[] => [
  ...(author.trim() === "" ? [{ field: "author", message: t("form.errorAuthor") }] : []),
  ...longIssues("author", author, 255, t),
  ...(mustAgree && !terms ? [{ field: "terms", message: t("form.errorTerms") }] : []),
];

/** Reports an invalid address. Doesn't check whether an address is required. */
export const emailIssues = ({ email }: { email: string }, t: PublicText): FormIssue[] =>
  email.trim() === "" || emailAddress.safeParse(email).success
    ? []
    : [{ field: "email", message: t("form.errorEmail") }];

type SubmissionContext = { client: ClientRow; submission: ReviewSubmission; values: ItemValues; t: PublicText };

/**
 * Maps issues found by the client's settings and the upload checks to the controls of an item. Removes unusable photos
 * from the item's values, so the next try is without them.
 */
export function issuesAt(
  name: string,
  found: readonly Issue[],
  { client, submission, values, t }: SubmissionContext,
): FormIssue[] {
  const issues = new Map<string, string>();
  // Only one message per control: an invalid answer isn't also a missing one.
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

/** Issues identify a question by the answer's key, or by the question's name if the answer is missing. */
const questionId = ({ custom_questions }: ClientRow, key: string): string =>
  (custom_questions as CustomQuestion[]).find(({ id, name }) => id === key || name === key)?.id ?? key;

/** Whether the item has any text, in a field or in an answer to a question. */
const hasText = (values: ItemValues, questions: FormQuestion[]): boolean =>
  [
    ...[values.title, values.content, ...values.pros, ...values.cons],
    ...questions.flatMap(({ id, type }) => (type === "text" ? (values.answers[id] ?? []) : [])),
  ].some((text) => text.trim() !== "");

/** Warns once about reviews without text, since a rating alone is easily sent by mistake. */
export const emptyTextWarnings = (
  rated: { name: string; values: ItemValues; questions: FormQuestion[] }[],
  t: PublicText,
): FormIssue[] =>
  rated.flatMap(({ name, values, questions }) =>
    hasText(values, questions) ? [] : [{ field: `${name}.content`, message: t("reviewForm.askText") }],
  );
