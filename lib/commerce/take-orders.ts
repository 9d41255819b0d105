import { createHash } from "node:crypto";
import { pool, wasUndone } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import { postOrders } from "@/lib/orders/post-orders";
import type { OrderInput } from "@/lib/orders/schema";
import { selectErased } from "./erased-orders";
import { mapOrder } from "./map-order";
import { StoreOrder } from "./read-order";
import type { Row } from "./read-pages";
import type { CommerceSettings } from "./schema";
import { type Fate, keepFates, noteTaken, selectKnown } from "./sql";
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
  const erased = await selectErased(pool(), clientId, [...candidates.keys()]);
  count(counts, "erased", erased.size);
  const known = await selectKnown(pool(), clientId, [...candidates.keys()]);
  const changed: Candidate[] = [];
  for (const candidate of candidates.values()) {
    const before = known.get(candidate.order.id);
    if (erased.has(candidate.order.id)) continue;
    if (before?.remote_id && before.remote_id !== candidate.entityId)
      refuse(Number(candidate.entityId), candidate.order.id, doubled(before.remote_id));
    else if (before?.fingerprint === candidate.fingerprint) count(counts, "unchanged");
    else changed.push(candidate);
  }
  for (const batch of apart(changed)) {
    await noteTaken(
      pool(),
      clientId,
      batch.map(({ order, entityId }) => ({ subject: order.id, remote_id: entityId })),
    );
    for (const { order, entityId, fingerprint } of await post(clientId, batch, refuse)) {
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
  }
  await keepFates(pool(), clientId, oneEach(fates));
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

/** Batches in which nobody appears twice, since one statement cannot write a customer twice; later orders come later. */
function apart(candidates: Candidate[]): Candidate[][] {
  const batches: Candidate[][] = [];
  const last = new Map<string, number>();
  for (const candidate of candidates) {
    const customer = candidate.order.customer.id;
    const at = (last.get(customer) ?? -1) + 1;
    last.set(customer, at);
    batches[at] ??= [];
    batches[at].push(candidate);
  }
  return batches;
}

/** Stores a batch, or where the database refuses it, each by itself. Answers what was stored. */
async function post(
  clientId: string,
  batch: Candidate[],
  refuse: (entityId: number, subject: string, reason: string) => void,
): Promise<Candidate[]> {
  try {
    await postOrders(
      { id: clientId },
      batch.map(({ order }) => order),
    );
    return batch;
  } catch (error) {
    if (isPassing(error)) throw error;
    if (batch.length === 1) {
      const [{ entityId, order }] = batch as [Candidate];
      if (!(error instanceof AppError)) throw error;
      refuse(Number(entityId), order.id, error.message);
      return [];
    }
    const stored: Candidate[] = [];
    for (const one of batch) stored.push(...(await post(clientId, [one], refuse)));
    return stored;
  }
}

/** The database is away or was too busy: the same again later. */
const isPassing = (error: unknown): boolean =>
  wasUndone(error) || (error instanceof AppError && error.code === "unavailable");

/** One statement cannot write a row twice; the last word counts. */
const oneEach = (fates: Fate[]): Fate[] => [
  ...new Map(fates.map((fate) => [`${fate.kind} ${fate.subject}`, fate])).values(),
];
