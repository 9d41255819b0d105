import { addCount } from "@/lib/integrations/add-count";
import { now } from "@/lib/platform/clock";
import { AppError } from "@/lib/platform/errors";
import { decodeNotices, type EncodedNotices, encodeError } from "@/lib/platform/notices";
import type { CommerceClient } from "./client";
import { importStoreOrders, type OrderImportContext } from "./import-store-orders";
import { ORDER_FIELDS, readShipment } from "./read-order";
import { listOf, newScan, type OrderListPage, type OrderScan, type Row, readPage, retryOnce } from "./read-pages";
import { closeRequestedOrders, listRequestedOrders } from "./retry-orders";
import { type Filter, readStoreTime, storeTime } from "./search";
import { phases, type State } from "./state";
import { StoreError } from "./store-error";

// One pass over the store's orders, page by page. Each step reads one page, stores its orders and advances the state,
// which the caller saves.

export type ScanContext = OrderImportContext & { store: CommerceClient; state: State };

/** Orders within this time before the newest are read again, since the store may still have been writing them. */
const OVERLAP_MS = 10 * 60_000;
/** When reading by id, orders of this age are read again, since they may still be shipped, canceled or refunded. */
const RESCAN_MS = 60 * 86_400_000;
const RETRY_BROKEN_AFTER_MS = 3_600_000;
const DROP_BROKEN_AFTER_MS = 7 * 86_400_000;
const MAX_BROKEN = 50;
/** Maximum number of reported positions. Counts include the others. */
const MAX_POSITIONS = 20;
/** With more incomplete orders than this, the run stops until they can be completed. */
const MAX_INCOMPLETE = 2_000;
const BATCH_SIZE = 100;

/** Processes one page. Returns false once orders and shipments are done. */
export async function readNextPage(work: ScanContext): Promise<boolean> {
  const { state } = work;
  if (state.phase === "again") await retryFailedOrders(work);
  else if (state.phase === "orders") await readOrders(work);
  else if (state.phase === "shipments") await importNewShipments(work);
  else return false;
  return true;
}

const nextPhase = (state: State): void => {
  state.phase = phases[phases.indexOf(state.phase) + 1] ?? "catalogue";
};

/** Filter by the client's stores, in addition to the URL's filters. */
const storeFilters = ({ settings: { store_ids } }: ScanContext): Filter[][] =>
  store_ids.length === 0
    ? []
    : [[{ field: "store_id", value: store_ids.join(","), condition: store_ids.length === 1 ? "eq" : "in" }]];

/**
 * Whether a request for single orders should be repeated later: the store is busy, requires another sign-in, or the
 * error is ours. Any other error must not keep the run from continuing.
 */
const isTransient = (error: unknown): boolean =>
  !(error instanceof AppError) ||
  (error instanceof StoreError ? error.kind === "busy" || error.kind === "login" : error.code === "unavailable");

/**
 * Imports orders, and records which of them are incomplete because the store failed on a lookup, to read them again.
 */
async function importPage(work: ScanContext, rows: Row[], options?: { atLast: boolean }): Promise<void> {
  const { without, run = "" } = work.state;
  const incomplete = await importStoreOrders(work, rows, options);
  for (const { entity_id } of rows) if (options?.atLast || !incomplete.includes(entity_id)) delete without[entity_id];
  if (options?.atLast) return;
  for (const id of incomplete) without[id] = { since: without[id]?.since ?? now().getTime(), run };
  if (Object.keys(without).length > MAX_INCOMPLETE)
    throw new StoreError(
      "rejected",
      work.lookups.failures.size > 0
        ? [...work.lookups.failures].flatMap(decodeNotices)
        : [{ reason: "orders_incomplete", params: { count: Object.keys(without).length } }],
    );
}

/**
 * Reads orders with requested retries, then incomplete ones, then those that the store fails on. The last are retried
 * every hour for a week.
 */
