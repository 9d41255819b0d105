import { fieldKey, MAX_FIELDS, MAX_ROW, MAX_VALUE, type RawRow, type RowError } from "@/lib/platform/parsing/raw-row";
import type { FeedReport } from "@/lib/platform/parsing/report";
import { unreadableFile } from "@/lib/platform/parsing/unreadable-file";
import { truncateText } from "@/lib/platform/storable-text";

// Only splits the file into rows, which JSON.parse then reads: much faster than a streaming parser in JavaScript, a
// broken row affects only itself, and only one row is in memory.

/** A row of the file: an object, or an error. `row` counts from 1. */
export type JsonRow = { row: number; value: object } | { row: number; reason: RowError };

/** Members whose own members are properties, whatever their names. */
const PROPERTY_HOLDERS = new Set(["properties", "attributes"]);
const MAX_DEPTH = 4;

const QUOTE = 34;
const COMMA = 44;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/**
 * before the document; in the outermost object; between rows; in a row that is an object or list; in another value;
 * after the document
 */
type Place = "start" | "object" | "list" | "row" | "scalar" | "end";

/** Flattened rows of a JSON file, in batches, with nested rows as `lines`; see {@link jsonObjects}. */
export async function* jsonRows(
  text: AsyncIterable<string>,
  lists: string[],
  report: FeedReport,
  lines: string[] = [],
): AsyncGenerator<RawRow[]> {
  for await (const batch of jsonObjects(text, lists, report)) {
    yield batch.map((one) => ("value" in one ? { row: one.row, ...flatRow(one.value, lines) } : one));
  }
}

function flatRow(value: object, names: string[]): { fields: string[]; lines?: string[][] } {
  const inner = Object.entries(value).find(
    ([name, member]) => names.includes(fieldKey(name)) && Array.isArray(member) && member.every(isObject),
  );
  if (!inner) return { fields: flatFields(value) };
  const { [inner[0]]: _, ...rest } = value as Record<string, unknown>;
  return { fields: flatFields(rest), lines: (inner[1] as object[]).map(flatFields) };
}

/**
 * Rows of a JSON file, in batches: an array of objects, or an object with such an array in a member named in `lists`.
 * Throws AppError `invalid_field` if there is none.
 */
export async function* jsonObjects(
  text: AsyncIterable<string>,
  lists: string[],
  report: FeedReport,
  maxRow = MAX_ROW,
): AsyncGenerator<JsonRow[]> {
  let batch: JsonRow[] = [];
  let place: Place = "start";
  let found = false;
  let wrapped = false;
  let depth = 0; // of brackets inside the row, or inside the outermost object
  let inString = false;
  let escaped = false;
  let key = ""; // last string in the outermost object: the name of a list that follows
  let row = 0;
  let parts: string[] = []; // the row's text so far
  let held = 0;

  const append = (piece: string) => {
    held += piece.length;
    if (held <= maxRow) parts.push(piece);
    else parts = [];
  };
  const endRow = (readable: boolean) => {
    if (held > maxRow) batch.push({ row, reason: "too_long" });
    else batch.push(readable ? readRow(parts.join(""), row, report) : { row, reason: "not_an_object" });
    parts = [];
    held = 0;
    place = "list";
  };

  for await (const chunk of text) {
    let from = 0; // where the row's part of this chunk begins
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (inString) {
        if (escaped) escaped = false;
        else if (code === BACKSLASH) escaped = true;
        else if (code === QUOTE) inString = false;
        else if (place === "object" && depth === 0 && key.length < 100) key += chunk[at];
        continue;
      }
      if (place === "row") {
        if (code === QUOTE) inString = true;
        else if (code === OPEN_OBJECT || code === OPEN_LIST) depth += 1;
        else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
          depth -= 1;
          if (depth === 0) {
            append(chunk.slice(from, at + 1));
            endRow(true);
          }
        }
        continue;
      }
      if (place === "scalar") {
        if (code === QUOTE) inString = true;
        if (code !== COMMA && code !== CLOSE_LIST) continue;
        endRow(false); // the comma or bracket belongs to the list
      }
      if (code <= 32 || place === "end") continue;
      if (place === "list") {
        if (code === OPEN_OBJECT || code === OPEN_LIST) {
          place = "row";
          row += 1;
          depth = 1;
          from = at;
        } else if (code === CLOSE_LIST) {
          place = wrapped ? "object" : "end";
          depth = 0;
        } else if (code === CLOSE_OBJECT) report.markIncomplete("json_closes_unopened");
        else if (code !== COMMA) {
          place = "scalar";
          row += 1;
          inString = code === QUOTE;
        }
      } else if (place === "object") {
        if (code === QUOTE) {
          inString = true;
          if (depth === 0) key = "";
        } else if (code === OPEN_LIST && depth === 0 && !found && lists.includes(key)) {
          place = "list";
          found = true;
        } else if (code === OPEN_OBJECT || code === OPEN_LIST) depth += 1;
        else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
          if (depth === 0) place = "end";
          else depth -= 1;
        }
      } else if (code === OPEN_LIST) {
        place = "list";
        found = true;
      } else if (code === OPEN_OBJECT) {
        place = "object";
        wrapped = true;
      }
    }
    if ((place as Place) === "row") append(chunk.slice(from));
    if (batch.length > 0) {
      yield batch;
      batch = [];
    }
  }
  if (!found) throw unreadableFile("json_without_list", { what: lists[0] ?? "", name: lists[0] ?? "" });
  if ((place as Place) !== "end") {
    report.markIncomplete("json_cut_short");
    if ((place as Place) === "row" || (place as Place) === "scalar") batch.push({ row, reason: "truncated" });
  }
  if (batch.length > 0) yield batch;
}

