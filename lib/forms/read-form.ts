import { isScore } from "@/lib/forms/issues";
import { type FormValues, type ItemValues, MAX_PHOTOS, MAX_POINTS, type ReviewForm } from "@/lib/forms/schema";
import { storableText } from "@/lib/platform/storable-text";

/** The submitted form: the values of each control, and photos that aren't uploaded yet. */
export type SentForm = {
  values: FormValues;
  files: Map<number, File[]>;
  /** the warning about a review without text has been shown */
  warned: boolean;
};

/**
 * Reads the form's fields (`items.2.score`, `items.2.pros` …) for the items it was built from. Ignores everything else,
 * including more lines than a form offers, since a body can contain very many. A form sent without JavaScript contains
 * its photos as files.
 */
export function readForm(form: FormData, { items }: Pick<ReviewForm, "items">): SentForm {
  const text = (name: string): string => readFormText(form, name);
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
    warned: form.get("asked") !== null,
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
      // one extra, so that it is reported
      images: texts(`${name}.images`, MAX_PHOTOS + 1),
      answers: Object.fromEntries(questions.map(({ id }) => [id, texts(`${name}.answers.${id}`).filter(Boolean)])),
      // With a rating the checkbox is hidden but may still be checked; a rated item has been received.
      later: form.get(`${name}.later`) !== null && !isScore(score),
    };
    sent.values.items[position] = values;
    const files = form.getAll(`${name}.files`).flatMap((file) => (file instanceof File && file.size > 0 ? [file] : []));
    if (files.length > 0) sent.files.set(position, files);
  }
  return sent;
}

/** A field's text, or "" if it is missing. */
export function readFormText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? clean(value) : "";
}

/** Forms send line breaks as CR LF. */
const clean = (value: string): string => storableText(value.replace(/\r\n?/g, "\n"));
