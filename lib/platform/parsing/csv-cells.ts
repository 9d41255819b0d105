import type { TransferredReview } from "@/lib/transfer/schema";

// A review as a row of CSV. Spreadsheets run what begins like a formula, and reviews are written by strangers; so such a
// text gets an apostrophe in front, which reading takes away again. One that has the apostrophe already gets another, so
// that every text comes back as it was.

type Field = keyof TransferredReview;
type Kind = "text" | "number" | "boolean" | "json";

const kinds = {
  score: "number",
  votes_up: "number",
  votes_down: "number",
  recommended: "boolean",
  verified_buyer: "boolean",
  verified_email: "boolean",
  accepted: "boolean",
  pros: "json",
  cons: "json",
  custom_questions: "json",
  responses: "json",
  images: "json",
} as const satisfies Partial<Record<Field, Kind>>;

const kindOf = (field: string): Kind => (kinds as Partial<Record<string, Kind>>)[field] ?? "text";

/** Also the wide forms, which some spreadsheets take for the plain ones. */
const FORMULA = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;

/** A row of CSV. Null and the empty text are both an empty cell; lists and objects are JSON. */
export const csvRow = (values: readonly unknown[]): string => `${values.map(cell).join(",")}\n`;

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? escapeFormula(value) : JSON.stringify(value);
  return /[",;\t\r\n']|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * The object that a row of our own CSV stands for, from its flat fields and the columns of the file. Empty cells are
 * null; of columns that cannot be null they are left out. Answers the fault of a cell that cannot be read.
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
    return undefined; // the caller says which cell it was
  }
}
