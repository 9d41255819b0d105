/** Values of review imports that the browser needs, without the schemas. */

/** Fields of a review that a person can assign columns to, in the order of the form. */
export const mappedFields = [
  "product",
  "score",
  "title",
  "extract",
  "author",
  "email",
  "date",
  "status",
  "reply",
  "replyDate",
  "images",
  "incentivized",
  "productName",
  "productUrl",
  "id",
] as const;
export type MappedField = (typeof mappedFields)[number];

/** Without a column for these nothing can be imported. */
export const requiredFields: readonly MappedField[] = ["product", "score"];

/** Columns by the field they are assigned to; null: none. Fields that are missing are read as the layout says. */
export type ColumnMapping = Partial<Record<MappedField, string | null>>;

export const importStatuses = [
  "uploaded",
  "checking",
  "checked",
  "importing",
  "imported",
  "failed",
  "undoing",
  "undone",
] as const;
export type ImportStatus = (typeof importStatuses)[number];

export const importSteps = ["check", "import", "undo"] as const;
export type ImportStep = (typeof importSteps)[number];

/** The status of an import while a step runs. */
export const runningStatus = { check: "checking", import: "importing", undo: "undoing" } as const;

/** Days in which an import can be undone. */
export const UNDO_DAYS = 30;
/** Rows of a preview. */
export const PREVIEW_ROWS = 10;
/** Skipped rows that a report lists; all are counted. */
export const MAX_LISTED_ROWS = 10_000;