/** Lines of JSON, each an object; a broken line affects only itself. Skips empty lines. */
export async function* jsonLines(
  text: AsyncIterable<string>,
  report: FeedReport,
  maxRow = MAX_ROW,
): AsyncGenerator<JsonRow[]> {
  let row = 0;
  let parts: string[] = []; // the line's text so far
  let held = 0;
  const endLine = (batch: JsonRow[]): void => {
    const line = parts.join("");
    if (held > maxRow) batch.push({ row: ++row, reason: "too_long" });
    else if (line.trim() !== "") batch.push(readRow(line, ++row, report));
    parts = [];
    held = 0;
  };
  for await (const chunk of text) {
    const batch: JsonRow[] = [];
    for (let from = 0; from < chunk.length; ) {
      const end = chunk.indexOf("\n", from);
      const piece = chunk.slice(from, end === -1 ? chunk.length : end);
      held += piece.length;
      if (held <= maxRow) parts.push(piece);
      if (end === -1) break;
      endLine(batch);
      from = end + 1;
    }
    if (batch.length > 0) yield batch;
  }
  const batch: JsonRow[] = [];
  endLine(batch);
  const last = batch[0];
  if (last && "reason" in last && last.reason === "unreadable") {
    report.markIncomplete("line_cut_short");
    batch[0] = { row: last.row, reason: "truncated" };
  }
  if (batch.length > 0) yield batch;
}

function readRow(text: string, row: number, report: FeedReport): JsonRow {
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    // The usual error is a control character, such as a line break, inside a string; replacing them by spaces is
    // harmless.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
    const cleaned = text.replace(/[\0-\x1f]+/g, " ");
    try {
      value = parse(cleaned);
      report.repair("control_characters", row);
    } catch {
      return { row, reason: "unreadable" };
    }
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) return { row, reason: "not_an_object" };
  return { row, value };
}

function flatFields(value: object): string[] {
  const fields: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    const key = fieldKey(name);
    if (PROPERTY_HOLDERS.has(key) && isObject(member)) {
      for (const [inner, innerMember] of Object.entries(member)) flatten(`.${fieldKey(inner)}`, innerMember, 1, fields);
    } else flatten(key, member, 0, fields);
  }
  return fields;
}

/** Integers of more than 15 digits (ids, GTINs) become text, to keep all digits. */
function parse(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value, context?: { source: string }) =>
    typeof value === "number" && context && /^\d{16,}$/.test(context.source) ? context.source : value,
  );
}

const isObject = (value: unknown): value is object =>
  value !== null && typeof value === "object" && !Array.isArray(value);

function flatten(key: string, value: unknown, depth: number, fields: string[]): void {
  if (value === null || value === undefined || fields.length >= MAX_FIELDS * 2) return;
  if (Array.isArray(value) && depth < MAX_DEPTH) for (const each of value) flatten(key, each, depth + 1, fields);
  else if (isObject(value) && depth < MAX_DEPTH)
    for (const [name, member] of Object.entries(value)) {
      flatten(`${key.startsWith(".") ? "" : "."}${key}.${fieldKey(name)}`, member, depth + 1, fields);
    }
  else {
    const text = typeof value === "object" ? JSON.stringify(value) : String(value);
    if (text !== "") fields.push(key, truncateText(text, MAX_VALUE));
  }
}
