import { z } from "zod";
import type { CommerceSettings } from "./schema";

/** A product of the store, with the fields that a feed needs. */
export type StoreProduct = {
  id: number;
  sku: string;
  name: string | null;
  /** 1 enabled, 2 disabled */
  status: number;
  /** 1: without its own page */
  visibility: number;
  type: string;
  websites: number[];
  categories: string[];
  /** ids of a configurable's variants */
  children: number[];
  image: string | null;
  attributes: Map<string, string>;
};

export type StoreSite = { websiteId: number; links: string; media: string };
export type Parents = Map<number, StoreProduct>;
export type ProductContext = {
  site: StoreSite;
  /** category names by id, from top to bottom */
  categories: Map<string, string[]>;
  parents: Parents;
  /** option labels by attribute and value */
  options: Map<string, Map<string, string>>;
  settings: CommerceSettings;
};

const list = z.array(z.unknown()).catch([]);
const RawProduct = z.object({
  id: z.coerce.number().int().positive(),
  sku: z.coerce.string().trim().min(1),
  name: z.string().catch(""),
  status: z.coerce.number().catch(1),
  visibility: z.coerce.number().catch(4),
  type_id: z.string().catch("simple"),
  extension_attributes: z
    .object({ website_ids: list, category_links: list, configurable_product_links: list })
    .catch({ website_ids: [], category_links: [], configurable_product_links: [] }),
  media_gallery_entries: list,
  custom_attributes: list,
});

/** Null if the entry isn't a valid product. */
export function readProduct(given: unknown): StoreProduct | null {
  const { data } = RawProduct.safeParse(given);
  if (!data) return null;
  const { website_ids, category_links, configurable_product_links } = data.extension_attributes;
  const attributes = new Map<string, string>();
  for (const one of data.custom_attributes) {
    const { attribute_code, value } = (one ?? {}) as { attribute_code?: unknown; value?: unknown };
    const read = Array.isArray(value) ? value.join(",") : value;
    if (typeof attribute_code === "string" && (typeof read === "string" || typeof read === "number"))
      attributes.set(attribute_code, String(read).trim());
  }
  return {
    id: data.id,
    sku: data.sku,
    name: data.name.trim() || null,
    status: data.status,
    visibility: data.visibility,
    type: data.type_id,
    websites: website_ids.map(Number),
    categories: category_links.map((link) => String((link as { category_id?: unknown } | null)?.category_id)),
    children: configurable_product_links.map(Number),
    image: imageOf(data.media_gallery_entries) ?? imagePath(attributes.get("image")),
    attributes,
  };
}

/** The main image. */
function imageOf(entries: unknown[]): string | null {
  const pictures = entries
    .map((entry) => (entry ?? {}) as { media_type?: unknown; types?: unknown; disabled?: unknown; file?: unknown })
    .filter(({ media_type, disabled }) => media_type === "image" && disabled !== true && disabled !== 1);
  const first = pictures.find(({ types }) => Array.isArray(types) && types.includes("image")) ?? pictures[0];
  return imagePath(first?.file);
}

const imagePath = (file: unknown): string | null =>
  typeof file === "string" && file !== "" && file !== "no_selection" ? file : null;

/** Category names from top to bottom, without the root and the default category below it. */
export function readCategories(tree: unknown): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const walk = (node: unknown, above: string[], depth: number) => {
    const { id, name, children_data } = (node ?? {}) as { id?: unknown; name?: unknown; children_data?: unknown };
    const names = depth < 2 ? [] : [...above, String(name ?? "")];
    if (names.length > 0) found.set(String(id), names);
    if (depth < 20)
      for (const child of Array.isArray(children_data) ? children_data : []) walk(child, names, depth + 1);
  };
  walk(tree, [], 0);
  return found;
}

/** A product feed row; null for products that this store doesn't sell. */
export function productRow(product: StoreProduct, context: ProductContext): Record<string, string> | null {
  const { site, parents, settings } = context;
  if (product.status === 2 || settings.exclude_types.includes(product.type)) return null;
  if (product.websites.length > 0 && !product.websites.includes(site.websiteId)) return null;
  const parent = parents.get(product.id);
  const shown = product.visibility === 1 && parent ? parent : product;
  const image = product.image ?? parent?.image;
  const row: Record<string, string | null | undefined> = {
    id: product.sku,
    name: product.name ?? product.sku,
    family_id: parent?.sku ?? product.sku,
    url: pageOf(shown, context),
    image_url: image && `${site.media}catalog/product${image.startsWith("/") ? "" : "/"}${image}`,
    category: categoryOf(product, context) ?? (parent && categoryOf(parent, context)),
    brand:
      firstAttribute(product, settings.brand_attributes, context) ??
      (parent && firstAttribute(parent, settings.brand_attributes, context)),
    gtin: firstAttribute(product, settings.gtin_attributes, context),
    mpn: firstAttribute(product, settings.mpn_attributes, context),
  };
  return Object.fromEntries(Object.entries(row).filter((field): field is [string, string] => Boolean(field[1])));
}

function pageOf({ visibility, attributes }: StoreProduct, { site, settings }: ProductContext): string | null {
  const key = attributes.get("url_key");
  return key && visibility !== 1 ? `${site.links}${key}${settings.url_suffix}` : null;
}

/** Path of the deepest category. */
function categoryOf(product: StoreProduct, { categories }: ProductContext): string | null {
  const paths = product.categories.flatMap((id) => [categories.get(id) ?? []]);
  const deepest = paths.reduce((one, other) => (other.length > one.length ? other : one), []);
  return deepest.length > 0 ? deepest.join(" > ") : null;
}

/** Value of the first attribute that has one, as its label for select attributes. */
function firstAttribute(
  { attributes }: StoreProduct,
  codes: string[],
  { options }: ProductContext,
): string | undefined {
  for (const code of codes) {
    const value = attributes.get(code);
    if (!value) continue;
    const labels = options.get(code);
    if (!labels?.size) return value;
    const label = labels.get(value);
    if (label) return label;
  }
  return undefined;
}
