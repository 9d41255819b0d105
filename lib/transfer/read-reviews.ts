import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import { dayIn, now } from "@/lib/platform/clock";
import { csvRows } from "@/lib/platform/parsing/csv-rows";
import { type JsonRow, jsonLines, jsonObjects } from "@/lib/platform/parsing/json-rows";
import type { RawRow } from "@/lib/platform/parsing/raw-row";
import { readText } from "@/lib/platform/parsing/read-text";
import { FeedReport } from "@/lib/platform/parsing/report";
import { unreadableFile } from "@/lib/platform/parsing/unreadable-file";
import { storableText, truncateText } from "@/lib/platform/storable-text";
import { detectLanguage, languageOf } from "@/lib/reviews/reviews/detect-language";
import {
  columnsByField,
  guessLayout,
  knowsColumn,
  type Layout,
  layoutOf,
  withMapping,
} from "@/lib/transfer/foreign-layouts";
import { ForeignRows } from "@/lib/transfer/foreign-rows";
import type { ColumnMapping, MappedField } from "@/lib/transfer/imports/values";
import { completeKindOf, isPartOfOwn, jsonKindOf, ownCsvRow, ownRow } from "@/lib/transfer/own-rows";
import type { ReadRow } from "@/lib/transfer/review-row";
import { type ExportKind, exportFields, type ReviewFormat, reviewFormats } from "@/lib/transfer/schema";

export type ReadOptions = {
  /** File format; detected from the content by default. */
  format?: ReviewFormat;
  /** Import reviews without a status in the file as pending. */
  pending?: boolean;
  /** Encoding the server named for the file. */
  charset?: string;
  /** Columns that a person assigned to fields; also reads files whose columns no service uses. */
  mapping?: ColumnMapping;
};

/** A column of a file with values of its first rows. */
export type SampledColumn = { name: string; samples: string[] };

/** A file being read: its rows, to be iterated once in batches, and properties known during or after reading. */
export type ReviewFile = {
  batches(): AsyncGenerator<ReadRow[]>;
  readonly report: FeedReport;
  /** Content of the file; known with the first batch, like the rest. */
  readonly kind: ExportKind;
  /** Format of the file; `other` if the columns are of no known service. */
  readonly layout: ReviewFormat | "other";
  /** Whether the file is our own. */
  readonly own: boolean;
  /** Columns of another service's file, and the one that each field is read from. */
  readonly columns: SampledColumn[];
  readonly fields: Record<MappedField, string | null> | null;
  /** Whether ambiguous dates are month-first, as far as the rows read so far show it. */
  monthFirst(): boolean;
};

/** Characters of text examined to detect the format. */
const SAMPLE = 65_536;
/** Generous, since a review's text may have 60,000 characters, plus lists of such texts. */
const LIMITS = { value: 2_097_152, row: 8_388_608 };
const DAY = 86_400_000;
/** Values of each column that are shown, the rows in which they are looked for, and their length. */
const SAMPLES = { values: 3, rows: 50, length: 60 };

const ownColumns = new Set(Object.values(exportFields).flat());

/**
 * Reads a file of reviews as a stream: our own export of reviews, seller reviews or questions (JSON lines or CSV; also
 * one JSON array) or another service's CSV, detected by its columns; gzipped, zipped or plain, in any encoding. Holds one row and one piece of the input in
 * memory.
 *
 * Corrections are recorded in `report`; unusable rows are returned with a reason. Throws `invalid_field` (field `file`)
 * for any other file, always before the first row.
 */
