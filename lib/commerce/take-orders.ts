import { createHash } from "node:crypto";
import { pool } from "@/lib/db/pool";
import { selectErased } from "@/lib/integrations/erased-orders";
import { type Fate, keepFates, noteTaken, selectKnown } from "@/lib/integrations/order-fates";
import { postApart } from "@/lib/integrations/post-apart";
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

type Candidate = { entityId: string; order: OrderInput; fingerprint: string };

/**
 * Takes orders as the shop told them into the client, as if each had been posted to `/v1/orders`. One that says what it
 * said before is left alone: a date that a customer moved since then stays. What cannot be taken is noted with its
 * reason, the others go in; an order that went with an erased person stays away. Repeating it changes nothing.
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
      if (other && other.entityId !== String(order.entity_id)) refuse(order.entity_id, id, doubled(other.entityId));
      else
        candidates.set(id, {
          entityId: String(order.entity_id),
          order: mapped.order,
          fingerprint: digest(mapped.order),
        });
    }
  }
  const erased = await selectErased(pool(), clientId, "commerce", "order", [...candidates.keys()]);
  count(counts, "erased", erased.size);
  const known = await selectKnown(pool(), clientId, "commerce", [...candidates.keys()]);
  const changed: Candidate[] = [];
  for (const candidate of candidates.values()) {
    const before = known.get(candidate.order.id);
    if (erased.has(candidate.order.id)) continue;
    if (before?.remote_id && before.remote_id !== candidate.entityId)
      refuse(Number(candidate.entityId), candidate.order.id, doubled(before.remote_id));
    else if (before?.fingerprint === candidate.fingerprint) count(counts, "unchanged");
    else changed.push(candidate);
  }
  await noteTaken(
    pool(),
    clientId,
    "commerce",
    changed.map(({ order, entityId }) => ({ subject: order.id, remote_id: entityId })),
  );
  const stored = await postApart(clientId, changed, ({ entityId, order }, reason) =>
    refuse(Number(entityId), order.id, reason),
  );
  for (const { order, entityId, fingerprint } of stored) {
    count(counts, "imported");
    fates.push({
      kind: "order",
      subject: order.id,
      outcome: "imported",
      reason: null,
      remote_id: entityId,
      fingerprint,
    });
  }
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

const digest = (order: OrderInput): string => createHash("sha256").update(JSON.stringify(order)).digest("base64url");
