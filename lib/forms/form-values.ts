import { questionName, questionsFor } from "@/lib/accounts/stores/custom-answers";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import { type FormQuestion, type ItemValues, POINT_LINES, type Terms } from "@/lib/forms/schema";
import type { Language } from "@/lib/platform/i18n/languages";
import type { OwnReview } from "@/lib/reviews/reviews/reviews-of-invitation";

/** The client's custom questions for products of this category, in the form's language. */
export const formQuestions = (client: ClientRow, category: string | null, language: Language): FormQuestion[] =>
  questionsFor(client.custom_questions as CustomQuestion[], category).map((question) => ({
    id: question.id,
    label: inLanguage(question.label, language, client.locale) ?? question.id,
    type: question.type,
    multiple: question.multiple,
    required: question.required,
    options: question.options.map(({ id, label }) => ({ id, label: inLanguage(label, language, client.locale) ?? id })),
  }));

/** The client's terms: an address, a text in the form's language, or both. */
export function termsOf({ config, locale }: ClientRow, language: Language): Terms {
  const text = config.terms_text as Record<string, string> | undefined;
  return {
    url: typeof config.terms_url === "string" ? config.terms_url : null,
    text: text ? inLanguage(text, language, locale) : null,
  };
}

type ReviewContent = Pick<
  OwnReview,
  "score" | "title" | "extract" | "pros" | "cons" | "recommended" | "images" | "answers"
>;

/** The lines of a list of pros or cons: the given ones, then empty ones. */
export const pointLines = (points: string[] = []): string[] => [
  ...points,
  ...Array<string>(Math.max(1, POINT_LINES - points.length)).fill(""),
];

/** Values of an item without input. */
export const blankValues = (): ItemValues => ({
  score: "",
  title: "",
  content: "",
  pros: pointLines(),
  cons: pointLines(),
  recommended: "",
  images: [],
  answers: {},
  later: false,
});

/** The form values of a stored review. */
export function valuesOfReview(client: ClientRow, review: ReviewContent): ItemValues {
  const byName = new Map((client.custom_questions as CustomQuestion[]).map((one) => [questionName(one), one.id]));
  return {
    score: String(review.score),
    title: review.title ?? "",
    content: review.extract,
    pros: pointLines(review.pros),
    cons: pointLines(review.cons),
    recommended: review.recommended === null ? "" : review.recommended ? "yes" : "no",
    images: review.images.map(({ token }) => token),
    answers: Object.fromEntries(
      Object.entries(review.answers).map(([name, answer]) => [byName.get(name) ?? name, [answer].flat().map(String)]),
    ),
    later: false,
  };
}

/** Picks a text by language: the reader's, else the client's, else English, else the first. */
export function inLanguage(texts: Record<string, string>, language: Language, locale: string): string | null {
  const primary = (tag: string) => tag.toLowerCase().split(/[-_]/)[0];
  for (const wish of [language, locale, "en"]) {
    const found = Object.entries(texts).find(([tag]) => primary(tag) === primary(wish));
    if (found) return found[1];
  }
  return Object.values(texts)[0] ?? null;
}