export function readReviews(
  input: AsyncIterable<Uint8Array>,
  client: ClientRow,
  { format, charset, mapping, pending = false }: ReadOptions = {},
): ReviewFile {
  const report = new FeedReport();
  const latest = dayIn(timeZoneOf(client), new Date(now().getTime() + DAY));
  let foreign: ForeignRows | null = null;
  let kind: ExportKind = "reviews";
  let layoutName: ReviewFormat | "other" = "csv";
  let fieldColumns: Record<MappedField, string | null> | null = null;
  const columns = new Map<string, string[]>();
  let toRow: (raw: RawRow & { fields: string[] }) => ReadRow = () => {
    throw new Error("Got a row before the header.");
  };

  const readForeign = (found: Layout, header: string[]) => {
    const layout = withMapping(found, header, mapping ?? {});
    const reader = new ForeignRows(layout, header, {
      report,
      sellerName: client.display_name,
      questions: client.custom_questions as CustomQuestion[],
      latest,
      defaultStatus: { accepted: pending ? null : true, reject_reason: null },
    });
    foreign = reader;
    layoutName = layout.format;
    fieldColumns = columnsByField(layout, header);
    for (const name of header) if (name !== "") columns.set(name, []);
    toRow = ({ row, fields }) => {
      if (row <= SAMPLES.rows) sample(fields);
      return reader.read(row, fields);
    };
  };
  const sample = (fields: string[]) => {
    for (let at = 0; at < fields.length; at += 2) {
      const seen = columns.get(fields[at]!);
      const value = storableText(fields[at + 1]!).trim();
      if (seen && value !== "" && seen.length < SAMPLES.values) {
        const short = truncateText(value, SAMPLES.length);
        if (!seen.includes(short)) seen.push(short);
      }
    }
  };
  // A person can assign columns, so a file with some of our names may be anyone's; a command's must be ours.
  const ownKindOf = (header: string[]) =>
    completeKindOf(header) ?? (mapping === undefined && isPartOfOwn(header) ? "reviews" : null);
  const onHeader = (header: string[]) => {
    const layout = format === "csv" ? null : layoutOf(header, format);
    const ownKind = format === undefined || format === "csv" ? ownKindOf(header) : null;
    if (layout) readForeign(layout, header);
    else if (ownKind) {
      kind = ownKind;
      const known = new Set(exportFields[kind]);
      const present = new Set(header.filter((name) => known.has(name)));
      toRow = ({ row, fields }) => ownCsvRow(ownKind, row, ownFields(fields, known), present, latest);
    } else if (mapping && header.filter((name) => name !== "").length > 1) readForeign(guessLayout(), header);
    else throw unreadableFile("unknown_review_columns", { names: reviewFormats.slice(1).join(", ") });
  };

  async function* rows(): AsyncGenerator<ReadRow[]> {
    const { type, text } = await openText(input, report, { format, charset });
    if (type === "csv") {
      const isKnownColumn = (key: string) =>
        ownColumns.has(key) || knowsColumn(key) || (mapping !== undefined && /\p{L}/u.test(key));
      const options = { isKnownColumn, report, onHeader, examples: "rating, body, product_id", limits: LIMITS };
      for await (const batch of csvRows(text, options)) {
        yield batch.map((raw) => ("reason" in raw ? raw : toRow(raw)));
      }
    } else {
      layoutName = "jsonl";
      const objects =
        type === "lines"
          ? jsonLines(text, report, LIMITS.row)
          : jsonObjects(text, ["reviews", "data"], report, LIMITS.row);
      let first = true;
      for await (const batch of objects) {
        if (first) {
          const kinds = batch.flatMap((one) => ("value" in one ? (jsonKindOf(one.value) ?? []) : []));
          if (kinds[0] === undefined) throw unreadableFile("json_without_reviews");
          kind = kinds[0];
        }
        first = false;
        yield batch.map((one: JsonRow) => ("reason" in one ? one : ownRow(kind, one.row, one.value, latest)));
      }
    }
  }

  async function* batches(): AsyncGenerator<ReadRow[]> {
    for await (const batch of rows()) {
      for (const one of batch) {
        if ("values" in one && one.values.lang === undefined)
          one.detected = (await languageOfText(one.values)) ?? languageOf(client.locale);
        if ("item" in one && one.item.lang === undefined)
          one.item.lang = (await languageOfText(one.item)) ?? languageOf(client.locale);
      }
      yield batch;
    }
  }

  return {
    batches,
    report,
    get kind() {
      return kind;
    },
    get layout() {
      return layoutName;
    },
    get own() {
      return foreign === null;
    },
    get columns() {
      return [...columns].map(([name, samples]) => ({ name, samples }));
    },
    get fields() {
      return fieldColumns;
    },
    monthFirst: () => foreign?.monthFirst() ?? false,
  };
}

type Texts = { title?: string | null; extract?: string | null; question?: string; details?: string | null };
const languageOfText = ({ title, extract, question, details }: Texts) =>
  detectLanguage(`${title ?? question ?? ""}\n${extract ?? details ?? ""}`);

/** The fields of a CSV row that are our own columns. */
function ownFields(fields: string[], known: ReadonlySet<string>): string[] {
  const own: string[] = [];
  for (let at = 0; at < fields.length; at += 2) if (known.has(fields[at]!)) own.push(fields[at]!, fields[at + 1]!);
  return own;
}

type FileType = "lines" | "json" | "csv";

/** The text of the file from its start, and its format. */
async function openText(
  input: AsyncIterable<Uint8Array>,
  report: FeedReport,
  { format, charset }: Pick<ReadOptions, "format" | "charset">,
): Promise<{ type: FileType; text: AsyncGenerator<string> }> {
  const pieces = readText(input, report, { charset });
  let head = "";
  let ended = false;
  while (!ended && head.trimStart().length < SAMPLE) {
    const next = await pieces.next();
    if (next.done) ended = true;
    else head += next.value;
  }
  async function* text() {
    try {
      yield head;
      head = "";
      yield* pieces;
    } finally {
      await pieces.return(undefined);
    }
  }
  const start = head.trimStart().slice(0, SAMPLE);
  if (start === "") throw unreadableFile("file_empty");
  if (start.startsWith("<")) throw unreadableFile("file_is_markup");
  const type = start.startsWith("[") || isWrapped(start) ? "json" : start.startsWith("{") ? "lines" : "csv";
  if (format === "jsonl" && type === "csv") throw unreadableFile("file_not_json");
  if (format && format !== "jsonl" && type !== "csv") throw unreadableFile("json_not_csv");
  return { type, text: text() };
}

/** True if the reviews are a list inside one object, rather than an object per line. */
const isWrapped = (start: string): boolean => /^\{\s*"(?:reviews|data)"\s*:\s*\[/.test(start);
