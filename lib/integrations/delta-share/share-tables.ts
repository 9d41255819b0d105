/** Tables of a data share by content, and their columns by our field names. Browser-safe. */

type Field = {
  /** possible column names, in order of preference; case and underscores are ignored */
  guesses: readonly string[];
  /** whether the table is useless without it */
  needed?: boolean;
};

type Part = {
  /** possible table names, likewise */
  guesses: readonly string[];
  fields: Readonly<Record<string, Field>>;
};

const imported: Field = {
  guesses: ["import_date_time", "imported_at", "import_timestamp"],
};
const change: Field = { guesses: ["change_type", "operation"] };
const purchaseTimeNames = [
  "transaction_date_time",
  "transaction_date",
  "purchase_date",
  "receipt_date",
  "created_on",
  "created_date",
];

export const parts = {
  stores: {
    guesses: ["storelatest", "storeslatest", "store", "stores"],
    fields: {
      id: {
        guesses: ["store_id", "id", "external_id", "store_external_id"],
        needed: true,
      },
      external_id: { guesses: ["external_id", "store_external_id"] },
      name: { guesses: ["name", "store_name", "display_name"] },
      type: { guesses: ["type", "store_type"] },
      imported_at: imported,
    },
  },
  articles: {
    guesses: ["articlelatest", "articleslatest", "article", "articles", "productlatest"],
    fields: {
      sku: { guesses: ["sku", "article_sku", "id"], needed: true },
      family: {
        guesses: ["number", "article_number", "group_number", "product_number"],
      },
      name: { guesses: ["name", "article_name", "title"], needed: true },
      category: { guesses: ["maincategory", "product_category", "category"] },
      brand: { guesses: ["brand"] },
      gtin: { guesses: ["gtin", "ean"] },
      url: { guesses: ["url", "product_url"] },
      image_url: { guesses: ["image_url", "image"] },
      imported_at: imported,
    },
  },
  contacts: {
    guesses: ["contactslatest", "contactlatest", "contacts", "contact"],
    fields: {
      id: { guesses: ["contact_id", "id"], needed: true },
      email: { guesses: ["email", "email_address"] },
      first_name: { guesses: ["first_name"] },
      last_name: { guesses: ["last_name"] },
      member_number: { guesses: ["member_number"] },
      external_id: { guesses: ["external_id"] },
      lang: { guesses: ["language", "preferred_language", "language_code"] },
      accepts_email: {
        guesses: ["accepts_email", "preferences_accepts_email"],
      },
      imported_at: imported,
      change,
    },
  },
  receipts: {
    guesses: ["receiptslatest", "receiptlatest", "receipts", "receipt"],
    fields: {
      id: { guesses: ["receipt_id", "id"], needed: true },
      contact: { guesses: ["contact_id"], needed: true },
      store: { guesses: ["store_id", "store_external_id"] },
      number: { guesses: ["receipt_number", "number"] },
      at: { guesses: purchaseTimeNames },
      imported_at: imported,
      change,
    },
  },
  items: {
    guesses: ["receiptitemslatest", "receiptitemlatest", "receiptitems", "receiptitem"],
    fields: {
      id: { guesses: ["receipt_item_id", "id"], needed: true },
      receipt: { guesses: ["receipt_id"], needed: true },
      contact: { guesses: ["contact_id"] },
      sku: { guesses: ["sku", "article_sku", "article_number"], needed: true },
      type: { guesses: ["type", "item_type", "transaction_type"] },
      quantity: { guesses: ["quantity"] },
      at: { guesses: purchaseTimeNames },
      imported_at: imported,
      change,
    },
  },
} as const satisfies Record<string, Part>;

export type PartName = keyof typeof parts;
/** In reading order: referenced parts come first. */
export const partNames = Object.keys(parts) as PartName[];

export const fieldsOf = (part: PartName): Readonly<Record<string, Field>> => parts[part].fields;

/** Normalizes a name for comparison. */
const normalizeName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

const findName = (names: readonly string[], guesses: readonly string[]): string | null => {
  for (const guess of guesses) {
    const found = names.find((name) => normalizeName(name) === normalizeName(guess));
    if (found !== undefined) return found;
  }
  return null;
};

/** The table of a part: the configured one, ignoring case, else the first with a known name. */
export const matchTable = (part: PartName, set: string | null, tables: readonly string[]): string | null =>
  set === null
    ? findName(tables, parts[part].guesses)
    : (tables.find((name) => name.toLowerCase() === set.toLowerCase()) ?? null);

export type Mapping = {
  /** field → column name in the table */
  columns: Record<string, string>;
  /** required fields without a column */
  missing: string[];
  /** configured columns that don't exist */
  unknown: string[];
};

/** Maps a table's columns to fields: by configuration, else by name. A field set to null is skipped. */
export function mapColumns(part: PartName, set: Record<string, string | null>, names: readonly string[]): Mapping {
  const mapping: Mapping = { columns: {}, missing: [], unknown: [] };
  for (const [field, { guesses, needed }] of Object.entries(fieldsOf(part))) {
    const wanted = set[field];
    const found =
      wanted === undefined
        ? findName(names, guesses)
        : wanted === null
          ? null
          : (names.find((name) => name.toLowerCase() === wanted.toLowerCase()) ?? null);
    if (found !== null) mapping.columns[field] = found;
    else if (needed) mapping.missing.push(field);
    if (typeof wanted === "string" && found === null) mapping.unknown.push(wanted);
  }
  return mapping;
}
