/**
 * A row as the file has it, before anybody knows what its columns mean. `fields` is flat: key, value, key, value …; keys
 * are in the form of `fieldKey`, a key may come several times. `row` counts items from 1 (a CSV header is not a row).
 * Keys that begin with `.` are properties by the file's own word, whatever their name. `lines` are the rows that stand
 * within it, such as an order's items, where such are looked for.
 */
export type RawRow = { row: number; fields: string[]; lines?: string[][] } | { row: number; reason: RowError };

/** What the elements and members of a file are called that hold rows, and rows within rows. */
export type RowNames = {
  /** XML: elements that are one row each */
  rows: string[];
  /** XML: outermost elements of a file that may also be empty */
  roots: string[];
  /** XML: elements within a row, at any depth, that are one line of it each */
  lines: string[];
  /** JSON: members of a row that hold its lines as a list */
  members: string[];
};

/** Why a row could not be read at all. */
export type RowError = "truncated" | "too_long" | "unreadable" | "not_an_object";

/** Longest value that is kept, in UTF-16 units; what is beyond was never meant to be a product's detail. */
export const MAX_VALUE = 65_536;
/** Longest row in its written form; also what a reader holds in memory at most. */
export const MAX_ROW = 1_048_576;
/** Most values a row may have. */
export const MAX_FIELDS = 500;

/** A column's or element's name as it is looked up: `Image Link`, `g:image_link` and `image-link` are one. */
export function fieldKey(name: string): string {
  const key = name.trim().toLowerCase();
  const local = key.slice(key.lastIndexOf(":") + 1);
  return local.replace(/[\s-]+/g, "_");
}
