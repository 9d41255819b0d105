import { decodeHTMLStrict } from "entities/decode";
import type { FeedReport } from "@/lib/platform/parsing/report";
import { truncateText } from "@/lib/platform/storable-text";

/** Limits of a product's or item's properties: their number, and UTF-16 units of a value and a name. */
export const MAX_PROPERTIES = 50;
const MAX_PROPERTY = 2_000;
const MAX_PROPERTY_NAME = 255;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const SUSPECT = /[&\ufffd\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff]|^\s|\s$/;
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/i;

/** The kind of a value, which determines how it may be corrected. */
export type ValueKind = "id" | "url" | "text" | "property";

/** Removes control characters and surrounding spaces, decodes remaining entities; counts each in the report. */
export function normalizeValue(given: string, kind: ValueKind, row: number, report: FeedReport): string {
  let text = given;
  if (!text.isWellFormed()) {
    text = text.toWellFormed();
    report.repair("invalid_characters", row);
  }
  if (!SUSPECT.test(text)) return text;
  if (text.includes("\ufffd")) report.repair("invalid_characters", row, 0); // counted when the bytes were decoded
  if (text.includes("&")) {
    const decoded = decode(text, kind);
    if (decoded !== text) report.repair("entities", row);
    text = decoded;
  }
  const plain = text.replace(CONTROL, "");
  if (plain !== text) report.repair("control_characters", row);
  text = plain.trim();
  // A line break before a closing tag is only formatting; leading spaces are an error of the feed.
  if (text.length !== plain.length && text !== "" && kind !== "property" && /^[^\S\r\n]|[^\S\r\n]$/.test(plain)) {
    report.repair("blanks", row);
  }
  return text;
}

/**
 * Decodes repeatedly escaped text until it's stable. Leaves ids unchanged, decodes only `&amp;` in URLs, and keeps
 * HTML.
 */
function decode(text: string, kind: ValueKind): string {
  if (kind === "id") return text;
  if (kind === "url" || /^https?:\/\//.test(text)) return text.replaceAll("&amp;", "&");
  if (kind === "property" && text.includes("<")) return text;
  let decoded = text;
  for (let time = 0; time < 3 && ENTITY.test(decoded); time++) decoded = decodeHTMLStrict(decoded);
  return decoded.toWellFormed();
}

/** Collects remaining fields as properties. Joins values of the same name with commas, as feeds do in text form. */
export function collectProperties(
  found: [key: string, value: string][],
  row: number,
  report: FeedReport,
): Record<string, string> | null {
  if (found.length === 0) return null;
  const properties = new Map<string, string>();
  let longValues = 0;
  let left = 0;
  for (const [key, value] of found) {
    const name = truncateText(key.replace(CONTROL, ""), MAX_PROPERTY_NAME).toWellFormed();
    if (name === "") continue;
    const known = properties.get(name);
    if (known === undefined && properties.size >= MAX_PROPERTIES) left += 1;
    else if (known !== undefined && known.length > MAX_PROPERTY) longValues += 1;
    else properties.set(name, known === undefined ? value : `${known}, ${value}`);
  }
  for (const [name, value] of properties) {
    if (value.length <= MAX_PROPERTY) continue;
    properties.set(name, truncateText(value, MAX_PROPERTY));
    longValues += 1;
  }
  if (longValues > 0) report.repair("long_value", row);
  if (left > 0) report.repair("many_properties", row, left);
  return Object.fromEntries(properties);
}
