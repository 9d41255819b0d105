import {
  type Buyer,
  type ImportOutcome,
  importedOrder,
  keepRefused,
  refusedOrder,
  selectKnown,
} from "@/lib/integrations/import-outcomes";
import { storeInBatches } from "@/lib/integrations/store-in-batches";
import { newsOf, type Unsure } from "@/lib/integrations/told";
import { placedBy, readBy, selectErasedOrders } from "@/lib/orders/erased";
import type { OrderInput } from "@/lib/orders/schema";
import { pool } from "@/lib/platform/db/pool";
import { type Kept, keep } from "@/lib/platform/notices";
import { buyerOf, mapOrder, numberOf } from "./map-order";
import { StoreOrder } from "./read-order";
import type { Row } from "./read-pages";
import type { CommerceSettings } from "./schema";
import type { Lookups } from "./surroundings";

export type Taking = {
  clientId: string;
  settings: CommerceSettings;
  timeZone: string;
  lookups: Lookups;
  /** when the run began: an order that does not say when it was placed was so by then, as far as erasures go */
  since: Date;
  counts: Record<string, number>;
};

/** `remoteId`: the shop's own number of it; `placed`: the last moment at which that can have been, by the shop's clock. */
type Candidate = { remoteId: string; order: OrderInput; placed: Date; unsure: Unsure };

/**
 * Takes orders as the shop told them into the client, as if each had been posted to `/v1/orders`. What one said before is
 * not said again: a date that a customer moved since then stays. What cannot be taken is noted with its reason, the others
 * go in. What was placed before somebody was erased stays away, also where that happens while this is at work; what is placed
 * later comes in. Rows are to be taken as soon as they are read. Repeating it changes nothing. Answers the numbers of the
 * orders that were read without something that the shop failed on: nothing is said of that, until they are read again.
 * `atLast`: it will not be known any more.
 */
export async function takeOrders(taking: Taking, rows: Row[], { atLast = false } = {}): Promise<number[]> {
  const { clientId, settings, timeZone, lookups, since, counts } = taking;
  const read = await readBy(pool());
  const orders: StoreOrder[] = [];
  const fates: ImportOutcome[] = [];
  const refuse = (remoteId: string, subject: string, reason: Kept, whose: { buyer: Buyer | null; placed: Date }) => {
    count(counts, "failed");
    fates.push(refusedOrder(clientId, { subject, remoteId, reason, ...whose }));
  };
  for (const row of rows) {
    const order = StoreOrder.safeParse(row);
    const entityId = String(row.entity_id);
    if (!order.success) refuse(entityId, entityId, keep({ reason: "row_unreadable" }), { buyer: null, placed: read });
    else if (isOurs(order.data, settings)) orders.push(order.data);
  }
  const wanted = orders.filter(({ state }) => !(settings.skip_states as (string | undefined)[]).includes(state));
  await lookups.learnLocales();
  await lookups.learnSkus(wanted);
  const { shipments, unknown } = await lookups.shipments(wanted);
  const without = wanted.filter((order) => lookups.readWithout(order, unknown)).map(({ entity_id }) => entity_id);
  const { skus, locales } = lookups;
  const unknownSkus = atLast ? new Set<number>() : lookups.unknownSkus;
  const candidates = new Map<string, Candidate>();
  for (const order of orders) {
    const its = unknown.has(order.entity_id) && !atLast ? "unknown" : shipments;
    const mapped = mapOrder(order, { settings, timeZone, shipments: its, skus, unknownSkus, locales });
    const remoteId = String(order.entity_id);
    const placed = placedBy(endOfSecond(order.created_at) ?? since, read);
    if ("waits" in mapped) count(counts, "waiting");
    else if ("faults" in mapped)
      refuse(remoteId, numberOf(order, settings) ?? remoteId, mapped.faults, { buyer: buyerOf(order), placed });
    else {
      const { order: taken, ...unsure } = mapped;
      const { id } = taken;
      const other = candidates.get(id);
      if (other && other.remoteId !== remoteId)
        refuse(remoteId, id, doubled(other.remoteId), { buyer: taken.customer, placed });
      else candidates.set(id, { remoteId, order: taken, placed, unsure });
    }
  }
  const erased = await selectErasedOrders(pool(), clientId, [...candidates.keys()]);
  count(counts, "erased", erased.size);
  const known = await selectKnown(pool(), clientId, "commerce", [...candidates.keys()]);
  const changed: (Candidate & { fingerprint: string })[] = [];
  for (const candidate of candidates.values()) {
    const { remoteId, order, placed, unsure } = candidate;
    const before = known.get(order.id);
    if (erased.has(order.id)) continue;
    if (before?.remote_id && before.remote_id !== remoteId) {
      refuse(remoteId, order.id, doubled(before.remote_id), { buyer: order.customer, placed });
      continue;
    }
    const news = newsOf(order, before, unsure);
    if (news) changed.push({ ...candidate, ...news });
    else count(counts, "unchanged");
  }
  const posting = {
    clientId,
    type: "commerce",
    read,
    placedBy: ({ placed }: Candidate) => placed,
    fateOf: ({ remoteId, order, fingerprint }: (typeof changed)[number]) =>
      importedOrder(order.id, remoteId, fingerprint),
    refuse: ({ remoteId, order, placed }: Candidate, reason: Kept) =>
      refuse(remoteId, order.id, reason, { buyer: order.customer, placed }),
  } as const;
  const { stored, erased: meanwhile } = await storeInBatches(posting, changed);
  count(counts, "imported", stored.length);
  count(counts, "erased", meanwhile);
  await keepRefused(clientId, "commerce", fates);
  return without;
}

export const count = (counts: Record<string, number>, name: string, by = 1): void => {
  if (by > 0) counts[name] = (counts[name] ?? 0) + by;
};

/** The shop tells times in whole seconds. */
const endOfSecond = (moment: Date | undefined): Date | undefined => moment && new Date(moment.getTime() + 999);

/** Filters of the address hold in the shop; a shop that does not heed them is not believed. */
const isOurs = ({ store_id }: StoreOrder, { store_ids }: CommerceSettings): boolean =>
  store_ids.length === 0 || store_id === undefined || store_ids.includes(store_id);

const doubled = (other: string): Kept => keep({ reason: "order_number_taken", params: { id: other } });
