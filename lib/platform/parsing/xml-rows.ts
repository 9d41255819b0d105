import { Parser } from "htmlparser2";
import type { Reason } from "@/lib/platform/issue";
import { fieldKey, MAX_FIELDS, MAX_ROW, MAX_VALUE, type RawRow, type RowNames } from "@/lib/platform/parsing/raw-row";
import type { FeedReport } from "@/lib/platform/parsing/report";
import { unreadableFile } from "@/lib/platform/parsing/unreadable-file";
import { truncateText } from "@/lib/platform/storable-text";

/** Names in product feeds: RSS 2.0, Atom, and plain `<products><product>`. */
const PRODUCTS: RowNames = {
  rows: ["item", "entry", "product"],
  roots: ["rss", "rdf", "channel", "feed", "products", "catalog"],
  lines: [],
  members: [],
};
/** Elements whose child elements are properties, whatever their names. */
const PROPERTY_HOLDERS = new Set(["properties", "attributes"]);
/** Maximum text that the parser may buffer (a comment, a CDATA section, a tag) before reading stops. */
const MAX_HELD = 4 * MAX_ROW;
const MAX_ROW_DEPTH = 100;
/** Maximum lines of a row; callers may accept fewer. */
const MAX_LINES = 5_000;
/** Of the whole document; unclosed rows nest into each other. */
const MAX_DEPTH = 2_000_000;

/** Values with the rank of their name: `g:title` before `title` before `media:title`. */
type Field = { rank: number; values: string[] };

/**
 * Rows of an XML feed, in batches. Namespaces are often undeclared, so a prefix only decides between elements with the
 * same name. Groups such as `<g:shipping>` become one value with colons between its parts, as in the text form of these
 * feeds; a list such as `<gtins><gtin>` becomes its entries. Throws AppError `invalid_field` for a document that isn't
 * a feed.
 */
export async function* xmlRows(
  text: AsyncIterable<string>,
  report: FeedReport,
  names: RowNames = PRODUCTS,
): AsyncGenerator<RawRow[]> {
  const rows = new RowBuilder(report, names);
  let events = 0;
  const parser = makeParser(rows, () => events++);
  let held = 0;
  for await (const chunk of text) {
    const before = events;
    parser.write(chunk);
    held = events === before ? held + chunk.length : 0;
    if (held > MAX_HELD) rows.abort("xml_element_too_long");
    const batch = rows.take();
    if (batch.length > 0) yield batch;
    if (rows.stopped) break;
  }
  rows.endOfText();
  parser.end();
  const batch = rows.take();
  if (batch.length > 0) yield batch;
  rows.refuseOtherDocuments();
}

function makeParser(rows: RowBuilder, seen: () => void): Parser {
  return new Parser(
    {
      onopentag(name, attributes) {
        seen();
        rows.open(name, attributes);
      },
      ontext(piece) {
        seen();
        rows.text(piece);
      },
      onclosetag(name) {
        seen();
        rows.close(name);
      },
    },
    { xmlMode: true },
  );
}

class RowBuilder {
  readonly #report: FeedReport;
  readonly #rowNames: Set<string>;
  readonly #rootNames: Set<string>;
  readonly #lineNames: Set<string>;
  #batch: RawRow[] = [];
  #row = 0;
  /** names of the open elements, outermost first */
  #open: string[] = [];
  #roots: string[] = [];
  readonly #names = new Map<string, string>();
  /** index of the row in #open; -1 outside of rows */
  #rowAt = -1;
  #fields = new Map<string, Field>();
  /** lines of the row, and the row itself while a line is open */
  #lines: string[][] = [];
  #outer: { rowAt: number; fields: Map<string, Field>; fieldCount: number } | null = null;
  #fieldCount = 0;
  #size = 0;
  #text = "";
  #long = false;
  /** all text of the open child element, and whether some of it is outside of nested elements */
  #all = "";
  #own = false;
  /** parts of the open group: [element, value] */
  #parts: [name: string, value: string][] = [];
  #attributes: Record<string, string> = {};
  #ended = false;
  stopped = false;

