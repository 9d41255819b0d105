// Reviews as CSV rows. Spreadsheets execute text that starts like a formula, and reviews are written by strangers; such
// a text gets a leading apostrophe, which reading removes. A text that already has the apostrophe gets another, so that
// every text round-trips.

type Kind = "text" | "number" | "boolean" | "json";

const kinds: Record<string, Kind> = {
  score: "number",
  votes_up: "number",
  votes_down: "number",
  recommended: "boolean",
  verified_buyer: "boolean",
  verified_email: "boolean",
  incentivized: "boolean",
  mail_answer: "boolean",
  accepted: "boolean",
  pros: "json",
  cons: "json",
  custom_questions: "json",
  responses: "json",
  answers: "json",
  images: "json",
};

const kindOf = (field: string): Kind => kinds[field] ?? "text";

/** Includes full-width forms, which some spreadsheets treat the same. */
const FORMULA = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;

/** A CSV row. Null and empty text are both an empty cell; lists and objects are JSON. */
export const csvRow = (values: readonly unknown[]): string => `${values.map(cell).join(",")}\n`;

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? escapeFormula(value) : JSON.stringify(value);
  return /[",;\t\r\n']|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Converts a row of our own CSV to an object, from its flat fields and the file's columns. Empty cells are null, or
 * omitted for columns that can't be null. Returns a reason if a cell is invalid.
 */
export function csvRecord(fields: string[], header: Set<string>): Record<string, unknown> | `${string}_invalid` {
  const record: Record<string, unknown> = {};
  for (const field of header) if (field !== "id" && field !== "score") record[field] = null;
  for (let at = 0; at < fields.length; at += 2) {
    const field = fields[at]!;
    const value = decode(kindOf(field), fields[at + 1]!);
    if (value === undefined) return `${field}_invalid`;
    record[field] = value;
  }
  return record;
}

function decode(kind: Kind, text: string): unknown {
  if (kind === "text") return unescapeFormula(text);
  const plain = text.trim();
  if (kind === "number") return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined;
  if (kind === "boolean") return /^(true|false)$/i.test(plain) ? plain.toLowerCase() === "true" : undefined;
  try {
    return JSON.parse(plain);
  } catch {
    return undefined; // the caller reports the cell
  }
}
