import { canonicalLocale } from "@/lib/platform/i18n/languages";
import type { RawRow, RowError } from "@/lib/platform/parsing/raw-row";
import { type FeedFormat, rawRows } from "@/lib/platform/parsing/raw-rows";
import { readText } from "@/lib/platform/parsing/read-text";
import { FeedReport } from "@/lib/platform/parsing/report";

/**
 * Number of reviews of a product on another site, and the distribution of their scores over five steps of its scale.
 */
export type ExternalTotal = {
  product_id: string;
  source: string;
  kind: "pro" | "user";
  /** `en_US`; empty if the row has none. */
  locale: string;
  /** `US`; empty if the row has none. */
  country: string;
  count: number;
  /** Reviews in each step, lowest first; all zero if unknown. */
  score_dist: number[];
  url: string | null;
};

/** Why a row has no usable total: a required value is missing or invalid. */
export type TotalRejectReason =
  | RowError
  | "product_id_missing"
  | "product_id_too_long"
  | "source_missing"
  | "source_too_long"
  | "kind_invalid"
  | "locale_invalid"
  | "country_invalid"
  | "count_missing"
  | "count_invalid"
  | "score_dist_invalid";

/** `row` counts items from 1, excluding a header line. */
export type TotalRow = { row: number; total: ExternalTotal } | { row: number; reason: TotalRejectReason };

export type ReadOptions = {
  /** File format; detected from the content by default. */
  format?: FeedFormat;
  filename?: string;
  /** Encoding the server named for the file. */
  charset?: string;
};

/** Column names, and a few aliases. */
const COLUMN_NAMES: Record<string, string> = {
  product_id: "product_id",
  sku: "product_id",
  source: "source",
  kind: "kind",
  locale: "locale",
  country: "country",
  count: "count",
  score_dist: "score_dist",
  url: "url",
};
/** Columns of single steps: `score_dist_1` to `score_dist_5`. */
const STEP_COLUMN = /^score_dist_?([1-5])$/;

const MAX_ID = 255;
const MAX_URL = 2_000;
const MAX_COUNT = 1_000_000_000;

/**
 * Reads a file of external totals as a stream: CSV, TSV or JSON (an array, or an object with one as `externals`), in
 * any encoding, optionally gzipped. Unusable rows are returned with a reason; corrections and dropped values are in
 * `report`. Throws `invalid_field` (field `file`) for any other file, before the first row.
 */
export function readExternals(input: AsyncIterable<Uint8Array>, options: ReadOptions = {}) {
  const report = new FeedReport();
  const isKnownColumn = (key: string) => key in COLUMN_NAMES || STEP_COLUMN.test(key);
  async function* batches(): AsyncGenerator<TotalRow[]> {
    const shape = {
      isKnownColumn,
      lists: ["externals", "totals", "data"],
      examples: "product_id, source, kind, count",
    };
    for await (const raws of rawRows(readText(input, report, options), { ...options, ...shape }, report)) {
      yield raws.map((raw) => toTotalRow(raw, report));
    }
  }
  return { batches, report };
}

function toTotalRow(raw: RawRow, report: FeedReport): TotalRow {
  if ("reason" in raw) return raw;
  const total = toTotal(raw.fields, raw.row, report);
  return typeof total === "string" ? { row: raw.row, reason: total } : { row: raw.row, total };
}

function toTotal(fields: string[], row: number, report: FeedReport): ExternalTotal | TotalRejectReason {
  const { texts, dist: given } = groupFields(fields, row, report);
  const text = (name: string) => texts.get(name) ?? "";
  const product_id = text("product_id");
  const source = text("source");
  const kind = text("kind").toLowerCase();
  const locale = canonicalLocale(text("locale"));
  const country = text("country").toUpperCase();
  if (product_id === "") return "product_id_missing";
  if (product_id.length > MAX_ID) return "product_id_too_long";
  if (source === "") return "source_missing";
  if (source.length > MAX_ID) return "source_too_long";
  if (kind !== "pro" && kind !== "user") return "kind_invalid";
  if (!/^([a-z]{2,3}(_[A-Za-z0-9]{2,8})*)?$/.test(locale)) return "locale_invalid";
  if (!/^([A-Z]{2})?$/.test(country)) return "country_invalid";
  const score_dist = given.length === 0 ? [0, 0, 0, 0, 0] : given.map(toCount);
  if (score_dist.length !== 5 || !score_dist.every((n) => n !== null)) return "score_dist_invalid";
  const known = score_dist.reduce((sum, n) => sum + n, 0);
  if (text("count") === "" && given.length === 0) return "count_missing";
  const count = text("count") === "" ? known : toCount(text("count"));
  if (count === null || count > MAX_COUNT) return "count_invalid";
  if (known > 0 && known !== count) report.warn(row, "score_dist", "is_not_count", given.join(", "));
  return { product_id, source, kind, locale, country, count, score_dist, url: address(text("url"), row, report) };
}

/** The row's cells by field name, and the steps of its distribution in any notation. */
function groupFields(
  fields: string[],
  row: number,
  report: FeedReport,
): { texts: Map<string, string>; dist: string[] } {
  const texts = new Map<string, string>();
  const steps: string[] = [];
  const listed: string[] = [];
  for (let at = 0; at < fields.length; at += 2) {
    const key = fields[at] as string;
    const value = tidy(fields[at + 1] as string, row, report);
    const step = STEP_COLUMN.exec(key)?.[1];
    if (step) steps[Number(step) - 1] = value;
    else if (key === "score_dist") listed.push(...value.split(/[\s,;|[\]{}]+/).filter((part) => part !== ""));
    else if (COLUMN_NAMES[key] && value !== "" && !texts.has(COLUMN_NAMES[key])) texts.set(COLUMN_NAMES[key], value);
  }
  return { texts, dist: listed.length > 0 ? listed : Array.from(steps, (step) => step ?? "") };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const CONTROL = /[\0-\x1f\x7f-\x9f\ufeff]/g;

function tidy(given: string, row: number, report: FeedReport): string {
  const text = given.toWellFormed();
  if (text !== given) report.repair("invalid_characters", row);
  const plain = text.replace(CONTROL, " ").trim();
  if (plain !== text.trim()) report.repair("control_characters", row);
  return plain;
}

const toCount = (text: string): number | null =>
  /^\d{1,10}$/.test(text) && Number(text) <= MAX_COUNT ? Number(text) : null;

function address(text: string, row: number, report: FeedReport): string | null {
  if (text === "") return null;
  if (text.length <= MAX_URL && /^https?:\/\/[^\s/?#]/i.test(text) && URL.canParse(text)) return text;
  report.warn(row, "url", "not_an_address", text);
  return null;
}
