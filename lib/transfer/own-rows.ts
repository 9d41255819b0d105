import type { z } from "zod";
import { csvRecord } from "@/lib/platform/parsing/csv-cells";
import type { ReadRow, RowValues } from "@/lib/transfer/review-row";
import {
  type ExportKind,
  exportFields,
  exportKinds,
  TransferredQuestion,
  type TransferredResponse,
  TransferredRow,
  TransferredSellerReview,
} from "@/lib/transfer/schema";

const reviewColumns = new Set(exportFields.reviews);
const productColumns = ["external_id", "product_id", "family_id"];

/** Columns that earlier versions don't export. */
const newColumns = new Set(["incentivized"]);

/** The kind of our own CSV that has all columns of its export, as the export writes them; others may be there too. */
export const completeKindOf = (header: string[]): ExportKind | null =>
  exportKinds.find((kind) => exportFields[kind].every((name) => newColumns.has(name) || header.includes(name))) ?? null;

/** Whether an operator's CSV is a part of our own: it has an id or external id, and something to import. */
export const isPartOfOwn = (header: string[]): boolean =>
  (header.includes("id") || header.includes("external_id")) &&
  header.filter((name) => reviewColumns.has(name)).length >= 2;

/** The kind of our own JSON object with these keys, or null. One with an id or external id alone is a review. */
export function jsonKindOf(value: object): ExportKind | null {
  const has = (name: string) => name in value;
  if (has("id") && has("question")) return "questions";
  if (has("id") && has("score") && has("customer_id") && !productColumns.some(has)) return "seller_reviews";
  return has("id") || has("external_id") ? "reviews" : null;
}

/**
 * Converts a row of our own CSV; `header` has the columns of the file. `latest`: the latest allowed date of a review.
 */
export function ownCsvRow(
  kind: ExportKind,
  row: number,
  fields: string[],
  header: Set<string>,
  latest: string,
): ReadRow {
  const record = csvRecord(fields, header);
  return typeof record === "string" ? { row, reason: record } : ownRow(kind, row, record, latest);
}

/**
 * Converts a row of our own JSON lines, or its object from CSV. Trusted, including verified marks: operators and admins
 * may set them for their stores. Unknown keys are ignored.
 */
export function ownRow(kind: ExportKind, row: number, value: object, latest: string): ReadRow {
  if (kind === "seller_reviews") {
    if (productColumns.some((name) => name in value)) return { row, reason: "product_review" };
    return ownItem(row, TransferredSellerReview.partial().safeParse(value), "score", latest);
  }
  if (kind === "questions") return ownItem(row, TransferredQuestion.partial().safeParse(value), "question", latest);
  const checked = TransferredRow.safeParse(value);
  if (!checked.success) return { row, reason: invalidField(checked.error) };
  const { id, custom_questions, responses, images, ...rest } = checked.data;
  if (id === undefined && !rest.external_id) return { row, reason: "id_missing" };
  if (rest.date && rest.date > latest) return { row, reason: "date_in_future" };
  const given: RowValues = { ...rest };
  if (custom_questions !== undefined) given.answers = custom_questions;
  if (responses !== undefined) given.responses = (responses ?? []).map((reply) => ({ id: null, ...withTimes(reply) }));
  if (images !== undefined) given.images = (images ?? []).map(({ token }) => ({ token, url: null }));
  return { row, id: id ?? null, values: given, detected: null, otherDate: null, candidates: null };
}

type Answered = Pick<TransferredResponse, "date" | "lang" | "created_at" | "updated_at">;

/** A reply or answer with the times it lacks. */
function withTimes<T extends Answered>({ lang = null, created_at, updated_at, ...rest }: T) {
  const created = created_at ?? updated_at ?? `${rest.date}T00:00:00.000Z`;
  return { ...rest, lang, created_at: created, updated_at: updated_at ?? created };
}

const invalidField = ({ issues }: z.ZodError): `${string}_invalid` => `${String(issues[0]!.path[0])}_invalid`;

type Item = Partial<z.output<typeof TransferredSellerReview> & z.output<typeof TransferredQuestion>>;

/** A seller review or question. `required`: without a value here there is nothing to import. */
function ownItem(
  row: number,
  checked: z.ZodSafeParseResult<Item>,
  required: "score" | "question",
  latest: string,
): ReadRow {
  if (!checked.success) return { row, reason: invalidField(checked.error) };
  const { id, images, responses, answers, ...item } = checked.data;
  if (id === undefined) return { row, reason: "id_missing" };
  if (item[required] === undefined) return { row, reason: `${required}_missing` };
  if (item.date && item.date > latest) return { row, reason: "date_in_future" };
  return {
    row,
    item: { ...item, responses: responses?.map(withTimes) ?? [], answers: answers?.map(withTimes) ?? [] },
    id,
    images: (images ?? []).map(({ token }) => ({ token, url: null })),
  };
}
