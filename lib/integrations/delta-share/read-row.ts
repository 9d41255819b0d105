import type { Reason } from "@/lib/platform/issue";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { storableText } from "@/lib/platform/storable-text";
import type { ParquetRow } from "./read-parquet";
import type { ShareSettings } from "./settings";
import type { PartName } from "./share-tables";

/** A row of a part, stored until it's part of an order. */
export type StoredShareRow = {
  id: string;
  receipt_id: string | null;
  contact_id: string | null;
  sku: string | null;
  /** of a contact: customer id and normalized email, by which an erasure finds it */
  customer_id: string | null;
  email_key: string | null;
  /** decides which version is the newest; null: the one read last */
  imported_at: string | null;
  data: Record<string, string | number | boolean>;
};

/** The person of a row, as far as known: the platform's contact and receipt, the customer id, and the email. */
export type RowPerson = { contact?: string; receipt?: string; customer?: string; email?: string };

type ParsedRow =
  | { row: StoredShareRow }
  | { skipped: "without_contact" | "too_old" }
  | { fault: Reason; id: string | null };

/**
 * `skipped`: not needed, and no error. `fault`: why the row can't be imported, without customer data; `owner` lets an
 * erasure find this record.
 */
export type ReadRowResult =
  | Exclude<ParsedRow, { fault: Reason }>
  | { fault: Reason; id: string | null; owner: RowPerson };

const MAX_ID_BYTES = 255;
const MAX_TEXT_LENGTH = 1_000;

/** Parses a table's row, with fields already mapped. */
export function readRow(part: PartName, source: ParquetRow, settings: ShareSettings): ReadRowResult {
  const found = parseRow(part, source, settings);
  return "fault" in found ? { ...found, owner: ownerOf(part, source, settings) } : found;
}

function parseRow(part: PartName, source: ParquetRow, settings: ShareSettings): ParsedRow {
  const id = readText(part === "articles" ? source.sku : source.id);
  if (id === undefined)
    return {
      fault: part === "articles" ? "row_without_sku" : "row_without_id",
      id: null,
    };
  if (isTooLong(id)) return { fault: "id_too_long", id: truncate(id, 100) };
  const imported = readTimestamp(source.imported_at);
  if (source.imported_at != null && source.imported_at !== "" && imported === null)
    return { fault: "import_time_invalid", id };
  const row: StoredShareRow = { ...empty, id, imported_at: imported };
  return readers[part](row, source, settings);
}

const empty = {
  receipt_id: null,
  contact_id: null,
  sku: null,
  customer_id: null,
  email_key: null,
  imported_at: null,
  data: {},
};

type Reader = (row: StoredShareRow, source: ParquetRow, settings: ShareSettings) => ParsedRow;

const readers: Record<PartName, Reader> = {
  stores: (row, source) => ({
    row: {
      ...row,
      data: withoutUndefined({
        external_id: readText(source.external_id),
        name: readText(source.name),
        type: readText(source.type)?.toUpperCase(),
      }),
    },
  }),
  articles: (row, source) => {
    const name = readText(source.name);
    if (!name) return { fault: "row_without_name", id: row.id };
    const { family, category, brand, gtin, url, image_url } = source;
    const rest = { family, category, brand, gtin, url, image_url };
    const texts = Object.entries(rest).map(([key, value]) => [key, readText(value)]);
    return {
      row: {
        ...row,
        sku: row.id,
        data: withoutUndefined({ name, ...Object.fromEntries(texts) }),
      },
    };
  },
  contacts: (row, source, settings) => {
    // A contact without this number is still one person.
    const known = customerOf(source, settings);
    // Stored as the newest version, so that no older one restores the person, and without personal data except the
    // customer id, by which an erasure finds it.
    if (isDeleted(source.change))
      return {
        row: {
          ...row,
          contact_id: row.id,
          customer_id: known === undefined || [...known].length > MAX_ID_BYTES ? null : known,
          data: { gone: true },
        },
      };
    const customer = known ?? row.id;
    if ([...customer].length > MAX_ID_BYTES) return { fault: "number_too_long", id: row.id };
    const email = readEmail(source.email);
    const name = [readText(source.first_name), readText(source.last_name)].filter(Boolean).join(" ");
    const accepts = readBoolean(source.accepts_email);
    const lang = /^[a-z]{2,3}(?![a-z])/i.exec(readText(source.lang) ?? "")?.[0]?.toLowerCase();
    return {
      row: {
        ...row,
        contact_id: row.id,
        customer_id: customer,
        email_key: email === undefined ? null : emailKey(email),
        data: withoutUndefined({
          email,
          name: name === "" ? undefined : truncate(name, MAX_ID_BYTES),
          lang,
          accepts,
        }),
      },
    };
  },
  receipts: (row, source, settings) => {
    const contact = readText(source.contact);
    if (!contact) return { skipped: "without_contact" };
    if (isTooLong(contact)) return { fault: "contact_id_too_long", id: row.id };
    const at = readTimestamp(source.at);
    if (source.at != null && source.at !== "" && at === null) return { fault: "time_invalid", id: row.id };
    if (isTooOld(at, settings)) return { skipped: "too_old" };
    return {
      row: {
        ...row,
        receipt_id: row.id,
        contact_id: contact,
        data: withoutUndefined({
          at: at ?? undefined,
          store: readText(source.store),
          number: readText(source.number),
          gone: isDeleted(source.change) || undefined,
        }),
      },
    };
  },
  items: (row, source, settings) => {
    const [receipt, sku] = [readText(source.receipt), readText(source.sku)];
    if (!receipt) return { fault: "row_without_receipt", id: row.id };
    // An existing but empty column: the buyer is unknown.
    const contact = readText(source.contact);
    if (source.contact !== undefined && !contact) return { skipped: "without_contact" };
    if (isTooLong(receipt)) return { fault: "receipt_id_too_long", id: row.id };
    if (contact && isTooLong(contact)) return { fault: "contact_id_too_long", id: row.id };
    if (!sku) return { fault: "row_without_sku", id: row.id };
    if (isTooLong(sku)) return { fault: "sku_too_long", id: row.id };
    const at = readTimestamp(source.at);
    if (source.at != null && source.at !== "" && at === null) return { fault: "time_invalid", id: row.id };
    if (isTooOld(at, settings)) return { skipped: "too_old" };
    const quantity = source.quantity == null || source.quantity === "" ? 1 : Number(source.quantity);
    if (!Number.isFinite(quantity)) return { fault: "quantity_invalid", id: row.id };
    const type = readText(source.type)?.toUpperCase();
    const isReturn = type ? /RETURN|REFUND/.test(type) : quantity < 0;
    return {
      row: {
        ...row,
        receipt_id: receipt,
        contact_id: contact ?? null,
        sku,
        data: withoutUndefined({
          at: at ?? undefined,
          returned: isReturn || undefined,
          quantity: Math.abs(quantity),
          gone: isDeleted(source.change) || undefined,
        }),
      },
    };
  },
};

