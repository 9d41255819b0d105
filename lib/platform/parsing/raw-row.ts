/**
 * A row of the file, before its columns are interpreted. `fields` is flat: key, value, key, value …; keys are
 * normalized by `fieldKey` and may repeat. `row` counts items from 1, without a CSV header. Keys that start with `.`
 * are properties by the file's structure, whatever their name. `lines` are nested rows, such as an order's items, if
 * requested.
 */
export type RawRow = { row: number; fields: string[]; lines?: string[][] } | { row: number; reason: RowError };

/** Names of the elements and members that contain rows and nested rows. */
export type RowNames = {
  /** XML: elements that are rows */
  rows: string[];
  /** XML: root elements of a file, which may be empty */
  roots: string[];
  /** XML: elements within a row, at any depth, that are its lines */
  lines: string[];
  /** JSON: members of a row that contain its lines as a list */
  members: string[];
};

/** Why a row could not be read. */
export type RowError = "truncated" | "too_long" | "unreadable" | "not_an_object";

/** Maximum UTF-16 units of a value; more is never a real product detail. */
export const MAX_VALUE = 65_536;
/** Maximum length of a row in the file, and of the text that a reader holds in memory. */
export const MAX_ROW = 1_048_576;
/** Maximum values of a row. */
export const MAX_FIELDS = 500;

/** Normalizes a column's or element's name: `Image Link`, `g:image_link` and `image-link` are the same. */
export function fieldKey(name: string): string {
  const key = name.trim().toLowerCase();
  const local = key.slice(key.lastIndexOf(":") + 1);
  return local.replace(/[\s-]+/g, "_");
}