async function retryFailedOrders(work: ScanContext): Promise<void> {
  const { state } = work;
  const requestedOrders = await listRequestedOrders(work.clientId);
  if (requestedOrders.length > 0) return importRequestedOrders(work, requestedOrders);
  const moment = now().getTime();
  if (await readIncompleteOrders(work, moment)) return;
  const due = state.broken.find(({ tried }) => moment - tried > RETRY_BROKEN_AFTER_MS);
  if (!due) return nextPhase(state);
  try {
    await importPage(work, await fetchOrders(work, [due.id]));
    state.broken = state.broken.filter(({ id }) => id !== due.id);
  } catch (error) {
    if (isTransient(error)) throw error;
    if (moment - due.since > DROP_BROKEN_AFTER_MS) state.broken = state.broken.filter(({ id }) => id !== due.id);
    else due.tried = moment;
  }
}

/**
 * Reads a page of incomplete orders again, each once per run. After a week, they are imported as they are. Returns
 * false if there are none.
 */
async function readIncompleteOrders(work: ScanContext, moment: number): Promise<boolean> {
  const { without, run = "" } = work.state;
  const all = Object.entries(without).filter(([, last]) => last.run !== run);
  const old = all.filter(([, { since }]) => moment - since > DROP_BROKEN_AFTER_MS);
  const atLast = old.length > 0;
  const ids = (atLast ? old : all).slice(0, BATCH_SIZE).map(([id]) => Number(id));
  if (ids.length === 0) return false;
  for (const id of ids) without[id] = { since: without[id]?.since ?? moment, run };
  try {
    const rows = await fetchOrders(work, ids);
    const found = new Set(rows.map(({ entity_id }) => entity_id));
    await importPage(work, rows, { atLast });
    // Orders that the store no longer lists are deleted, or belong to another store.
    for (const id of ids) if (!found.has(id)) delete without[id];
  } catch (error) {
    if (isTransient(error)) throw error;
    if (atLast) for (const id of ids) delete without[id];
  }
  // If none of them is complete now, the others wait for the next run.
  if (ids.every((id) => without[id])) for (const last of Object.values(without)) last.run = run;
  return true;
}

/** Imports one page. Orders that the store fails on stay rejected, so that the run continues. */
async function importRequestedOrders(
  work: ScanContext,
  requestedOrders: { id: string; entityId: number }[],
): Promise<void> {
  let failure: EncodedNotices | null = null;
  try {
    const ids = requestedOrders.map(({ entityId }) => entityId);
    await importPage(work, await fetchOrders(work, ids));
  } catch (error) {
    if (isTransient(error)) throw error;
    failure = encodeError(error as AppError);
  }
  await closeRequestedOrders(
    work.clientId,
    requestedOrders.map(({ id }) => id),
    failure,
  );
}

async function fetchOrders(work: ScanContext, ids: number[]): Promise<Row[]> {
  const groups: Filter[][] = [...storeFilters(work), [{ field: "entity_id", value: ids.join(","), condition: "in" }]];
  const search = { groups, sort: ["entity_id"], size: BATCH_SIZE, fields: ORDER_FIELDS };
  const { items } = listOf(await retryOnce(() => work.store.orders(search)));
  return items.flatMap((item): Row[] => {
    const entity_id = Number((item as { entity_id?: unknown } | null)?.entity_id);
    return ids.includes(entity_id) ? [{ ...(item as object), entity_id }] : [];
  });
}

async function readOrders(work: ScanContext): Promise<void> {
  const { store, state } = work;
  state.pass ??= startPass(work);
  const without = state.broken.map(({ id }) => id);
  const page = await readPage({ store, pass: state.pass, groups: storeFilters(work), without });
  const fresh = page.rows.filter((row) => state.recent[row.entity_id] !== changedAt(row));
  addCount(work.counts, "read", fresh.length);
  await importPage(work, fresh);
  recordFailedOrders(work, page);
  recordNewest(state, page);
  if (page.next) {
    state.pass = page.next;
    state.size = page.next.size;
  } else {
    state.high = state.newest || state.high;
    state.pass = undefined;
    nextPhase(state);
  }
}

/** From shortly before the newest order of the last pass until now. The end stays fixed for the whole pass. */
function startPass({ settings, store, state }: ScanContext): OrderScan {
  const size = state.size ?? Math.min(settings.page_size, store.list.size ?? settings.page_size);
  state.newest = "";
  if (state.key === "entity_id") {
    const from = String(state.rescan ?? (state.high || ""));
    state.rescan = undefined;
    return { ...newScan(from, "", size), key: "entity_id" };
  }
  if (state.shipment === undefined) state.follow_from ??= storeTime(new Date(now().getTime() - OVERLAP_MS));
  const last = readStoreTime(state.high);
  const from = last
    ? storeTime(new Date(last.getTime() - OVERLAP_MS))
    : settings.since
      ? `${settings.since} 00:00:00`
      : "";
  return newScan(from, storeTime(now()), size);
}

