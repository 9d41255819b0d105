import { fieldKey, MAX_FIELDS, MAX_ROW, MAX_VALUE, type RawRow } from "@/lib/platform/parsing/raw-row";
import type { FeedReport } from "@/lib/platform/parsing/report";
import { unreadableFile } from "@/lib/platform/parsing/unreadable-file";
import { truncateText } from "@/lib/platform/storable-text";

// For why this isn't csv-parse, see "Code instead of libraries" in lib/README.md.

/** How often an unclosed quote is treated as text; then quotes have no meaning for the rest of the file. */
const QUOTE_RECOVERIES = 8;

const QUOTE = 34;
const LF = 10;
const CR = 13;

/** Maximum UTF-16 units of a cell and of a record in memory; longer cells are cut. */
export type CsvLimits = { value: number; row: number };
const PRODUCT_LIMITS: CsvLimits = { value: MAX_VALUE, row: MAX_ROW };

type State = "cell" | "bare" | "quoted" | "after_quote";
type OnRecord = (cells: string[], flaws: { long: boolean; stray: boolean }) => void;

/**
 * Splits delimited text into records. Cells may be quoted, with doubled quotes inside; lines end in LF, CRLF or CR;
 * empty lines are skipped. Cells are cut at the limit, and a record has at most MAX_FIELDS cells.
 */
export class CsvParser {
  readonly #delimiterCode: number;
  readonly #onRecord: OnRecord;
  readonly #limits: CsvLimits;
  #state: State = "cell";
  #cells: string[] = [];
  #cell = "";
  #long = false;
  #stray = false;
  #afterCr = false;
  /** a delimiter is followed by another cell, even at the end of the line */
  #promised = false;
  #blanks = "";
  /** text since the open quote, to parse again with the quote as text */
  #sinceQuote: string[] = [];
  #sinceQuoteLength = 0;
  /** how often an opening quote was treated as text */
  recoveries = 0;

  constructor(delimiter: string, onRecord: OnRecord, limits = PRODUCT_LIMITS) {
    this.#delimiterCode = delimiter.charCodeAt(0);
    this.#onRecord = onRecord;
    this.#limits = limits;
  }

  write(text: string): void {
    let pending: string | null = text;
    while (pending !== null) pending = this.#read(pending);
  }

  /** Ends the last record. Returns false if the text ended inside a quoted cell. */
  end(): boolean {
    let closed = true;
    while (this.#state === "quoted") {
      closed = false;
      this.write(this.#restoreQuote());
    }
    if (this.#state !== "cell" || this.#cells.length > 0) this.#endRecord();
    return closed;
  }

  /** Parses text. Returns text to parse again because a quote was treated as text, or null. */
  #read(text: string): string | null {
    const length = text.length;
    const delimiter = this.#delimiterCode;
    let at = 0;
    let quoteFrom = 0;
    while (at < length) {
      if (this.#state === "quoted") {
        const quote = text.indexOf('"', at);
        const to = quote === -1 ? length : quote;
        this.#append(text, at, to);
        at = to;
        if (quote !== -1) {
          at += 1;
          this.#state = "after_quote";
        }
        continue;
      }
      const code = text.charCodeAt(at);
      if (this.#state === "after_quote") {
        if (code === QUOTE && this.#blanks === "") {
          this.#add('"');
          this.#state = "quoted";
          at += 1;
        } else if (code === delimiter || code === LF || code === CR) {
          this.#sinceQuote = [];
          this.#sinceQuoteLength = 0;
          this.#blanks = "";
          this.#state = "bare";
        } else if (code === 32) {
          this.#blanks += " ";
          if (this.#blanks.length > 64) this.#unquote();
          at += 1;
        } else this.#unquote();
        continue;
      }
      if (code === LF && this.#afterCr) {
        this.#afterCr = false;
        at += 1;
        continue;
      }
      this.#afterCr = false;
      if (this.#state === "cell" && code === QUOTE && this.recoveries < QUOTE_RECOVERIES) {
        this.#state = "quoted";
        at += 1;
        quoteFrom = at;
        this.#sinceQuote = [];
        this.#sinceQuoteLength = 0;
        continue;
      }
      if (code === delimiter) {
        this.#endCell();
        this.#state = "cell";
        this.#promised = true;
        at += 1;
        continue;
      }
      if (code === LF || code === CR) {
        this.#afterCr = code === CR;
        at += 1;
        if (this.#state === "bare" || this.#promised) this.#endRecord();
        continue;
      }
      const from = at;
      for (at += 1; at < length; at++) {
        const next = text.charCodeAt(at);
        if (next === delimiter || next === LF || next === CR) break;
      }
      this.#append(text, from, at);
      this.#state = "bare";
    }
    if (this.#state === "quoted" || this.#state === "after_quote") {
      const rest = text.slice(quoteFrom);
      this.#sinceQuote.push(rest);
      this.#sinceQuoteLength += rest.length;
      if (this.#sinceQuoteLength > this.#limits.row) return this.#restoreQuote();
    }
    return null;
  }

  /** The quote inside a quoted cell is text, and the cell continues. */
  #unquote(): void {
    this.#add(`"${this.#blanks}`);
    this.#blanks = "";
    this.#stray = true;
    this.#state = "quoted";
  }

  /** The opening quote is never closed, so it's text. Returns what followed it, to parse again. */
  #restoreQuote(): string {
    const quotedText = this.#sinceQuote.join("");
    this.#sinceQuote = [];
    this.#sinceQuoteLength = 0;
    this.recoveries += 1;
    this.#blanks = "";
    this.#cell = '"';
    this.#state = "bare";
    return quotedText;
  }

  #append(text: string, from: number, to: number): void {
    if (from === to) return;
    const room = this.#limits.value - this.#cell.length;
    if (to - from <= room) this.#cell += text.slice(from, to);
    else {
      this.#cell = truncateText(this.#cell + text.slice(from, from + room), this.#limits.value);
      this.#long = true;
    }
  }

  #add(text: string): void {
    this.#append(text, 0, text.length);
  }

