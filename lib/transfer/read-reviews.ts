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
import { detectLanguage, languageOf } from "@/lib/reviews/reviews/detect-language";
import { knowsColumn, layoutOf } from "@/lib/transfer/foreign-layouts";
import { ForeignRows } from "@/lib/transfer/foreign-rows";
import { isOwnHeader, ownCsvRow, ownRow } from "@/lib/transfer/own-rows";
import type { ReadRow } from "@/lib/transfer/review-row";
import { type ReviewFormat, reviewFields, reviewFormats } from "@/lib/transfer/schema";

export type ReadOptions = {
  /** File format; detected from the content by default. */
  format?: ReviewFormat;
  /** Import reviews without a status in the file as pending. */
  pending?: boolean;
  /** Encoding the server named for the file. */
  charset?: string;
};

/** A file being read: its rows, to be iterated once in batches, and properties known during or after reading. */
export type ReviewFile = {
  batches(): AsyncGenerator<ReadRow[]>;
  readonly report: FeedReport;
  /** Whether the file is our own; known with the first batch. */
  readonly own: boolean;
  /** Whether ambiguous dates are month-first; known after the last batch. */
  readonly monthFirst: boolean;
};

/** Characters of text examined to detect the format. */
const SAMPLE = 65_536;
/** Generous, since a review's text may have 60,000 characters, plus lists of such texts. */
const LIMITS = { value: 2_097_152, row: 8_388_608 };
const DAY = 86_400_000;

/**
 * Reads a file of reviews as a stream: our own export (JSON lines or CSV; also one JSON array) or another service's
 * CSV, detected by its columns; gzipped, zipped or plain, in any encoding. Holds one row and one piece of the input in
 * memory.
 *
 * Corrections are recorded in `report`; unusable rows are returned with a reason. Throws `invalid_field` (field `file`)
 * for any other file, always before the first row.
 */
export function readReviews(
  input: AsyncIterable<Uint8Array>,
  client: ClientRow,
  { format, charset, pending = false }: ReadOptions = {},
): ReviewFile {
  const report = new FeedReport();
  const latest = dayIn(timeZoneOf(client), new Date(now().getTime() + DAY));
  const known = new Set<string>(reviewFields);
  let foreign: ForeignRows | null = null;
  let monthFirst = false;
  let toRow: (raw: RawRow & { fields: string[] }) => ReadRow = () => {
    throw new Error("Got a row before the header.");
  };

  const onHeader = (header: string[]) => {
    const layout = format === "csv" ? null : layoutOf(header, format);
    if (layout) {
      const reader = new ForeignRows(layout, header, {
        report,
        sellerName: client.display_name,
        questions: client.custom_questions as CustomQuestion[],
        latest,
        defaultStatus: { accepted: pending ? null : true, reject_reason: null },
      });
      foreign = reader;
      toRow = ({ row, fields }) => reader.read(row, fields);
    } else if ((format === undefined || format === "csv") && isOwnHeader(header)) {
      const columns = new Set(header.filter((name) => known.has(name)));
      toRow = ({ row, fields }) => ownCsvRow(row, ownFields(fields, known), columns, latest);
    } else {
      throw unreadableFile("unknown_review_columns", { names: reviewFormats.slice(1).join(", ") });
    }
  };

  async function* rows(): AsyncGenerator<ReadRow[]> {
    const { kind, text } = await openText(input, report, { format, charset });
    if (kind === "csv") {
      const isKnownColumn = (key: string) => known.has(key) || knowsColumn(key);
      const options = { isKnownColumn, report, onHeader, examples: "rating, body, product_id", limits: LIMITS };
      for await (const batch of csvRows(text, options)) {
        yield batch.map((raw) => ("reason" in raw ? raw : toRow(raw)));
      }
    } else {
      const objects =
        kind === "lines"
          ? jsonLines(text, report, LIMITS.row)
          : jsonObjects(text, ["reviews", "data"], report, LIMITS.row);
      let first = true;
      for await (const batch of objects) {
        if (first && !batch.some((one) => "value" in one && ("id" in one.value || "external_id" in one.value))) {
          throw unreadableFile("json_without_reviews");
        }
        first = false;
        yield batch.map((one: JsonRow) => ("reason" in one ? one : ownRow(one.row, one.value, latest)));
      }
    }
  }

  async function* batches(): AsyncGenerator<ReadRow[]> {
    for await (const batch of rows()) {
      for (const one of batch) {
        if (!("values" in one)) continue;
        if (one.values.lang === undefined)
          one.detected = (await languageOfText(one.values)) ?? languageOf(client.locale);
      }
      yield batch;
    }
    monthFirst = foreign?.monthFirst() ?? false;
  }

  return {
    batches,
    report,
    get own() {
      return foreign === null;
    },
    get monthFirst() {
      return monthFirst;
    },
  };
}

const languageOfText = ({ title, extract }: { title?: string | null; extract?: string | null }) =>
  detectLanguage(`${title ?? ""}\n${extract ?? ""}`);

/** The fields of a CSV row that are our own columns. */
function ownFields(fields: string[], known: Set<string>): string[] {
  const own: string[] = [];
  for (let at = 0; at < fields.length; at += 2) if (known.has(fields[at]!)) own.push(fields[at]!, fields[at + 1]!);
  return own;
}

type Kind = "lines" | "json" | "csv";

/** The text of the file from its start, and its format. */
async function openText(
  input: AsyncIterable<Uint8Array>,
  report: FeedReport,
  { format, charset }: Pick<ReadOptions, "format" | "charset">,
): Promise<{ kind: Kind; text: AsyncGenerator<string> }> {
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
  const kind = start.startsWith("[") || isWrapped(start) ? "json" : start.startsWith("{") ? "lines" : "csv";
  if (format === "jsonl" && kind === "csv") throw unreadableFile("file_not_json");
  if (format && format !== "jsonl" && kind !== "csv") throw unreadableFile("json_not_csv");
  return { kind, text: text() };
}

/** True if the reviews are a list inside one object, rather than an object per line. */
const isWrapped = (start: string): boolean => /^\{\s*"(?:reviews|data)"\s*:\s*\[/.test(start);