const changedAt = (row: Row): string => String(row.updated_at ?? row.created_at ?? "");

function recordFailedOrders(
  { state, counts }: ScanContext,
  { broken, unnamed, unreadable, places }: OrderListPage,
): void {
  const moment = now().getTime();
  addCount(counts, "failed", broken.length + unnamed + unreadable);
  state.places = [...state.places, ...places].slice(0, MAX_POSITIONS);
  state.broken.push(...broken.map((id) => ({ id, since: moment, tried: moment })));
  state.broken = state.broken.slice(-MAX_BROKEN);
}

/** Records the newest order, and those near it for the next pass. */
function recordNewest(state: State, { rows, next }: OrderListPage): void {
  if (next?.key === "entity_id" || state.pass?.key === "entity_id") state.key = "entity_id";
  const byNumber = state.key === "entity_id";
  for (const row of rows) {
    const place = byNumber ? String(row.entity_id) : changedAt(row);
    if (byNumber ? row.entity_id > Number(state.newest) : place > state.newest) state.newest = place;
    state.recent[row.entity_id] = changedAt(row);
    const created = readStoreTime(row.created_at)?.getTime() ?? 0;
    if (byNumber && created > now().getTime() - RESCAN_MS)
      state.rescan = Math.min(state.rescan ?? row.entity_id, row.entity_id);
  }
  const newest = Object.values(state.recent).reduce((one, other) => (other > one ? other : one), "");
  const from = storeTime(new Date((readStoreTime(newest)?.getTime() ?? 0) - OVERLAP_MS));
  const recentEntries = Object.entries(state.recent).filter(([, changed]) => changed >= from);
  state.recent = Object.fromEntries(recentEntries.slice(-2_000));
}

/**
 * Reads the orders of new shipments, since a shipment doesn't always update its order. Stops without permission for
 * shipments; if the store fails on them, the next run continues from here.
 */
async function importNewShipments(work: ScanContext): Promise<void> {
  const { store, state, lookups } = work;
  if (state.shipment === undefined) {
    const first = await lookups.tryRead("shipments", () => findFirstShipment(work));
    if (typeof first === "number") state.shipment = first;
    return nextPhase(state);
  }
  const last = state.shipment;
  const found = await lookups.tryRead("shipments", async () => {
    const groups: Filter[][] = [[{ field: "entity_id", value: last, condition: "gt" }]];
    const search = { groups, sort: ["entity_id"], size: BATCH_SIZE, fields: "items[entity_id,order_id],total_count" };
    const { items } = listOf(await store.resource("shipments", search));
    return items.flatMap((item) => readShipment(item) ?? []).filter(({ entity_id = 0 }) => entity_id > last);
  });
  if (found === null || found === "failed") return nextPhase(state);
  const ids = [...new Set(found.flatMap(({ order_id }) => order_id ?? []))];
  if (ids.length > 0) await importPage(work, await fetchOrders(work, ids));
  state.shipment = Math.max(last, ...found.map(({ entity_id = 0 }) => entity_id));
  if (found.length < BATCH_SIZE) nextPhase(state);
}

/** Id before the first shipment since orders were first read, or of the newest shipment if there is none. */
async function findFirstShipment({ store, state }: ScanContext): Promise<number> {
  const one = { sort: ["entity_id"], size: 1, fields: "items[entity_id],total_count" };
  // When reading by id, recent orders are read again anyway.
  if (state.follow_from && state.key === "updated_at") {
    const since: Filter[] = [{ field: "created_at", value: state.follow_from, condition: "gteq" }];
    const { items } = listOf(await store.resource("shipments", { ...one, groups: [since] }));
    const first = readShipment(items[0])?.entity_id;
    if (first !== undefined) return first - 1;
  }
  const { items } = listOf(await store.resource("shipments", { ...one, groups: [], descending: true }));
  return readShipment(items[0])?.entity_id ?? 0;
}
