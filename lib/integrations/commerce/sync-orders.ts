import { now } from "@/lib/platform/clock";
import { AppError } from "@/lib/platform/errors";
import { type Kept, keepError, noticesIn } from "@/lib/platform/notices";
import { StoreFault } from "./read-fault";
import { ORDER_FIELDS, readShipment } from "./read-order";
import { askTwice, beginPass, listOf, type Page, type Pass, type Row, readPage } from "./read-pages";
import { listAskedAgain, settleAskedAgain } from "./retry-orders";
import { type Filter, readStoreTime, storeTime } from "./search";
import { phases, type State } from "./state";
import type { Store } from "./store";
import { count, type Taking, takeOrders } from "./take-orders";

// One pass over the shop, page by page. Each step reads one page, stores its orders and moves the state on; whoever calls
// keeps the state after each.

/** What a step works with. */
export type Work = Taking & { store: Store; state: State };

/** Orders of so many milliseconds before the newest are read again: the shop may have been writing them. */
const OVERLAP = 10 * 60_000;
/** By number, orders of so long are read again, since they may still be sent, cancelled or refunded. */
const RESCAN = 60 * 86_400_000;
const TRY_BROKEN_AFTER = 3_600_000;
const FORGET_BROKEN_AFTER = 7 * 86_400_000;
const MOST_BROKEN = 50;
/** So many are said where they are; the counts tell of the others. */
const MOST_PLACES = 20;
/** Where more orders than this were read without something, it is waited for, and no others are read meanwhile. */
const MOST_WITHOUT = 2_000;
const AT_ONCE = 100;

/** Moves on by one page. False when orders and shipments are done. */
export async function step(work: Work): Promise<boolean> {
  const { state } = work;
  if (state.phase === "again") await readAgain(work);
  else if (state.phase === "orders") await readOrders(work);
  else if (state.phase === "shipments") await followShipments(work);
  else return false;
  return true;
}

const goOn = (state: State): void => {
  state.phase = phases[phases.indexOf(state.phase) + 1] ?? "catalogue";
};

/** Stores of the client, beside the filters of its address. */
const ownGroups = ({ settings: { store_ids } }: Work): Filter[][] =>
  store_ids.length === 0
    ? []
    : [[{ field: "store_id", value: store_ids.join(","), condition: store_ids.length === 1 ? "eq" : "in" }]];

/**
 * Whether a question about single orders is to be asked again later, and not left at that: the shop is busy, wants another
 * log-in, or it is ours. Whatever else the shop has against it must not keep the run from what comes after.
 */
const passes = (error: unknown): boolean =>
  !(error instanceof AppError) ||
  (error instanceof StoreFault ? error.kind === "busy" || error.kind === "login" : error.code === "unavailable");

/** Takes orders, and notes which of them were read without something that the shop failed on: they are read again. */
async function take(work: Work, rows: Row[], options?: { atLast: boolean }): Promise<void> {
  const { without, run = "" } = work.state;
  const lacking = await takeOrders(work, rows, options);
  for (const { entity_id } of rows) if (options?.atLast || !lacking.includes(entity_id)) delete without[entity_id];
  if (options?.atLast) return;
  for (const id of lacking) without[id] = { since: without[id]?.since ?? now().getTime(), run };
  if (Object.keys(without).length > MOST_WITHOUT)
    throw new StoreFault(
      "rejected",
      work.lookups.failures.size > 0
        ? [...work.lookups.failures].flatMap(noticesIn)
        : [{ reason: "orders_incomplete", params: { count: Object.keys(without).length } }],
    );
}

/**
 * Refused orders that a person wants, then those that were read without something, then those that the shop failed on. These
 * are asked for every hour, for a week.
 */
