import { isScore } from "@/lib/forms/issues";
import { type FormValues, type ItemValues, MAX_PHOTOS, MAX_POINTS, type ReviewForm } from "@/lib/forms/schema";
import { storableText } from "@/lib/platform/storable-text";

/** What was sent with the form: the values of each control, and the photos that are not uploaded yet. */
export type SentForm = {
  values: FormValues;
  files: Map<number, File[]>;
  /** it was asked before whether a review is meant to have no text */
  asked: boolean;
};

/**
 * Reads the form's fields (`items.2.score`, `items.2.pros` …) for the items it was made of; anything else is passed
 * over, also more lines of a kind than any form of ours has: a body has room for very many. A form sent without
 * JavaScript brings its photos along as files.
 */
export function readForm(form: FormData, { items }: Pick<ReviewForm, "items">): SentForm {
  const text = (name: string): string => textOf(form, name);
  const texts = (name: string, max = MAX_POINTS): string[] =>
    form
      .getAll(name)
      .slice(0, max)
      .flatMap((value) => (typeof value === "string" ? [clean(value)] : []));
  const sent: SentForm = {
    values: {
      items: {},
      seller: { score: text("seller.score"), title: text("seller.title"), content: text("seller.content") },
      author: text("author"),
      email: text("email"),
      terms: form.get("terms") !== null,
    },
    files: new Map(),
    asked: form.get("asked") !== null,
  };
  for (const { position, questions } of items) {
    const name = `items.${position}`;
    const recommended = text(`${name}.recommended`);
    const score = text(`${name}.score`);
    const values: ItemValues = {
      score,
      title: text(`${name}.title`),
      content: text(`${name}.content`),
      pros: texts(`${name}.pros`),
      cons: texts(`${name}.cons`),
      recommended: recommended === "yes" || recommended === "no" ? recommended : "",
      // one too many is told
      images: texts(`${name}.images`, MAX_PHOTOS + 1),
      answers: Object.fromEntries(questions.map(({ id }) => [id, texts(`${name}.answers.${id}`).filter(Boolean)])),
      // The box is out of sight, though perhaps still ticked, once there are stars: who rates has it.
      later: form.get(`${name}.later`) !== null && !isScore(score),
    };
    sent.values.items[position] = values;
    const files = form.getAll(`${name}.files`).flatMap((file) => (file instanceof File && file.size > 0 ? [file] : []));
    if (files.length > 0) sent.files.set(position, files);
  }
  return sent;
}

/** What a form says in a field; "" where it does not have it. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? clean(value) : "";
}

/** Forms send line ends as CR LF. */
const clean = (value: string): string => storableText(value.replace(/\r\n?/g, "\n"));
