import { pool } from "@/lib/db/pool";
import { selectErased } from "@/lib/integrations/erased-orders";
import { type Fate, importedOrder, keepFates, selectKnown } from "@/lib/integrations/order-fates";
import { postApart } from "@/lib/integrations/post-apart";
import { newsOf } from "@/lib/integrations/told";
import type { OrderInput } from "@/lib/orders/schema";
import { mapOrder } from "./map-order";
import { StoreOrder } from "./read-order";
import type { Row } from "./read-pages";
import type { CommerceSettings } from "./schema";
import type { Lookups } from "./surroundings";

export type Taking = {
  clientId: string;
  settings: CommerceSettings;
  timeZone: string;
  lookups: Lookups;
  counts: Record<string, number>;
};

/** `remoteId`: the shop's own number of it. */
type Candidate = { remoteId: string; order: OrderInput };

/**
 * Takes orders as the shop told them into the client, as if each had been posted to `/v1/orders`. What one said before is
 * not said again: a date that a customer moved since then stays. What cannot be taken is noted with its reason, the others
 * go in. An order that went with an erased person stays away, also where that one is erased while this is at work.
 * Repeating it changes nothing.
 */
export async function takeOrders(taking: Taking, rows: Row[]): Promise<void> {
  const { clientId, settings, timeZone, lookups, counts } = taking;
  const orders: StoreOrder[] = [];
  const fates: Fate[] = [];
  const refuse = (entityId: number, subject: string, reason: string) => {
    count(counts, "failed");
    fates.push({
      kind: "order_refused",
      subject,
      outcome: "failed",
      reason,
      remote_id: String(entityId),
      fingerprint: null,
    });
  };
  for (const row of rows) {
    const read = StoreOrder.safeParse(row);
    if (!read.success) refuse(row.entity_id, String(row.entity_id), "it cannot be read");
    else if (isOurs(read.data, settings)) orders.push(read.data);
  }
  const wanted = orders.filter(({ state }) => !(settings.skip_states as (string | undefined)[]).includes(state));
  await lookups.learnLocales();
  await lookups.learnSkus(wanted);
  const shipments = await lookups.shipments(wanted);
  const candidates = new Map<string, Candidate>();
  for (const order of orders) {
    const mapped = mapOrder(order, { settings, timeZone, shipments, skus: lookups.skus, locales: lookups.locales });
    if ("waits" in mapped) count(counts, "waiting");
    else if ("faults" in mapped) refuse(order.entity_id, order.increment_id ?? String(order.entity_id), mapped.faults);
    else {
      const { id } = mapped.order;
      const other = candidates.get(id);
      if (other && other.remoteId !== String(order.entity_id)) refuse(order.entity_id, id, doubled(other.remoteId));
      else candidates.set(id, { remoteId: String(order.entity_id), order: mapped.order });
    }
  }
  const erased = await selectErased(pool(), clientId, "commerce", "order", [...candidates.keys()]);
  count(counts, "erased", erased.size);
  const known = await selectKnown(pool(), clientId, "commerce", [...candidates.keys()]);
  const changed: (Candidate & { fingerprint: string })[] = [];
  for (const { remoteId, order } of candidates.values()) {
    const before = known.get(order.id);
    if (erased.has(order.id)) continue;
    if (before?.remote_id && before.remote_id !== remoteId) {
      refuse(Number(remoteId), order.id, doubled(before.remote_id));
      continue;
    }
    const news = newsOf(order, before?.fingerprint ?? null);
    if (news) changed.push({ remoteId, ...news });
    else count(counts, "unchanged");
  }
  const posting = {
    clientId,
    type: "commerce",
    fateOf: ({ remoteId, order, fingerprint }: (typeof changed)[number]) =>
      importedOrder(order.id, remoteId, fingerprint),
    refuse: ({ remoteId, order }: Candidate, reason: string) => refuse(Number(remoteId), order.id, reason),
  } as const;
  const { stored, erased: meanwhile } = await postApart(posting, changed);
  count(counts, "imported", stored.length);
  count(counts, "erased", meanwhile);
  await keepFates(pool(), clientId, "commerce", fates);
}

export const count = (counts: Record<string, number>, name: string, by = 1): void => {
  if (by > 0) counts[name] = (counts[name] ?? 0) + by;
};

/** Filters of the address hold in the shop; a shop that does not heed them is not believed. */
const isOurs = ({ store_id }: StoreOrder, { store_ids }: CommerceSettings): boolean =>
  store_ids.length === 0 || store_id === undefined || store_ids.includes(store_id);

const doubled = (other: string): string =>
  `another order of the shop (entity ${other}) has the same number: choose entity_id as the order number, or one store for each client`;