async function readAgain(work: Work): Promise<void> {
  const { state } = work;
  const asked = await listAskedAgain(work.clientId);
  if (asked.length > 0) return takeAgain(work, asked);
  const moment = now().getTime();
  if (await readWhole(work, moment)) return;
  const due = state.broken.find(({ tried }) => moment - tried > TRY_BROKEN_AFTER);
  if (!due) return goOn(state);
  try {
    await take(work, await ordersOf(work, [due.id]));
    state.broken = state.broken.filter(({ id }) => id !== due.id);
  } catch (error) {
    if (passes(error)) throw error;
    if (moment - due.since > FORGET_BROKEN_AFTER) state.broken = state.broken.filter(({ id }) => id !== due.id);
    else due.tried = moment;
  }
}

/**
 * Reads a page of orders again that were read without something, each once in a run. After a week they are taken as they are.
 * False where there are none, or what they lack is still not to be had.
 */
async function readWhole(work: Work, moment: number): Promise<boolean> {
  const { without, run = "" } = work.state;
  const all = Object.entries(without).filter(([, last]) => last.run !== run);
  const old = all.filter(([, { since }]) => moment - since > FORGET_BROKEN_AFTER);
  const atLast = old.length > 0;
  const ids = (atLast ? old : all).slice(0, AT_ONCE).map(([id]) => Number(id));
  if (ids.length === 0) return false;
  for (const id of ids) without[id] = { since: without[id]?.since ?? moment, run };
  try {
    const rows = await ordersOf(work, ids);
    const found = new Set(rows.map(({ entity_id }) => entity_id));
    await take(work, rows, { atLast });
    // What the shop does not list any more is gone there, or belongs to another store now.
    for (const id of ids) if (!found.has(id)) delete without[id];
  } catch (error) {
    if (passes(error)) throw error;
    if (atLast) for (const id of ids) delete without[id];
  }
  // Where none of them could be read whole, the others wait for the next run.
  if (ids.every((id) => without[id])) for (const last of Object.values(without)) last.run = run;
  return true;
}

/** One page's worth; what the shop fails on altogether stays refused, so that the rest goes on. */
async function takeAgain(work: Work, asked: { id: string; entityId: number }[]): Promise<void> {
  let failure: Kept | null = null;
  try {
    const ids = asked.map(({ entityId }) => entityId);
    await take(work, await ordersOf(work, ids));
  } catch (error) {
    if (passes(error)) throw error;
    failure = keepError(error as AppError);
  }
  await settleAskedAgain(
    work.clientId,
    asked.map(({ id }) => id),
    failure,
  );
}

async function ordersOf(work: Work, ids: number[]): Promise<Row[]> {
  const groups: Filter[][] = [...ownGroups(work), [{ field: "entity_id", value: ids.join(","), condition: "in" }]];
  const search = { groups, sort: ["entity_id"], size: AT_ONCE, fields: ORDER_FIELDS };
  const { items } = listOf(await askTwice(() => work.store.orders(search)));
  return items.flatMap((item): Row[] => {
    const entity_id = Number((item as { entity_id?: unknown } | null)?.entity_id);
    return ids.includes(entity_id) ? [{ ...(item as object), entity_id }] : [];
  });
}

async function readOrders(work: Work): Promise<void> {
  const { store, state } = work;
  state.pass ??= begin(work);
  const without = state.broken.map(({ id }) => id);
  const page = await readPage({ store, pass: state.pass, groups: ownGroups(work), without });
  const fresh = page.rows.filter((row) => state.recent[row.entity_id] !== changedAt(row));
  count(work.counts, "read", fresh.length);
  await take(work, fresh);
  noteFailures(work, page);
  noteProgress(state, page);
  if (page.next) {
    state.pass = page.next;
    state.size = page.next.size;
  } else {
    state.high = state.newest || state.high;
    state.pass = undefined;
    goOn(state);
  }
}

/** From shortly before the newest order of the last pass up to this moment, which stays the end whatever happens. */
function begin({ settings, store, state }: Work): Pass {
  const size = state.size ?? Math.min(settings.page_size, store.list.size ?? settings.page_size);
  state.newest = "";
  if (state.key === "entity_id") {
    const from = String(state.rescan ?? (state.high || ""));
    state.rescan = undefined;
    return { ...beginPass(from, "", size), key: "entity_id" };
  }
  if (state.shipment === undefined) state.follow_from ??= storeTime(new Date(now().getTime() - OVERLAP));
  const last = readStoreTime(state.high);
  const from = last
    ? storeTime(new Date(last.getTime() - OVERLAP))
    : settings.since
      ? `${settings.since} 00:00:00`
      : "";
  return beginPass(from, storeTime(now()), size);
}