/** Customer id of a contact, if it has one. */
const customerOf = (source: ParquetRow, { customer_id }: ShareSettings): string | undefined =>
  readText(customer_id === "contact_id" ? source.id : source[customer_id]);

function ownerOf(part: PartName, source: ParquetRow, settings: ShareSettings): RowPerson {
  if (part === "contacts") {
    const contact = readText(source.id);
    return { contact, customer: customerOf(source, settings) ?? contact, email: readEmail(source.email) };
  }
  if (part !== "receipts" && part !== "items") return {};
  const contact = readText(source.contact);
  const customer = settings.customer_id === "contact_id" ? contact : undefined;
  return { contact, receipt: readText(part === "receipts" ? source.id : source.receipt), customer };
}

/** Longer ids don't fit the indexes: a single row would keep all others from being stored. */
const isTooLong = (id: string): boolean => Buffer.byteLength(id) > MAX_ID_BYTES;

const isDeleted = (change: unknown): boolean => /^delete/i.test(readText(change) ?? "");
const isTooOld = (at: string | null, { since }: ShareSettings): boolean =>
  since !== null && at !== null && at.slice(0, 10) < since;

type Value = string | number | boolean | undefined;
const withoutUndefined = (data: Record<string, Value>): StoredShareRow["data"] =>
  Object.fromEntries(
    Object.entries(data).filter((entry): entry is [string, string | number | boolean] => entry[1] !== undefined),
  );

const truncate = (text: string, maxLength: number): string => [...text].slice(0, maxLength).join("");

/** Storable text; numbers as text; undefined if empty. */
function readText(value: unknown): string | undefined {
  if (typeof value === "bigint" || (typeof value === "number" && Number.isFinite(value))) return String(value);
  if (typeof value !== "string") return undefined;
  return truncate(storableText(value).trim(), MAX_TEXT_LENGTH) || undefined;
}

function readBoolean(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const text = readText(value)?.toLowerCase();
  return text === undefined
    ? undefined
    : /^(1|true|yes|y)$/.test(text)
      ? true
      : /^(0|false|no|n)$/.test(text)
        ? false
        : undefined;
}

/** An email address that our API accepts; undefined for any other. */
function readEmail(value: unknown): string | undefined {
  const email = readText(value);
  return email && /^[^\s@<>",;]+@[^\s@<>",;]+$/.test(email) && Buffer.byteLength(emailKey(email)) <= 320
    ? email
    : undefined;
}

const TIMESTAMP_PATTERN = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,9}))?\s*(Z|[+-]\d\d:?\d\d)?)?$/i;

/** A time in UTC with microseconds, or null if it's invalid. Times without an offset count as UTC. */
export function readTimestamp(value: unknown): string | null {
  if (typeof value === "bigint" || typeof value === "number") return fromNumber(Number(value));
  const [, day, time = "00:00:00", fraction = "", zone = "Z"] = TIMESTAMP_PATTERN.exec(readText(value) ?? "") ?? [];
  if (!day) return null;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const at = new Date(`${day}T${time}${offset}`);
  if (Number.isNaN(at.getTime())) return null;
  return `${at.toISOString().slice(0, 19)}.${fraction.padEnd(6, "0").slice(0, 6)}Z`;
}

/** Seconds, milliseconds or microseconds since 1970, by magnitude. */
function fromNumber(value: number): string | null {
  const milliseconds = value > 1e14 ? value / 1_000 : value > 1e11 ? value : value * 1_000;
  const at = new Date(milliseconds);
  return Number.isNaN(at.getTime()) || value <= 0 ? null : `${at.toISOString().slice(0, 23)}000Z`;
}
