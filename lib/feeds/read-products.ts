import { type FeedProduct, type FieldMapping, isProductField, toProduct } from "@/lib/feeds/product-fields";
import { fieldKey, type RawRow, type RowError } from "@/lib/platform/parsing/raw-row";
import { type FeedFormat, rawRows } from "@/lib/platform/parsing/raw-rows";
import { readText } from "@/lib/platform/parsing/read-text";
import { FeedReport } from "@/lib/platform/parsing/report";

/** A product, or why the row has none. `row` counts items from 1, excluding a header line. */
export type FeedProductRow =
  | { row: number; product: FeedProduct }
  | { row: number; reason: RowError | "id_missing" | "id_too_long" };

export type ReadOptions = {
  /** File format; detected from the content by default. `rss` and `atom` are read as `xml`. */
  format?: FeedFormat;
  /** A hint if the content is ambiguous: `.tsv` and `.txt` are tab-separated. */
  filename?: string;
  /** Encoding the server named for the file. */
  charset?: string;
  mapping?: FieldMapping;
};

const products = { lists: ["products", "items", "data", "entries"], examples: "id, title, link" };

/** A feed being read: its rows, to be iterated once, singly or in batches, and a report that fills meanwhile. */
export type ProductFeed = AsyncIterable<FeedProductRow> & {
  batches(): AsyncGenerator<FeedProductRow[]>;
  readonly report: FeedReport;
};

/**
 * Reads a product feed as a stream: Google Merchant RSS and Atom, `<products><product>`, CSV, TSV, JSON; gzipped,
 * zipped or plain, in any encoding. Holds one row and one piece of the input in memory, whatever the file's size.
 *
 * Corrections are recorded in `report`; unusable rows are returned with a reason. A truncated feed returns the rows
 * before the break and sets `report.incomplete`. Throws `invalid_field` (field `file`) for a file that isn't a feed,
 * always before the first row; errors of `input` itself are passed through.
 */
export function readProducts(input: AsyncIterable<Uint8Array>, options: ReadOptions = {}): ProductFeed {
  const report = new FeedReport();
  const mapping = new Map(
    Object.entries(options.mapping ?? {}).map(([theirs, ours]) => [fieldKey(theirs), fieldKey(ours)]),
  );
  const isKnownColumn = (key: string) => isProductField(mapping.get(key) ?? key);

  async function* batches(): AsyncGenerator<FeedProductRow[]> {
    for await (const raws of rawRows(
      readText(input, report, options),
      { ...options, ...products, isKnownColumn },
      report,
    )) {
      yield raws.map((raw) => toFeedRow(raw, mapping, report));
    }
  }
  async function* rows(): AsyncGenerator<FeedProductRow> {
    for await (const batch of batches()) yield* batch;
  }
  return { batches, report, [Symbol.asyncIterator]: rows };
}

function toFeedRow(raw: RawRow, mapping: Map<string, string>, report: FeedReport): FeedProductRow {
  if ("reason" in raw) return raw;
  const { row, fields } = raw;
  if (mapping.size > 0)
    for (let at = 0; at < fields.length; at += 2) fields[at] = mapping.get(fields[at]!) ?? fields[at]!;
  const product = toProduct(fields, row, report);
  return typeof product === "string" ? { row, reason: product } : { row, product };
}
