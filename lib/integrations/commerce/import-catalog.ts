import { type ImportReport, importProducts } from "@/lib/feeds/import-products";
import type { CommerceClient } from "./client";
import {
  type Parents,
  productRow,
  readCategories,
  readProduct,
  type StoreProduct,
  type StoreSite,
} from "./map-product";
import { listOf, retryOnce } from "./read-pages";
import type { CommerceSettings } from "./schema";
import type { Filter } from "./search";
import { isPermissionDenied, StoreError } from "./store-error";

const PAGE_SIZE = 100;
const PRODUCT_FIELDS =
  "items[id,sku,name,status,visibility,type_id,extension_attributes[website_ids,category_links,configurable_product_links],media_gallery_entries[media_type,types,disabled,file],custom_attributes],total_count";

/**
 * Imports the store's catalog instead of a product feed, with the same rules: products that are gone are marked as
 * deleted, but more than half of the catalog only after a person confirms. A store that fails midway changes nothing.
 */
export async function importCatalog(
  clientId: string,
  store: CommerceClient,
  settings: CommerceSettings,
  { confirmDeletions }: { confirmDeletions?: boolean } = {},
): Promise<ImportReport> {
  const site = await readSite(store, settings);
  const categories = readCategories(await orNull(() => store.resource("categories")));
  const parents = await readParents(store, site, settings);
  const options = await readOptions(store, settings);
  async function* rows(): AsyncGenerator<Uint8Array> {
    let separator = "[";
    for await (const product of products(store, [])) {
      const row = productRow(product, { site, categories, parents, options, settings });
      if (!row) continue;
      yield Buffer.from(separator + JSON.stringify(row));
      separator = ",";
    }
    yield Buffer.from(separator === "[" ? "[]" : "]");
  }
  const source = `${store.list.url.origin} (catalogue)`;
  return importProducts(clientId, rows(), { format: "json", source, confirmDeletions });
}

/** Base URLs of pages and images: of the first selected store, else of the store in the URL. */
async function readSite(store: CommerceClient, settings: CommerceSettings): Promise<StoreSite> {
  const configs = (await store.resource("store/storeConfigs")) as Record<string, unknown>[];
  const code = /\/rest\/([^/]+)\/V1\//.exec(store.list.url.pathname)?.[1];
  const all = Array.isArray(configs) ? configs : [];
  const found =
    all.find(({ id }) => settings.store_ids.includes(Number(id))) ??
    all.find((config) => config.code === code) ??
    all[0];
  if (!found) throw new StoreError("missing", { reason: "shop_without_store" });
  const base = (name: string) => String(found[`secure_${name}`] ?? found[name] ?? "");
  return { websiteId: Number(found.website_id), links: base("base_link_url"), media: base("base_media_url") };
}

/** Products by id, so that paging is stable while they change. */
async function* products(store: CommerceClient, groups: Filter[][]): AsyncGenerator<StoreProduct> {
  for (let last = 0; ; ) {
    const from: Filter[] = [{ field: "entity_id", value: last, condition: "gt" }];
    const search = { groups: [...groups, from], sort: ["entity_id"], size: PAGE_SIZE, fields: PRODUCT_FIELDS };
    const { items } = listOf(await store.resource("products", search));
    const page = items.flatMap((item) => readProduct(item) ?? []).filter(({ id }) => id > last);
    yield* page;
    if (items.length < PAGE_SIZE || page.length === 0) return;
    last = Math.max(...page.map(({ id }) => id));
  }
}

/** Configurable products by the id of their variants. Page and images come from the parent. */
async function readParents(store: CommerceClient, site: StoreSite, settings: CommerceSettings): Promise<Parents> {
  const parents: Parents = new Map();
  for await (const product of products(store, [[{ field: "type_id", value: "configurable" }]])) {
    const isSold = product.status !== 2 && product.websites.includes(site.websiteId);
    if (isSold || product.websites.length === 0) for (const child of product.children) parents.set(child, product);
  }
  return settings.exclude_types.includes("configurable") ? new Map() : parents;
}

/** Option labels by value, for the configured attributes. */
async function readOptions(
  store: CommerceClient,
  settings: CommerceSettings,
): Promise<Map<string, Map<string, string>>> {
  const options = new Map<string, Map<string, string>>();
  for (const code of settings.brand_attributes) {
    const found = await orNull(() => store.resource(`products/attributes/${code}/options`));
    const labels = (Array.isArray(found) ? found : []).flatMap((option): [string, string][] => {
      const { label, value } = (option ?? {}) as { label?: unknown; value?: unknown };
      return value && typeof label === "string" && label.trim() !== "" ? [[String(value), label]] : [];
    });
    options.set(code, new Map(labels));
  }
  return options;
}

/** Null if access is denied or the resource doesn't exist: the catalog is complete without it. */
async function orNull(request: () => Promise<unknown>): Promise<unknown> {
  try {
    return await retryOnce(request);
  } catch (error) {
    if (error instanceof StoreError && (isPermissionDenied(error) || isReportedMissing(error))) return null;
    throw error;
  }
}

/** A 404 of the store itself, not of a proxy in front of it. */
const isReportedMissing = ({ kind, details: { status, storeMessage } }: StoreError): boolean =>
  kind === "missing" && status === 404 && Boolean(storeMessage);
