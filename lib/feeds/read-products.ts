import { type FeedProduct, type FieldMapping, isProductField, toProduct } from "@/lib/feeds/product-fields";
import { fieldKey, type RawRow, type RowError } from "@/lib/platform/parsing/raw-row";
import { type FeedFormat, rawRows } from "@/lib/platform/parsing/raw-rows";
import { readText } from "@/lib/platform/parsing/read-text";
import { FeedReport } from "@/lib/platform/parsing/report";

/** A product, or why the row gives none. `row` counts items from 1; a header line is not one. */
export type FeedRow =
  | { row: number; product: FeedProduct }
  | { row: number; reason: RowError | "id_missing" | "id_too_long" };

export type ReadOptions = {
  /** What the file is; told from its content unless given. `rss` and `atom` are read as `xml`. */
  format?: FeedFormat;
  /** A hint where the content does not tell: `.tsv` and `.txt` are set apart by tabs. */
  filename?: string;
  /** the encoding that the server named with the file */
  charset?: string;
  mapping?: FieldMapping;
};

const products = { lists: ["products", "items", "data", "entries"], examples: "id, title, link" };

/** A feed being read: its rows once, one by one or in batches, and the tally that fills while they are read. */
export type ProductFeed = AsyncIterable<FeedRow> & {
  batches(): AsyncGenerator<FeedRow[]>;
  readonly report: FeedReport;
};

/**
 * Reads a product feed as a stream: Google Merchant RSS and Atom, `<products><product>`, CSV, TSV, JSON; packed with
 * gzip, in a ZIP archive or not, in whatever encoding. Holds one row and one piece of the input at a time, whatever the size.
 *
 * What is broken is mended where that can be done and noted in `report`; a row that cannot be used comes with its reason
 * and the next one follows. A feed that ends in the middle gives the rows before the break and says so in
 * `report.incomplete`. Throws AppError `invalid_field` (field `file`) for a file that is no feed at all, always before the
 * first row; errors of `input` itself pass through.
 */
export function readProducts(input: AsyncIterable<Uint8Array>, options: ReadOptions = {}): ProductFeed {
  const report = new FeedReport();
  const mapping = new Map(
    Object.entries(options.mapping ?? {}).map(([theirs, ours]) => [fieldKey(theirs), fieldKey(ours)]),
  );
  const isKnownColumn = (key: string) => isProductField(mapping.get(key) ?? key);

  async function* batches(): AsyncGenerator<FeedRow[]> {
    for await (const raws of rawRows(
      readText(input, report, options),
      { ...options, ...products, isKnownColumn },
      report,
    )) {
      yield raws.map((raw) => toFeedRow(raw, mapping, report));
    }
  }
  async function* rows(): AsyncGenerator<FeedRow> {
    for await (const batch of batches()) yield* batch;
  }
  return { batches, report, [Symbol.asyncIterator]: rows };
}

function toFeedRow(raw: RawRow, mapping: Map<string, string>, report: FeedReport): FeedRow {
  if ("reason" in raw) return raw;
  const { row, fields } = raw;
  if (mapping.size > 0)
    for (let at = 0; at < fields.length; at += 2) fields[at] = mapping.get(fields[at]!) ?? fields[at]!;
  const product = toProduct(fields, row, report);
  return typeof product === "string" ? { row, reason: product } : { row, product };
}
