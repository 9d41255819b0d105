import { addCount } from "@/lib/integrations/add-count";
import {
  type Buyer,
  type ImportOutcome,
  importedOutcome,
  refusedOutcome,
  saveRefusedOrders,
  selectPreviousImports,
} from "@/lib/integrations/import-outcomes";
import { findOrderChanges, type UncertainDates } from "@/lib/integrations/order-changes";
import { storeInBatches } from "@/lib/integrations/store-in-batches";
import { getDatabaseTime, latestPlacedAt, selectErasedOrders } from "@/lib/orders/erased-hashes";
import type { OrderInput } from "@/lib/orders/schema";
import { pool } from "@/lib/platform/db/pool";
import { type EncodedNotices, encodeNotices } from "@/lib/platform/notices";
import type { Lookups } from "./lookups";
import { buyerOf, mapOrder, orderNumberOf } from "./map-order";
import { StoreOrder } from "./read-order";
import type { Row } from "./read-pages";
import type { CommerceSettings } from "./schema";

export type OrderImportContext = {
  clientId: string;
  settings: CommerceSettings;
  timeZone: string;
  lookups: Lookups;
  /** start of the run: erasures assume that orders without a creation date were placed by then */
  since: Date;
  counts: Record<string, number>;
};

/**
 * `remoteId`: the store's id of the order; `placed`: the latest time at which it can have been placed, by the store's
 * clock.
 */
type Candidate = { remoteId: string; order: OrderInput; placed: Date; uncertainDates: UncertainDates };

/**
 * Imports orders as if they were posted to `/v1/orders`, each with only what changed since its last import, so that
 * dates moved by customers stay. Records rejected orders with a reason. Skips orders placed before their customer's
 * erasure, even if that happens during the import, so rows must be imported right after reading. Idempotent. Returns
 * the ids of orders for which lookups failed for now: the affected fields are left unset unless `atLast`.
 */
export async function importStoreOrders(
  context: OrderImportContext,
  rows: Row[],
  { atLast = false } = {},
): Promise<number[]> {
  const { clientId, settings, timeZone, lookups, since, counts } = context;
  const read = await getDatabaseTime(pool());
  const orders: StoreOrder[] = [];
  const outcomes: ImportOutcome[] = [];
  const refuse = (
    remoteId: string,
    subject: string,
    reason: EncodedNotices,
    whose: { buyer: Buyer | null; placed: Date },
  ) => {
    addCount(counts, "failed");
    outcomes.push(refusedOutcome(clientId, { subject, remoteId, reason, ...whose }));
  };
  for (const row of rows) {
    const order = StoreOrder.safeParse(row);
    const entityId = String(row.entity_id);
    if (!order.success)
      refuse(entityId, entityId, encodeNotices({ reason: "row_unreadable" }), { buyer: null, placed: read });
    else if (isFromSelectedStore(order.data, settings)) orders.push(order.data);
  }
  const importableOrders = orders.filter(
    ({ state }) => !(settings.skip_states as (string | undefined)[]).includes(state),
  );
  await lookups.loadLocales();
  await lookups.loadSkus(importableOrders);
  const { shipments, unknown } = await lookups.shipments(importableOrders);
  const without = importableOrders
    .filter((order) => lookups.isIncomplete(order, unknown))
    .map(({ entity_id }) => entity_id);
  const { skus, locales } = lookups;
  const unreadShipments = atLast ? null : "unknown";
  const unknownSkus = atLast ? new Set<number>() : lookups.unknownSkus;
  const candidates = new Map<string, Candidate>();
  for (const order of orders) {
    const orderShipments = unknown.has(order.entity_id) ? unreadShipments : shipments;
    const mapped = mapOrder(order, { settings, timeZone, shipments: orderShipments, skus, unknownSkus, locales });
    const remoteId = String(order.entity_id);
    const placed = latestPlacedAt(endOfSecond(order.created_at) ?? since, read);
    if ("skippedState" in mapped) addCount(counts, "waiting");
    else if ("notices" in mapped)
      refuse(remoteId, orderNumberOf(order, settings) ?? remoteId, mapped.notices, { buyer: buyerOf(order), placed });
    else {
      const { order: mappedInput, ...uncertainDates } = mapped;
      const { id } = mappedInput;
      const other = candidates.get(id);
      if (other && other.remoteId !== remoteId)
        refuse(remoteId, id, duplicateOrder(other.remoteId), { buyer: mappedInput.customer, placed });
      else candidates.set(id, { remoteId, order: mappedInput, placed, uncertainDates });
    }
  }
  const erased = await selectErasedOrders(pool(), clientId, [...candidates.keys()]);
  addCount(counts, "erased", erased.size);
  const known = await selectPreviousImports(pool(), clientId, "commerce", [...candidates.keys()]);
  const changed: (Candidate & { fingerprint: string })[] = [];
  for (const candidate of candidates.values()) {
    const { remoteId, order, placed, uncertainDates } = candidate;
    const before = known.get(order.id);
    if (erased.has(order.id)) continue;
    if (before?.remote_id && before.remote_id !== remoteId) {
      refuse(remoteId, order.id, duplicateOrder(before.remote_id), { buyer: order.customer, placed });
      continue;
    }
    const changes = findOrderChanges(order, before, uncertainDates);
    if (changes) changed.push({ ...candidate, ...changes });
    else addCount(counts, "unchanged");
  }
  const batchImport = {
    clientId,
    type: "commerce",
    read,
    placedBy: ({ placed }: Candidate) => placed,
    outcomeOf: ({ remoteId, order, fingerprint }: (typeof changed)[number]) =>
      importedOutcome(order.id, remoteId, fingerprint),
    refuse: ({ remoteId, order, placed }: Candidate, reason: EncodedNotices) =>
      refuse(remoteId, order.id, reason, { buyer: order.customer, placed }),
  } as const;
  const { stored, erased: erasedMeanwhile } = await storeInBatches(batchImport, changed);
  addCount(counts, "imported", stored.length);
  addCount(counts, "erased", erasedMeanwhile);
  await saveRefusedOrders(clientId, "commerce", outcomes);
  return without;
}

/** The store's times are in whole seconds. */
const endOfSecond = (moment: Date | undefined): Date | undefined => moment && new Date(moment.getTime() + 999);

/** Checked again, since some stores ignore filters. */
const isFromSelectedStore = ({ store_id }: StoreOrder, { store_ids }: CommerceSettings): boolean =>
  store_ids.length === 0 || store_id === undefined || store_ids.includes(store_id);

const duplicateOrder = (other: string): EncodedNotices =>
  encodeNotices({ reason: "order_number_taken", params: { id: other } });
