import { csvRows } from "@/lib/platform/parsing/csv-rows";
import { jsonRows } from "@/lib/platform/parsing/json-rows";
import type { RawRow, RowNames } from "@/lib/platform/parsing/raw-row";
import type { FeedReport } from "@/lib/platform/parsing/report";
import { unreadableFile } from "@/lib/platform/parsing/unreadable-file";
import { xmlRows } from "@/lib/platform/parsing/xml-rows";

export const feedFormats = ["xml", "rss", "atom", "csv", "tsv", "json"] as const;
export type FeedFormat = (typeof feedFormats)[number];

/** How much text is looked at to tell the format. */
const SAMPLE = 4_096;

type RawOptions = {
  /** what the file is; told from its content unless given */
  format?: FeedFormat;
  /** a hint where the content does not tell: `.tsv` is set apart by tabs */
  filename?: string;
  /** whether a column of this key means something */
  isKnownColumn: (key: string) => boolean;
  /** told a CSV file's columns before any row; may refuse the file by throwing */
  onHeader?: (keys: string[]) => void;
  /** members of a JSON object that may hold the rows; the first is named when none does */
  lists: string[];
  /** what rows are called that are no products */
  names?: RowNames;
  /** columns that such a file has, for the refusal of one that has none of them */
  examples: string;
};

/**
 * Rows of a file of any of the formats, in batches, before anybody knows what they mean. Throws AppError `invalid_field`
 * (field `file`) for a file that is none of them.
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
  // A warning of the shop's software in front of the document.
  return /<\?xml\s|<rss[\s>]|<feed[\s>]|<products[\s>]|<orders[\s>]/.test(sample) ? "xml" : "csv";
}
