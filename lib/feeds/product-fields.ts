import { toGtin14 } from "@/lib/platform/parsing/gtin";
import {
  collectProperties,
  MAX_PROPERTIES,
  normalizeValue,
  type ValueKind,
} from "@/lib/platform/parsing/normalize-value";
import type { FeedReport } from "@/lib/platform/parsing/report";
import { truncateText } from "@/lib/platform/storable-text";

/**
 * A product as a feed row has it. Null: not in the row. A row with a name is the whole product; without one it only
 * updates an existing product.
 */
export type FeedProduct = {
  id: string;
  name: string | null;
  family_id: string | null;
  brand: string | null;
  category: string | null;
  url: string | null;
  image_url: string | null;
  mpn: string | null;
  gtin14s: string[] | null;
  tags: string[] | null;
  properties: Record<string, string> | null;
};

type Target = Exclude<keyof FeedProduct, "properties">;

/** Feed names of each field; the first one that a row fills counts, the others become properties. */
const ALIASES: Record<Target, string[]> = {
  id: ["sku", "id", "product_id", "offer_id"],
  name: ["name", "title"],
  family_id: ["family_id", "parent_sku", "item_group_id"],
  brand: ["brand", "manufacturer"],
  category: ["category", "product_type", "google_product_category"],
  url: ["url", "link"],
  image_url: ["image_url", "image_link", "image"],
  mpn: ["mpn", "manufacturer_sku"],
  gtin14s: ["gtin14s", "gtins", "gtin14", "gtin", "ean", "ean13", "eans", "upc"],
  tags: ["tags"],
};

const KINDS: Partial<Record<Target, ValueKind>> = { id: "id", family_id: "id", url: "url", image_url: "url" };

type FieldAlias = { target: Target; rank: number };
const FIELD_BY_ALIAS = new Map<string, FieldAlias>(
  Object.entries(ALIASES).flatMap(([target, names]) =>
    names.map((name, rank) => [name, { target: target as Target, rank }] as const),
  ),
);

/** Custom field names of a feed: their name → ours. */
export type FieldMapping = Record<string, string>;

/** Maximum length of ids and family ids, as in the public API. */
const MAX_ID = 255;
const MAX_TEXT = 2_000;
const MAX_SHORT_TEXT = 255;
const MAX_NUMBERS = 50;

/** True if this column is a known product field. */
export const isProductField = (key: string): boolean => FIELD_BY_ALIAS.has(key);

type Slot = { rank: number; key: string; values: string[] };

/**
 * Converts a row's fields (a flat list: key, value, key, value …) to a product. Corrections go to `report`. Returns the
 * reason if there is no usable id: `id_missing` or `id_too_long`.
 */
export function toProduct(
  fields: string[],
  row: number,
  report: FeedReport,
): FeedProduct | "id_missing" | "id_too_long" {
  const slots = new Map<Target, Slot>();
  const properties: [key: string, value: string][] = [];
  for (let at = 0; at < fields.length; at += 2) {
    const key = fields[at]!;
    const alias = FIELD_BY_ALIAS.get(key);
    const value = normalizeValue(fields[at + 1]!, alias ? (KINDS[alias.target] ?? "text") : "property", row, report);
    if (value === "") continue;
    if (!alias) {
      properties.push([key.charCodeAt(0) === 46 ? key.slice(1) : key, value]);
      continue;
    }
    const slot = slots.get(alias.target);
    if (!slot) slots.set(alias.target, { rank: alias.rank, key, values: [value] });
    else if (slot.rank === alias.rank || alias.target === "gtin14s") slot.values.push(value);
    else if (slot.rank < alias.rank) properties.push([key, value]);
    else {
      for (const other of slot.values) properties.push([slot.key, other]);
      slots.set(alias.target, { rank: alias.rank, key, values: [value] });
    }
  }
  const first = (target: Target) => slots.get(target)?.values[0] ?? null;

  const id = first("id");
  if (id === null) return "id_missing";
  if (id.length > MAX_ID) return "id_too_long";
  const url = address(first("url"), null, "url", row, report);
  return {
    id,
    name: shorten(oneLine(first("name"), row, report), MAX_TEXT, "name", row, report),
    family_id: familyId(first("family_id"), row, report),
    brand: shorten(oneLine(first("brand"), row, report), MAX_SHORT_TEXT, "brand", row, report),
    category: shorten(oneLine(first("category"), row, report), MAX_TEXT, "category", row, report),
    url,
    image_url: address(first("image_url"), url, "image_url", row, report),
    mpn: shorten(first("mpn"), MAX_SHORT_TEXT, "mpn", row, report),
    gtin14s: gtins(slots.get("gtin14s")?.values, row, report),
    tags: tags(slots.get("tags")?.values),
    properties: collectProperties(properties, row, report),
  };
}

function oneLine(text: string | null, row: number, report: FeedReport): string | null {
  if (text === null || !/[\t\r\n]/.test(text)) return text;
  report.repair("line_breaks", row);
  return text.replace(/\s+/g, (blanks) => (/[\t\r\n]/.test(blanks) ? " " : blanks));
}

function shorten(text: string | null, length: number, field: string, row: number, report: FeedReport): string | null {
  if (text === null || text.length <= length) return text;
  report.repair("long_value", row);
  report.warn(row, field, "too_long", text);
  return truncateText(text, length);
}

/** Drops a family id that is too long: truncated, it could join unrelated products. */
function familyId(text: string | null, row: number, report: FeedReport): string | null {
  if (text === null || text.length <= MAX_ID) return text;
  report.warn(row, "family_id", "too_long", text);
  return null;
}

/** An http(s) URL as given, or completed from the product page if relative. Drops others. */
function address(
  text: string | null,
  base: string | null,
  field: string,
  row: number,
  report: FeedReport,
): string | null {
  if (text === null) return null;
  if (text.length > MAX_TEXT) {
    report.warn(row, field, "too_long", text);
    return null;
  }
  if (/^https?:\/\/[^\s/?#]\S*$/i.test(text) && URL.canParse(text)) return text;
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return new URL(text).href; // spaces get escaped
  if (/^\/\//.test(text) && URL.canParse(`https:${text}`)) {
    report.repair("relative_url", row);
    return new URL(`https:${text}`).href;
  }
  if (/^www\./i.test(text) && URL.canParse(`https://${text}`)) {
    report.repair("relative_url", row);
    return new URL(`https://${text}`).href;
  }
  // Only values that look like a path: "none" and "n/a" aren't URLs.
  if (base && /^\.{0,2}\/|^[^\s:]+\.[a-z]{2,5}$/i.test(text) && URL.canParse(text, base)) {
    report.repair("relative_url", row);
    return new URL(text, base).href;
  }
  report.warn(row, field, "not_an_address", text);
  return null;
}

function gtins(values: string[] | undefined, row: number, report: FeedReport): string[] | null {
  if (!values) return null;
  const found = new Set<string>();
  for (const code of values.flatMap((value) => value.split(/[,;|/]/))) {
    if (code.trim() === "") continue;
    const gtin = toGtin14(code);
    if (gtin === null) report.warn(row, "gtin", "not_a_gtin", code.trim());
    else if (found.size < MAX_NUMBERS) found.add(gtin);
  }
  return [...found];
}

function tags(values: string[] | undefined): string[] | null {
  if (!values) return null;
  const found = values.flatMap((value) => value.split(",")).map((tag) => truncateText(tag.trim(), MAX_SHORT_TEXT));
  return [...new Set(found)].filter((tag) => tag !== "").slice(0, MAX_PROPERTIES);
}
