import { csvRows } from "@/lib/platform/parsing/csv-rows";
import { jsonRows } from "@/lib/platform/parsing/json-rows";
import type { RawRow, RowNames } from "@/lib/platform/parsing/raw-row";
import type { FeedReport } from "@/lib/platform/parsing/report";
import { unreadableFile } from "@/lib/platform/parsing/unreadable-file";
import { xmlRows } from "@/lib/platform/parsing/xml-rows";

export const feedFormats = ["xml", "rss", "atom", "csv", "tsv", "json"] as const;
export type FeedFormat = (typeof feedFormats)[number];

/** Characters used to detect the format. */
const SAMPLE = 4_096;

type RawOptions = {
  /** the file's format; detected from its content if omitted */
  format?: FeedFormat;
  /** a hint if the content is ambiguous: `.tsv` uses tabs */
  filename?: string;
  /** whether a column with this key is known */
  isKnownColumn: (key: string) => boolean;
  /** called with a CSV file's columns before any row; may throw to reject the file */
  onHeader?: (keys: string[]) => void;
  /** members of a JSON object that may contain the rows; the error names the first if there is none */
  lists: string[];
  /** names of rows other than products */
  names?: RowNames;
  /** example columns, for the error of a file that has none */
  examples: string;
};

/**
 * Uninterpreted rows of a file in any of the formats, in batches. Throws AppError `invalid_field` (field `file`) for
 * other files.
 */
export async function* rawRows(
  text: AsyncGenerator<string>,
  { format, filename, isKnownColumn, onHeader, lists, names, examples }: RawOptions,
  report: FeedReport,
): AsyncGenerator<RawRow[]> {
  let head = "";
  let ended = false;
  while (!ended && head.trimStart().length < SAMPLE) {
    const next = await text.next();
    if (next.done) ended = true;
    else head = head.trim() === "" ? next.value : head + next.value;
  }
  async function* all() {
    try {
      yield head;
      head = "";
      yield* text;
    } finally {
      await text.return(undefined);
    }
  }
  const sample = head.slice(0, SAMPLE * 2);
  if (sample.trim() === "") throw unreadableFile("file_empty");
  const kind = format ?? sniffFormat(sample);
  if (kind === "json") yield* jsonRows(all(), lists, report, names?.members);
  else if (kind === "csv" || kind === "tsv") {
    const tabs = kind === "tsv" || (!format && /\.(?:tsv|tab)(?:\.gz)?$/i.test(filename ?? ""));
    yield* csvRows(all(), { delimiter: tabs ? "\t" : undefined, isKnownColumn, onHeader, examples, report });
  } else {
    const start = sample.search(/<\?xml|<!--|<[a-z_]/i);
    if (start < 0) throw unreadableFile("file_not_xml");
    if (sample.slice(0, start).trim() !== "") {
      report.repair("text_before", 0);
      head = head.slice(start);
    }
    yield* xmlRows(all(), report, names);
  }
}

function sniffFormat(sample: string): "xml" | "json" | "csv" {
  const start = sample.trimStart();
  if (start.startsWith("<")) return "xml";
  if (start.startsWith("[") || start.startsWith("{")) return "json";
  // The store's software may print a warning before the document.
  return /<\?xml\s|<rss[\s>]|<feed[\s>]|<products[\s>]|<orders[\s>]/.test(sample) ? "xml" : "csv";
}