  constructor(report: FeedReport, { rows, roots, lines }: Omit<RowNames, "members">) {
    this.#report = report;
    this.#rowNames = new Set(rows);
    this.#rootNames = new Set(roots);
    this.#lineNames = new Set(lines);
  }

  /** Cached: a document repeats few names. */
  #keyOf(tag: string): string {
    let key = this.#names.get(tag);
    if (key === undefined) {
      key = fieldKey(tag);
      if (this.#names.size < 1_000) this.#names.set(tag, key);
    }
    return key;
  }

  take(): RawRow[] {
    const batch = this.#batch;
    this.#batch = [];
    return batch;
  }

  open(tag: string, attributes: Record<string, string>): void {
    if (this.stopped) return;
    const name = this.#keyOf(tag);
    if (this.#open.length === 0 && this.#roots.length < 10) this.#roots.push(name);
    if (this.#rowAt >= 0 && this.#open.length === this.#rowAt + 1 && name === this.#open[this.#rowAt]) {
      // a row inside a row of the same kind: the first was never closed
      this.#report.repair("unclosed_element", this.#row);
      if (this.#outer) {
        this.#endLine();
        this.#startLine(attributes);
      } else {
        this.#endRow();
        this.#rowAt = this.#open.length;
        this.#startRow(attributes);
      }
    } else if (this.#rowAt < 0 && this.#rowNames.has(name) && this.#open[0] !== "html") {
      this.#rowAt = this.#open.length;
      this.#startRow(attributes);
    } else if (this.#rowAt >= 0 && !this.#outer && this.#lineNames.has(name)) {
      this.#startLine(attributes);
    }
    this.#open.push(name);
    const depth = this.#rowAt < 0 ? 0 : this.#open.length - this.#rowAt - 1;
    if (depth > MAX_ROW_DEPTH || this.#open.length > MAX_DEPTH) this.abort("xml_nested_too_deeply");
    if (depth < 1) return;
    this.#text = "";
    this.#attributes = attributes;
    if (depth > 1) return;
    this.#parts = [];
    this.#all = "";
    this.#own = false;
  }

  text(piece: string): void {
    if (this.#rowAt < 0 || this.stopped) return;
    const depth = this.#open.length - this.#rowAt - 1;
    if (depth < 1) return;
    const room = MAX_VALUE - this.#all.length;
    if (piece.length > room) this.#long = true;
    const fitting = piece.length > room ? piece.slice(0, room) : piece;
    this.#text += fitting;
    this.#all += fitting;
    if (depth === 1 && !this.#own) this.#own = /\S/.test(piece);
  }

  close(tag: string): void {
    if (this.stopped) return;
    const name = this.#open.pop();
    if (this.#rowAt < 0 || name === undefined) return;
    const depth = this.#open.length - this.#rowAt;
    const text = this.#text;
    this.#text = "";
    if (depth <= 0) {
      if (this.#outer) this.#endLine();
      else if (this.#ended) {
        this.#batch.push({ row: this.#row, reason: "truncated" });
        this.#clearRow();
      } else this.#endRow();
    } else if (depth > 1) {
      if (text.trim() !== "") this.#parts.push([this.#attributes.name ? fieldKey(this.#attributes.name) : name, text]);
    } else if (this.#parts.length > 0) {
      // Text next to elements: this isn't a group but text with unescaped markup.
      if (this.#own) this.#add(name, this.#all, rankOf(tag));
      else this.#addGroup(name, tag);
    } else {
      // Atom has URLs in an attribute: <link rel="alternate" href="…"/>
      const { href, rel } = this.#attributes;
      const value = !this.#own && href && (!rel || rel === "alternate") ? href : this.#all;
      this.#add(name, value, rankOf(tag));
    }
    this.#attributes = {};
  }

  /** The text ended: open elements are truncated. */
  endOfText(): void {
    if (this.#open.length > 0) {
      this.#ended = true;
      this.#report.markIncomplete("xml_cut_short");
    }
  }

  abort(cause: Reason): void {
    this.#report.markIncomplete(cause);
    if (this.#rowAt >= 0) this.#batch.push({ row: this.#row, reason: "too_long" });
    this.#clearRow();
    this.stopped = true;
  }

  refuseOtherDocuments(): void {
    if (this.#row > 0 || this.#roots.some((root) => this.#rootNames.has(root))) return;
    if (this.#roots.includes("html")) throw unreadableFile("file_is_web_page");
    throw unreadableFile("xml_without_elements", { names: [...this.#rowNames].join(" or ") });
  }

  #startRow(attributes: Record<string, string>): void {
    this.#row += 1;
    this.#addAttributes(attributes);
  }

  #addAttributes(attributes: Record<string, string>): void {
    for (const [name, value] of Object.entries(attributes)) {
      if (!name.startsWith("xmlns") && !name.startsWith("xml:")) this.#add(fieldKey(name), value, 3);
    }
  }

  #addGroup(name: string, tag: string): void {
    const parts = this.#parts;
    this.#parts = [];
    if (PROPERTY_HOLDERS.has(name)) for (const [part, value] of parts) this.#add(`.${part}`, value, 1);
    else if (parts.every(([part]) => name === `${part}s` || part === name))
      for (const [part, value] of parts) this.#add(part, value, rankOf(tag));
    else this.#add(name, parts.map(([, value]) => value.trim()).join(":"), rankOf(tag));
  }

  #add(key: string, value: string, rank: number): void {
    if (value === "") return;
    if (this.#long) {
      this.#report.repair("long_value", this.#row);
      this.#long = false;
    }
    this.#size += value.length;
    if (this.#fieldCount >= MAX_FIELDS || this.#size > MAX_ROW) return;
    const known = this.#fields.get(key);
    if (known && known.rank < rank) return;
    this.#fieldCount += 1;
    if (known && known.rank === rank) known.values.push(truncateText(value, MAX_VALUE));
    else this.#fields.set(key, { rank, values: [truncateText(value, MAX_VALUE)] });
  }

  #startLine(attributes: Record<string, string>): void {
    this.#outer = { rowAt: this.#rowAt, fields: this.#fields, fieldCount: this.#fieldCount };
    this.#rowAt = this.#open.length;
    this.#fields = new Map();
    this.#fieldCount = 0;
    this.#addAttributes(attributes);
  }

  /** The row continues; the texts of the line belong only to the line. */
  #endLine(): void {
    if (this.#lines.length <= MAX_LINES) this.#lines.push(flat(this.#fields));
    ({ rowAt: this.#rowAt, fields: this.#fields, fieldCount: this.#fieldCount } = this.#outer!);
    this.#outer = null;
    this.#parts = [];
    this.#all = "";
    this.#own = false;
  }

  #endRow(): void {
    if (this.#outer) this.#endLine(); // never closed
    if (this.#size > MAX_ROW || this.#fieldCount >= MAX_FIELDS) this.#report.repair("long_value", this.#row);
    const fields = flat(this.#fields);
    if (this.#lineNames.size === 0) this.#batch.push({ row: this.#row, fields });
    // For an order, it's unknown which lines are missing.
    else if (this.#size > MAX_ROW) this.#batch.push({ row: this.#row, reason: "too_long" });
    else this.#batch.push({ row: this.#row, fields, lines: this.#lines });
    this.#clearRow();
  }

  #clearRow(): void {
    this.#rowAt = -1;
    this.#fields = new Map();
    this.#lines = [];
    this.#outer = null;
    this.#fieldCount = 0;
    this.#size = 0;
    this.#parts = [];
    this.#long = false;
  }
}

function flat(fields: Map<string, Field>): string[] {
  const list: string[] = [];
  for (const [key, { values }] of fields) for (const value of values) list.push(key, value);
  return list;
}

function rankOf(tag: string): number {
  const colon = tag.indexOf(":");
  if (colon < 0) return 1;
  return tag.slice(0, colon).toLowerCase() === "g" ? 0 : 2;
}
