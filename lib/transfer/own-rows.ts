import { csvRecord } from "@/lib/platform/parsing/csv-cells";
import type { ReadRow, RowValues } from "@/lib/transfer/review-row";
import { reviewFields, TransferredRow } from "@/lib/transfer/schema";

const known = new Set<string>(reviewFields);

/** True if a file with these columns is our own: it has an id or external id, and something to import. */
export const isOwnHeader = (header: string[]): boolean =>
  header.some((name) => name === "id" || name === "external_id") &&
  header.filter((name) => known.has(name)).length >= 2;

/**
 * Converts a row of our own CSV; `header` has the columns of the file. `latest`: the latest allowed date of a review.
 */
export function ownCsvRow(row: number, fields: string[], header: Set<string>, latest: string): ReadRow {
  const record = csvRecord(fields, header);
  return typeof record === "string" ? { row, reason: record } : ownRow(row, record, latest);
}

/**
 * Converts a row of our own JSON lines, or its object from CSV. Trusted, including verified marks: they come from
 * orders and links this service has seen, here or where the file was exported, or from the operator who edited it.
 * Unknown keys are ignored.
 */
export function ownRow(row: number, value: object, latest: string): ReadRow {
  const checked = TransferredRow.safeParse(value);
  if (!checked.success) return { row, reason: `${String(checked.error.issues[0]!.path[0])}_invalid` };
  const { id, custom_questions, responses, images, ...rest } = checked.data;
  if (id === undefined && !rest.external_id) return { row, reason: "id_missing" };
  if (rest.date && rest.date > latest) return { row, reason: "date_in_future" };
  const given: RowValues = { ...rest };
  if (custom_questions !== undefined) given.answers = custom_questions;
  if (responses !== undefined) {
    given.responses = (responses ?? []).map(({ lang = null, created_at, updated_at, ...reply }) => {
      const midnight = `${reply.date}T00:00:00.000Z`;
      const created = created_at ?? updated_at ?? midnight;
      return { id: null, ...reply, lang, created_at: created, updated_at: updated_at ?? created };
    });
  }
  if (images !== undefined) given.images = (images ?? []).map(({ token }) => ({ token, url: null }));
  return { row, id: id ?? null, values: given, detected: null, otherDate: null, candidates: null };
}
