import { now } from "@/lib/platform/clock";
import { type EncodedNotices, encodeError } from "@/lib/platform/notices";
import type { CommerceClient } from "./client";
import { readShipment, SHIPMENT_FIELDS, type Shipment, type StoreOrder } from "./read-order";
import { listOf, retryOnce } from "./read-pages";
import { isPermissionDenied, StoreError } from "./store-error";

const BATCH_SIZE = 100;
/** Maximum pages per lookup. The total count is the store's claim, and its list may be endless. */
const MAX_PAGES = 100;
/** With more individual failures than this, the whole resource counts as failing. */
const MAX_FAILURES = 10;
const DAY = 86_400_000;

/** Resources without permission: since when, and the store's error. Each is retried after a day. */
export type DeniedResources = Record<string, { at: number; said: EncodedNotices }>;

type LookupResult = { rows: unknown[]; failed: number[] };
type LookupQuery = { field: string; fields: string };

/**
 * Lookups beside orders: shipments, SKUs of configurables and bundles, and store languages. All are optional: a denied
 * resource is skipped for a day. Other errors may pass, so requests are retried once, and the affected orders are
 * reported.
 */
export class Lookups {
  readonly skus = new Map<number, string>();
  /** products whose lookup failed for now */
  readonly unknownSkus = new Set<number>();
  readonly locales = new Map<number, string>();
  /** whether the lookup of languages failed for now */
  unknownLocales = false;
  /** failures in this part of the run */
  readonly failures = new Set<EncodedNotices>();
  #failing = new Set<string>();
  #hasLocales = false;
  #store: CommerceClient;
  #denied: DeniedResources;

  constructor(store: CommerceClient, denied: DeniedResources) {
    this.#store = store;
    this.#denied = denied;
  }

  /** Shipments of these orders; null if access is denied. `unknown`: orders whose shipments failed for now. */
  async shipments(orders: StoreOrder[]): Promise<{ shipments: Shipment[] | null; unknown: ReadonlySet<number> }> {
    const sent = orders.filter(
      ({ state, items }) => state === "complete" || items.some(({ qty_shipped = 0 }) => qty_shipped > 0),
    );
    const ids = sent.map(({ entity_id }) => entity_id);
    const found = await this.#find("shipments", { field: "order_id", fields: SHIPMENT_FIELDS }, ids);
    return {
      shipments: found === null ? null : found.rows.flatMap((row) => readShipment(row) ?? []),
      unknown: new Set(found?.failed),
    };
  }

  /** Looks up the SKUs of products that the rows identify only by id. */
  async loadSkus(orders: StoreOrder[]): Promise<void> {
    const missingIds = [...new Set(orders.flatMap(productIdsWithoutSku))].filter((id) => !this.skus.has(id));
    const query = { field: "entity_id", fields: "items[id,sku],total_count" };
    const found = await this.#find("products", query, missingIds);
    for (const id of missingIds) this.unknownSkus.delete(id);
    for (const id of found?.failed ?? []) this.unknownSkus.add(id);
    for (const row of found?.rows ?? []) {
      const { id, sku } = (row ?? {}) as { id?: unknown; sku?: unknown };
      if (Number(id) > 0 && typeof sku === "string" && sku.trim() !== "") this.skus.set(Number(id), sku.trim());
    }
  }

