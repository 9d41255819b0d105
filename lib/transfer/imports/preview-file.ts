import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import type { PreviewRow } from "@/lib/transfer/imports/schema";
import { type ColumnMapping, type MappedField, PREVIEW_ROWS } from "@/lib/transfer/imports/values";
import { readReviews, type SampledColumn } from "@/lib/transfer/read-reviews";
import type { ItemRow, ReadRow, ReviewRow } from "@/lib/transfer/review-row";
import type { ExportKind, ReviewFormat } from "@/lib/transfer/schema";

/** What the start of a file shows: its kind and layout, its columns, and its first rows as they would be imported. */
export type FilePreview = {
  kind: ExportKind;
  layout: ReviewFormat | "other";
  columns: SampledColumn[];
  /** The column each field is read from; null for our own files, whose columns have fixed names. */
  fields: Record<MappedField, string | null> | null;
  rows: PreviewRow[];
};

/** Characters of a text that a preview shows. */
const MAX_TEXT = 300;

/**
 * Reads the start of a file. Throws `invalid_field` (field `file`) if it can't be read or has no columns that could be
 * reviews.
 */
export async function previewFile(
  client: ClientRow,
  input: AsyncIterable<Uint8Array>,
  { mapping, pending }: { mapping: ColumnMapping; pending: boolean },
): Promise<FilePreview> {
  const file = readReviews(input, client, { mapping, pending });
  const rows: ReadRow[] = [];
  for await (const batch of file.batches()) {
    rows.push(...batch);
    if (rows.length >= PREVIEW_ROWS) break;
  }
  const monthFirst = file.monthFirst();
  const shown = rows.filter((row) => !("parent" in row)).slice(0, PREVIEW_ROWS);
  const products = await selectProducts(client, shown);
  return {
    kind: file.kind,
    layout: file.layout,
    columns: file.columns,
    fields: file.fields,
    rows: shown.map((row) => toPreview(row, monthFirst, products)),
  };
}

type Products = Map<string, string>;

/** Names of the products and families that rows are about. */
async function selectProducts({ id }: Pick<ClientRow, "id">, rows: ReadRow[]): Promise<Products> {
  const { rows: found } = await pool().query<{ id: string; name: string }>(
    `select distinct on (n.id) n.id, p.name from unnest($2::text[]) as n(id)
       join products p on p.client_id = $1 and (p.id = n.id or p.family_id = n.id) order by n.id, p.id = n.id desc, p.id`,
    [id, rows.flatMap(idsOf)],
  );
  return new Map(found.map((product) => [product.id, product.name]));
}

function idsOf(row: ReadRow): string[] {
  if ("values" in row)
    return row.candidates ?? [row.values.product_id, row.values.family_id].filter((one) => typeof one === "string");
  if ("item" in row) return [row.item.product_id, row.item.family_id].filter((one) => typeof one === "string");
  return [];
}

const statusOf = (accepted: boolean | null | undefined): PreviewRow["status"] =>
  accepted === true ? "accepted" : accepted === false ? "rejected" : "pending";

const shorten = (text: string | null | undefined): string | null => {
  if (!text) return null;
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text;
};

const skipped = (row: number, reason: string): PreviewRow => ({
  ...{ row, reason, score: null, title: null, text: null, author: null, date: null, status: null },
  ...{ product: null, in_catalog: null, replies: 0, photos: 0 },
});

function toPreview(row: ReadRow, monthFirst: boolean, products: Products): PreviewRow {
  if ("reason" in row) return skipped(row.row, row.reason);
  const ids = idsOf(row);
  const known = ids.find((id) => products.has(id));
  const product = known === undefined ? (ids[0] ?? null) : products.get(known)!;
  const shared = { row: row.row, reason: null, product, in_catalog: ids.length > 0 ? known !== undefined : null };
  if ("values" in row) return { ...shared, ...reviewPreview(row, monthFirst) };
  if ("item" in row) return { ...shared, ...itemPreview(row) };
  return skipped(row.row, "parent_missing");
}

const reviewPreview = ({ values, otherDate }: ReviewRow, monthFirst: boolean) => ({
  score: values.score ?? null,
  title: values.title ?? null,
  text: shorten(values.extract),
  author: values.author ?? null,
  date: (monthFirst && otherDate) || (values.date ?? null),
  status: statusOf(values.accepted),
  replies: values.responses?.length ?? 0,
  photos: values.images?.length ?? 0,
});

const itemPreview = ({ item, images }: ItemRow) => ({
  score: item.score ?? null,
  title: item.title ?? shorten(item.question),
  text: shorten(item.extract ?? item.details),
  author: item.author ?? null,
  date: item.date ?? null,
  status: statusOf(item.accepted),
  replies: item.responses.length + item.answers.length,
  photos: images.length,
});
