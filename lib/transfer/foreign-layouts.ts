import { type ColumnMapping, type MappedField, mappedFields } from "@/lib/transfer/imports/values";
import type { ReviewFormat } from "@/lib/transfer/schema";

// CSV files of other services. Column names are compared in lower case without spaces, hyphens and underscores, so that
// `Review ID`, `reviewId` and `review_id` are equal.

/** `other`: no service that we know, but columns that a person assigned. */
type ForeignFormat = Exclude<ReviewFormat, "jsonl" | "csv"> | "other";

/** Fields of a review that a column may contain. */
type FieldName = Exclude<MappedField, "id"> | "verified";

export type Layout = {
  format: ForeignFormat;
  /** Columns that together identify this service's files. */
  signature: string[];
  /** The service's own id of the review. */
  id?: string | undefined;
  /** Columns of each field: the first one that a row fills counts; of `product` all are tried, in order. */
  columns: Partial<Record<FieldName, string[]>> & { score: string[]; product: string[] };
  /** A column that marks seller reviews with this word. */
  shopReview?: { column: string; word: RegExp };
  /** Rows with a value here (other than 0) are replies to the row with that id. */
  parent?: string;
  /** Order of ambiguous dates if the file itself doesn't show it. */
  monthFirst?: boolean;
};

const layouts: Layout[] = [
  {
    format: "woocommerce",
    signature: ["commentid", "commentcontent", "rating"],
    id: "commentid",
    columns: {
      score: ["rating"],
      title: ["title", "reviewtitle"],
      extract: ["commentcontent"],
      author: ["commentauthor"],
      email: ["commentauthoremail"],
      date: ["commentdate", "commentdategmt"],
      product: ["productsku", "commentpostid"],
      productName: ["producttitle", "productname"],
      status: ["commentapproved"],
      verified: ["verified"],
    },
    parent: "commentparent",
  },
  {
    format: "yotpo",
    signature: ["reviewscore", "reviewcontent"],
    id: "reviewid",
    columns: {
      score: ["reviewscore"],
      title: ["reviewtitle"],
      extract: ["reviewcontent"],
      author: ["reviewerdisplayname", "reviewername"],
      email: ["revieweremail"],
      date: ["reviewcreationdate", "reviewdate"],
      product: ["sku", "productsku", "productid", "producthandle"],
      productName: ["producttitle"],
      productUrl: ["producturl"],
      status: ["reviewstatus"],
      reply: ["commentcontent", "publiccomment"],
      replyDate: ["commentcreationdate", "publiccommentdate"],
      images: ["publishedimageurls"],
      verified: ["reviewertype"],
    },
    shopReview: { column: "reviewtype", word: /^site/i },
    monthFirst: true,
  },
  {
    format: "powerreviews",
    signature: ["pageid", "reviewtext", "rating"],
    id: "reviewid",
    columns: {
      score: ["rating"],
      title: ["reviewtitle"],
      extract: ["reviewtext"],
      author: ["reviewnickname", "nickname", "reviewername", "reviewdisplay"],
      email: ["reviewemail", "revieweremail", "email"],
      date: ["reviewdate"],
      product: ["pageid"],
      status: ["reviewstatus"],
      verified: ["verifiedbuyer"],
    },
    monthFirst: true,
  },
  {
    format: "feefo",
    signature: ["productrating", "productcomment"],
    columns: {
      score: ["productrating"],
      extract: ["productcomment"],
      author: ["name"],
      email: ["email"],
      date: ["feedbackdate", "saledate"],
      product: ["productsku", "productid", "productcode"],
      productName: ["productname", "producttitle"],
    },
  },
  {
    format: "loox",
    signature: ["rating", "review", "nickname", "handle"],
    id: "id",
    columns: {
      score: ["rating"],
      extract: ["review"],
      author: ["nickname", "fullname"],
      email: ["email"],
      date: ["date"],
      product: ["sku", "productid", "handle"],
      status: ["status"],
      reply: ["reply"],
      replyDate: ["repliedat"],
      images: ["img"],
      incentivized: ["incentivized"],
      verified: ["verifiedpurchase"],
    },
  },
  {
    format: "okendo",
    signature: ["body", "rating", "datecreated"],
    id: "reviewid",
    columns: {
      score: ["rating"],
      title: ["title"],
      extract: ["body"],
      author: ["name", "reviewername"],
      email: ["email"],
      date: ["datecreated"],
      product: ["sku", "productid", "handle"],
      productName: ["productname"],
      status: ["status", "isapproved"],
      reply: ["reply"],
      replyDate: ["replydate"],
      images: ["imageurls"],
      verified: ["isverifiedbuyer"],
    },
  },
  {
    format: "shopify",
    signature: ["producthandle", "body", "rating", "author"],
    columns: {
      score: ["rating"],
      title: ["title"],
      extract: ["body"],
      author: ["author"],
      email: ["email"],
      date: ["createdat"],
      product: ["sku", "productid", "producthandle"],
      status: ["state"],
      reply: ["reply"],
      replyDate: ["repliedat"],
    },
  },
  {
    format: "judgeme",
    signature: ["body", "rating", "reviewername"],
    id: "id",
    columns: {
      score: ["rating"],
      title: ["title"],
      extract: ["body"],
      author: ["reviewername"],
      email: ["revieweremail"],
      date: ["reviewdate"],
      product: ["sku", "productid", "producthandle"],
      productUrl: ["producturl"],
      status: ["curated"],
      reply: ["reply"],
      replyDate: ["replydate"],
      images: ["pictureurls"],
    },
  },
];
// The same table with a few additional columns.
const judgeme = layouts.find(({ format }) => format === "judgeme")!;
layouts.splice(layouts.indexOf(judgeme), 0, {
  ...judgeme,
  format: "opinew",
  signature: [...judgeme.signature, "state"],
  columns: {
    ...judgeme.columns,
    product: ["sku", "productid", "producthandle", "barcode"],
    status: ["state", "curated"],
  },
});