  async loadLocales(): Promise<void> {
    if (this.#hasLocales) return;
    const found = await this.tryRead("store/storeConfigs", async () => {
      const configs = await this.#store.resource("store/storeConfigs");
      if (Array.isArray(configs)) return configs;
      throw new StoreError("broken", { reason: "shop_stores_not_a_list" });
    });
    this.unknownLocales = found === "failed";
    if (found === "failed") return;
    this.#hasLocales = true;
    for (const config of found ?? []) {
      const { id, locale } = (config ?? {}) as { id?: unknown; locale?: unknown };
      if (Number.isInteger(Number(id)) && typeof locale === "string") this.locales.set(Number(id), locale);
    }
  }

  /** Whether the store failed on a lookup for this order. */
  isIncomplete(order: StoreOrder, unknownShipments: ReadonlySet<number>): boolean {
    return (
      this.unknownLocales ||
      unknownShipments.has(order.entity_id) ||
      productIdsWithoutSku(order).some((id) => this.unknownSkus.has(id))
    );
  }

  /** The response; null if access is denied, `failed` if the store fails on it for now. Throws transient errors. */
  async tryRead<T>(resource: string, ask: () => Promise<T>): Promise<T | null | "failed"> {
    if (this.#isDenied(resource)) return null;
    if (this.#failing.has(resource)) return "failed";
    try {
      return await retryOnce(ask);
    } catch (error) {
      if (this.#recordError(resource, error) === null) return null;
      this.#failing.add(resource);
      return "failed";
    }
  }

  async #find(resource: string, query: LookupQuery, ids: number[]): Promise<LookupResult | null> {
    const found: LookupResult = { rows: [], failed: [] };
    for (let at = 0; at < ids.length; at += BATCH_SIZE) {
      const chunk = ids.slice(at, at + BATCH_SIZE);
      if (this.#isDenied(resource)) return null;
      if (this.#failing.has(resource)) found.failed.push(...chunk);
      else {
        const part = await this.#search(resource, query, chunk, true);
        if (part === null) return null;
        found.rows.push(...part.rows);
        found.failed.push(...part.failed);
        if (found.failed.length > MAX_FAILURES) this.#failing.add(resource);
      }
    }
    return found;
  }

  /** Searches for all ids. If the store fails on some, finds the others by bisection. */
  async #search(resource: string, query: LookupQuery, ids: number[], isFirst: boolean): Promise<LookupResult | null> {
    if (this.#failing.has(resource)) return { rows: [], failed: ids };
    try {
      return { rows: await retryOnce(() => this.#list(resource, query, ids)), failed: [] };
    } catch (error) {
      const storeError = this.#recordError(resource, error);
      if (storeError === null) return null;
      if (storeError.kind !== "broken" || (isFirst && !(await this.#isAvailable(resource, query)))) {
        this.#failing.add(resource);
        return { rows: [], failed: ids };
      }
      if (ids.length === 1) return { rows: [], failed: ids };
      const middle = Math.ceil(ids.length / 2);
      const found: LookupResult = { rows: [], failed: [] };
      for (const half of [ids.slice(0, middle), ids.slice(middle)]) {
        const part = await this.#search(resource, query, half, false);
        if (part === null) return null;
        found.rows.push(...part.rows);
        found.failed.push(...part.failed);
      }
      return found;
    }
  }

  /** Whether a search without results succeeds. */
  async #isAvailable(resource: string, query: LookupQuery): Promise<boolean> {
    try {
      await this.#list(resource, query, [0]);
      return true;
    } catch (error) {
      this.#recordError(resource, error);
      return false;
    }
  }

  async #list(resource: string, { field, fields }: LookupQuery, ids: number[]): Promise<unknown[]> {
    const found: unknown[] = [];
    const groups = [[{ field, value: ids.join(","), condition: "in" as const }]];
    for (let page = 1; page <= MAX_PAGES; page++) {
      const search = { groups, sort: ["entity_id"], size: BATCH_SIZE, page, fields };
      const { items, total } = listOf(await this.#store.resource(resource, search));
      found.push(...items);
      if (items.length === 0 || page * BATCH_SIZE >= (total ?? 0)) return found;
    }
    throw new StoreError("rejected", { reason: "shop_list_endless", params: { resource } });
  }

  #isDenied(resource: string): boolean {
    const { at } = this.#denied[resource] ?? {};
    if (at !== undefined && now().getTime() - at >= DAY) delete this.#denied[resource];
    return resource in this.#denied;
  }

  /** Records an error. Returns null for a denied permission, which is remembered. Throws transient errors. */
  #recordError(resource: string, error: unknown): StoreError | null {
    if (!(error instanceof StoreError) || error.kind === "busy" || error.kind === "login") throw error;
    if (isPermissionDenied(error)) {
      this.#denied[resource] = { at: now().getTime(), said: encodeError(error) };
      return null;
    }
    this.failures.add(encodeError(error));
    return error;
  }
}

/** Products of an order whose SKUs its rows don't contain. */
const productIdsWithoutSku = ({ items }: StoreOrder): number[] =>
  items
    .filter(({ product_type, parent_item_id }) => !parent_item_id && /^(configurable|bundle)$/.test(product_type ?? ""))
    .flatMap(({ product_id }) => product_id ?? []);
