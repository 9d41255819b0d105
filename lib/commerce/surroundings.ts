import { StoreFault } from "./read-fault";
import { readShipment, SHIPMENT_FIELDS, type Shipment, type StoreOrder } from "./read-order";
import { listOf } from "./read-pages";
import type { Store } from "./store";

const AT_ONCE = 100;
/** Pages of what so many are looked up for. How many there are is the shop's word only, and its list may go on for ever. */
const MOST_PAGES = 100;

/**
 * What is looked up beside the orders: their shipments, the SKUs of what configurables and bundles are, the languages of
 * stores. Nobody has to allow any of it; what cannot be read is noted once, and left out from then on.
 */
export class Lookups {
  readonly skus = new Map<number, string>();
  readonly locales = new Map<number, string>();
  /** sentences for people */
  readonly notes: string[] = [];
  #denied = new Set<string>();
  #knowsStores = false;
  #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Shipments of these orders; null where they cannot be read. */
  async shipments(orders: StoreOrder[]): Promise<Shipment[] | null> {
    const sent = orders.filter(
      ({ state, items }) => state === "complete" || items.some(({ qty_shipped = 0 }) => qty_shipped > 0),
    );
    if (sent.length === 0) return [];
    const field = { field: "order_id", condition: "in" } as const;
    const ids = sent.map(({ entity_id }) => entity_id);
    const rows = await this.#all("shipments", { ...field, fields: SHIPMENT_FIELDS }, ids);
    return rows?.flatMap((row) => readShipment(row) ?? []) ?? null;
  }

  /** Learns the SKUs of what the rows only number. */
  async learnSkus(orders: StoreOrder[]): Promise<void> {
    const numbers = orders
      .flatMap(({ items }) => items)
      .filter(
        ({ product_type, parent_item_id }) => !parent_item_id && /^(configurable|bundle)$/.test(product_type ?? ""),
      )
      .flatMap(({ product_id }) => product_id ?? [])
      .filter((id) => !this.skus.has(id));
    const wanted = [...new Set(numbers)];
    if (wanted.length === 0) return;
    const field = { field: "entity_id", condition: "in" } as const;
    const rows = await this.#all("products", { ...field, fields: "items[id,sku],total_count" }, wanted);
    for (const row of rows ?? []) {
      const { id, sku } = (row ?? {}) as { id?: unknown; sku?: unknown };
      if (Number(id) > 0 && typeof sku === "string" && sku.trim() !== "") this.skus.set(Number(id), sku.trim());
    }
  }

  async learnLocales(): Promise<void> {
    if (this.#knowsStores) return;
    this.#knowsStores = true;
    const configs = await this.#perhaps("store/storeConfigs", () => this.#store.resource("store/storeConfigs"));
    for (const config of Array.isArray(configs) ? configs : []) {
      const { id, locale } = (config ?? {}) as { id?: unknown; locale?: unknown };
      if (Number.isInteger(Number(id)) && typeof locale === "string") this.locales.set(Number(id), locale);
    }
  }

  async #all(
    resource: string,
    { field, condition, fields }: { field: string; condition: "in"; fields: string },
    ids: number[],
  ): Promise<unknown[] | null> {
    const found: unknown[] = [];
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const groups = [[{ field, value: ids.slice(at, at + AT_ONCE).join(","), condition }]];
      for (let page = 1; ; page++) {
        const search = { groups, sort: ["entity_id"], size: AT_ONCE, page, fields };
        const answer = await this.#perhaps(resource, async () => {
          if (page > MOST_PAGES) throw new StoreFault("rejected", `The shop's list of ${resource} does not end.`);
          return listOf(await this.#store.resource(resource, search));
        });
        if (answer === null) return null;
        found.push(...answer.items);
        if (answer.items.length === 0 || page * AT_ONCE >= (answer.total ?? 0)) break;
      }
    }
    return found;
  }

  /** Null where it is not allowed, not there, or the shop fails on it. What passes is thrown, as everywhere. */
  async #perhaps<T>(resource: string, ask: () => Promise<T>): Promise<T | null> {
    if (this.#denied.has(resource)) return null;
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof StoreFault) || error.kind === "busy" || error.kind === "login") throw error;
      this.#denied.add(resource);
      this.notes.push(error.message);
      return null;
    }
  }
}