const changedAt = (row: Row): string => String(row.updated_at ?? row.created_at ?? "");

function noteFailures({ state, counts }: Work, { broken, unnamed, unreadable, places }: Page): void {
  const moment = now().getTime();
  count(counts, "failed", broken.length + unnamed + unreadable);
  state.places = [...state.places, ...places].slice(0, MOST_PLACES);
  state.broken.push(...broken.map((id) => ({ id, since: moment, tried: moment })));
  state.broken = state.broken.slice(-MOST_BROKEN);
}

/** Remembers the newest order, and those near it for the pass to come. */
function noteProgress(state: State, { rows, next }: Page): void {
  if (next?.key === "entity_id" || state.pass?.key === "entity_id") state.key = "entity_id";
  const byNumber = state.key === "entity_id";
  for (const row of rows) {
    const place = byNumber ? String(row.entity_id) : changedAt(row);
    if (byNumber ? row.entity_id > Number(state.newest) : place > state.newest) state.newest = place;
    state.recent[row.entity_id] = changedAt(row);
    const created = readStoreTime(row.created_at)?.getTime() ?? 0;
    if (byNumber && created > now().getTime() - RESCAN)
      state.rescan = Math.min(state.rescan ?? row.entity_id, row.entity_id);
  }
  const newest = Object.values(state.recent).reduce((one, other) => (other > one ? other : one), "");
  const from = storeTime(new Date((readStoreTime(newest)?.getTime() ?? 0) - OVERLAP));
  const kept = Object.entries(state.recent).filter(([, changed]) => changed >= from);
  state.recent = Object.fromEntries(kept.slice(-2_000));
}

/**
 * A shipment does not always move its order's time, so new ones are followed by themselves: their orders are read again.
 * Where shipments may not be read there is nothing to follow; where the shop fails on them, the next run goes on from here.
 */
async function followShipments(work: Work): Promise<void> {
  const { store, state, lookups } = work;
  if (state.shipment === undefined) {
    const first = await lookups.perhaps("shipments", () => firstToFollow(work));
    if (typeof first === "number") state.shipment = first;
    return goOn(state);
  }
  const last = state.shipment;
  const found = await lookups.perhaps("shipments", async () => {
    const groups: Filter[][] = [[{ field: "entity_id", value: last, condition: "gt" }]];
    const search = { groups, sort: ["entity_id"], size: AT_ONCE, fields: "items[entity_id,order_id],total_count" };
    const { items } = listOf(await store.resource("shipments", search));
    return items.flatMap((item) => readShipment(item) ?? []).filter(({ entity_id = 0 }) => entity_id > last);
  });
  if (found === null || found === "failed") return goOn(state);
  const ids = [...new Set(found.flatMap(({ order_id }) => order_id ?? []))];
  if (ids.length > 0) await take(work, await ordersOf(work, ids));
  state.shipment = Math.max(last, ...found.map(({ entity_id = 0 }) => entity_id));
  if (found.length < AT_ONCE) goOn(state);
}

/** The shipment before the first that was made since the orders were read first; where none was, the newest. */
async function firstToFollow({ store, state }: Work): Promise<number> {
  const one = { sort: ["entity_id"], size: 1, fields: "items[entity_id],total_count" };
  // By number, orders of weeks are read again anyway.
  if (state.follow_from && state.key === "updated_at") {
    const since: Filter[] = [{ field: "created_at", value: state.follow_from, condition: "gteq" }];
    const { items } = listOf(await store.resource("shipments", { ...one, groups: [since] }));
    const first = readShipment(items[0])?.entity_id;
    if (first !== undefined) return first - 1;
  }
  const { items } = listOf(await store.resource("shipments", { ...one, groups: [], descending: true }));
  return readShipment(items[0])?.entity_id ?? 0;
}