/** A column name in the spelling of layouts. */
export const columnKey = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, "");

/** The layout of a file with these columns, or the one the operator names, if it has scores; null if none fits. */
export function layoutOf(header: string[], format?: ReviewFormat): Layout | null {
  const names = new Set(header.map(columnKey));
  const named = layouts.find((layout) => layout.format === format);
  if (format) return named?.columns.score.some((name) => names.has(name)) ? named : null;
  return layouts.find(({ signature }) => signature.every((name) => names.has(name))) ?? null;
}

/**
 * More names that exports and spreadsheets use, for files of no known service. Without `id`: it often counts rows, or
 * names a product or customer, and then reviews would replace each other. A person can still assign it.
 */
const commonNames: Partial<Record<MappedField, string[]>> = {
  id: ["reviewid", "commentid", "externalid"],
  product: ["productid", "sku", "producthandle", "handle", "productsku", "product", "asin", "gtin", "ean"],
  score: ["rating", "stars", "score", "reviewrating", "reviewscore", "starrating", "points"],
  title: ["title", "headline", "subject", "reviewtitle"],
  extract: ["body", "review", "text", "content", "comment", "reviewbody", "reviewtext", "message"],
  author: ["author", "name", "reviewername", "nickname", "customername", "customer"],
  email: ["email", "revieweremail", "customeremail", "authoremail"],
  date: ["date", "createdat", "reviewdate", "created", "datecreated", "submittedat", "timestamp"],
};

/** A layout for a file of no known service: what its columns contain is guessed from their names. */
export function guessLayout(): Layout {
  const columns: Record<string, string[]> = {};
  for (const field of mappedFields) {
    const names = layouts.flatMap((layout) => (field === "id" ? (layout.id ?? []) : (layout.columns[field] ?? [])));
    columns[field] = [...new Set([...(commonNames[field] ?? []), ...names])];
  }
  const { id: _, ...rest } = columns;
  return { format: "other", signature: [], columns: rest as Layout["columns"] };
}

/** A layout with the columns that a person assigned: null for a field that no column contains. */
export function withMapping(layout: Layout, header: string[], mapping: ColumnMapping): Layout {
  const id = layout.format === "other" ? firstColumn(header, commonNames.id ?? []) : undefined;
  const mapped: Layout = { ...layout, columns: { ...layout.columns } };
  if (id !== undefined) mapped.id = columnKey(id);
  for (const [field, column] of Object.entries(mapping) as [MappedField, string | null][]) {
    if (field !== "id") mapped.columns[field] = column === null ? [] : [columnKey(column)];
    else mapped.id = column === null ? undefined : columnKey(column);
  }
  return mapped;
}

/** The column of the file that each field is read from. */
export function columnsByField(layout: Layout, header: string[]): Record<MappedField, string | null> {
  const columnOf = (field: MappedField): string | null =>
    firstColumn(
      header,
      field === "id" ? (layout.id === undefined ? [] : [layout.id]) : (layout.columns[field] ?? []),
    ) ?? null;
  return Object.fromEntries(mappedFields.map((field) => [field, columnOf(field)])) as Record<
    MappedField,
    string | null
  >;
}

/** The column of the header that comes first in these names. */
function firstColumn(header: string[], names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = header.find((column) => columnKey(column) === name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** True if a layout has a column of this name. */
export const knowsColumn = (name: string): boolean => known.has(columnKey(name));
const known = new Set(layouts.flatMap(({ signature, columns }) => [...signature, ...Object.values(columns).flat()]));