  #endCell(): void {
    if (this.#cells.length < MAX_FIELDS) this.#cells.push(this.#cell);
    this.#cell = "";
  }

  #endRecord(): void {
    this.#endCell();
    const cells = this.#cells;
    this.#cells = [];
    this.#state = "cell";
    this.#promised = false;
    const flaws = { long: this.#long, stray: this.#stray };
    this.#long = false;
    this.#stray = false;
    if (cells.length > 1 || cells[0]!.trim() !== "") this.#onRecord(cells, flaws);
  }
}

type CsvOptions = {
  delimiter?: string;
  /** whether a column with this key is known; the delimiter with the most known columns is used */
  isKnownColumn: (key: string) => boolean;
  report: FeedReport;
  /** called once with the header's keys, before any row; may throw to reject the file */
  onHeader?: (keys: string[]) => void;
  /** example columns, for the error of a file that has none */
  examples?: string;
  limits?: CsvLimits;
};

/**
 * Rows of a delimited file with a header, in batches. Detects the delimiter from the header: comma, semicolon, tab or
 * bar. Throws AppError `invalid_field` if no column is known.
 */
export async function* csvRows(text: AsyncIterable<string>, options: CsvOptions): AsyncGenerator<RawRow[]> {
  const { report } = options;
  let batch: RawRow[] = [];
  let keys: string[] | null = null;
  let row = 0;
  let shortRows = 0;
  let lastWasShort = false;
  let lineOpen = false;
  let parser: CsvParser | null = null;
  let head = "";

  const onRecord: OnRecord = (cells, flaws) => {
    if (keys === null) {
      keys = cells.map((name) => fieldKey(name.replace(/[^\p{L}\p{N}_:.\s-]/gu, "")));
      if (!keys.some(options.isKnownColumn)) {
        throw unreadableFile("no_known_column", { names: options.examples ?? "id, title, link" });
      }
      options.onHeader?.(keys);
      return;
    }
    const fields: string[] = [];
    for (let column = 0; column < cells.length && column < keys.length; column++) {
      const value = cells[column]!;
      if (value !== "" && keys[column] !== "") fields.push(keys[column]!, value);
    }
    if (fields.length === 0) return; // only delimiters, as spreadsheets leave at the end
    row += 1;
    lastWasShort = cells.length < keys.length;
    if (lastWasShort) shortRows += 1;
    if (cells.length !== keys.length) report.repair("cells", row);
    if (flaws.long) report.repair("long_value", row);
    if (flaws.stray) report.repair("stray_quotes", row);
    batch.push({ row, fields });
  };

  const start = (delimiter: string) => {
    parser = new CsvParser(delimiter, onRecord, options.limits);
    parser.write(head);
    head = "";
  };

  for await (const chunk of text) {
    const last = chunk.charCodeAt(chunk.length - 1);
    lineOpen = last !== LF && last !== CR;
    if (parser) (parser as CsvParser).write(chunk);
    else {
      head += chunk;
      const line = firstLine(head);
      if (line !== null || head.length > MAX_VALUE) {
        const namedDelimiter = /^sep=(.)\r?\n/i.exec(head)?.[1]; // Excel's notation for the delimiter
        if (namedDelimiter) head = head.slice(head.indexOf("\n") + 1);
        start(options.delimiter ?? namedDelimiter ?? sniffDelimiter(line ?? head, options.isKnownColumn));
      }
    }
    if (batch.length > 0) {
      yield batch;
      batch = [];
    }
  }
  if (!parser) start(options.delimiter ?? sniffDelimiter(head, options.isKnownColumn));
  const closed = parser!.end();
  if (parser!.recoveries > 0) report.repair("stray_quotes", row, parser!.recoveries);
  if (keys === null) throw unreadableFile("file_empty");
  if (!closed) report.markIncomplete("cell_not_closed");
  else if (lineOpen && lastWasShort && shortRows === 1) {
    // All other rows are complete and the last one ends mid-line: the rest of the file is missing.
    report.markIncomplete("row_cut_short");
    const last = batch.pop();
    if (last) batch.push({ row: last.row, reason: "truncated" });
  }
  if (batch.length > 0) yield batch;
}

function firstLine(text: string): string | null {
  const body = text.replace(/^[\s]+/, "");
  const end = body.search(/[\r\n]/);
  return end === -1 ? null : body.slice(0, end);
}

function sniffDelimiter(line: string, isKnownColumn: (key: string) => boolean): string {
  let best = ",";
  let bestScore = -1;
  for (const delimiter of ["\t", ",", ";", "|"]) {
    let score = 0;
    const cutter = new CsvParser(delimiter, (cells) => {
      score = cells.length / 1_000 + cells.filter((name) => isKnownColumn(fieldKey(name))).length;
    });
    cutter.write(line);
    cutter.end();
    if (score > bestScore) {
      best = delimiter;
      bestScore = score;
    }
  }
  return best;
}
