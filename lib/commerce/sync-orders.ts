import { now } from "@/lib/clock";
import { AppError } from "@/lib/errors";
import { StoreFault } from "./read-fault";
import { ORDER_FIELDS, readShipment } from "./read-order";
import { beginPass, listOf, type Page, type Pass, type Row, readPage } from "./read-pages";
import { listAskedAgain, settleAskedAgain } from "./retry-orders";
import { type Filter, readStoreTime, type Search, storeTime } from "./search";
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
const AT_ONCE = 100;

/** Moves on by one page. False when orders and shipments are done. */
export async function step(work: Work): Promise<boolean> {
  const { state } = work;
  if (state.phase === "again") await tryBroken(work);
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

/** Refused orders that a person wants, then those that the shop failed on: these are asked for every hour, for a week. */
async function tryBroken(work: Work): Promise<void> {
  const { state } = work;
  const asked = await listAskedAgain(work.clientId);
  if (asked.length > 0) return takeAgain(work, asked);
  const moment = now().getTime();
  const due = state.broken.find(({ tried }) => moment - tried > TRY_BROKEN_AFTER);
  if (!due) return goOn(state);
  try {
    await takeOrders(work, await ordersOf(work, [due.id]));
    state.broken = state.broken.filter(({ id }) => id !== due.id);
  } catch (error) {
    if (passes(error)) throw error;
    if (moment - due.since > FORGET_BROKEN_AFTER) state.broken = state.broken.filter(({ id }) => id !== due.id);
    else due.tried = moment;
  }
}

/** One page's worth; what the shop fails on altogether stays refused, so that the rest goes on. */
async function takeAgain(work: Work, asked: { id: string; entityId: number }[]): Promise<void> {
  try {
    const ids = asked.map(({ entityId }) => entityId);
    await takeOrders(work, await ordersOf(work, ids));
  } catch (error) {
    if (passes(error)) throw error;
  }
  await settleAskedAgain(
    work.clientId,
    asked.map(({ id }) => id),
  );
}

async function ordersOf(work: Work, ids: number[]): Promise<Row[]> {
  const groups: Filter[][] = [...ownGroups(work), [{ field: "entity_id", value: ids.join(","), condition: "in" }]];
  const search = { groups, sort: ["entity_id"], size: AT_ONCE, fields: ORDER_FIELDS };
  const { items } = listOf(await work.store.orders(search));
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
  await takeOrders(work, fresh);
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
  const last = readStoreTime(state.high);
  const from = last
    ? storeTime(new Date(last.getTime() - OVERLAP))
    : settings.since
      ? `${settings.since} 00:00:00`
      : "";
  return beginPass(from, storeTime(now()), size);
}

const changedAt = (row: Row): string => String(row.updated_at ?? row.created_at ?? "");

function noteFailures({ state, counts }: Work, { broken, unnamed, unreadable }: Page): void {
  const moment = now().getTime();
  count(counts, "failed", broken.length + unnamed + unreadable);
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
 * Where shipments cannot be read there is nothing to follow.
 */
async function followShipments(work: Work): Promise<void> {
  const { store, state } = work;
  try {
    if (state.shipment === undefined) {
      const newest: Search = { groups: [], sort: ["entity_id"], descending: true, size: 1 };
      const { items } = listOf(await store.resource("shipments", newest));
      state.shipment = readShipment(items[0])?.entity_id ?? 0;
      return goOn(state);
    }
    const groups: Filter[][] = [[{ field: "entity_id", value: state.shipment, condition: "gt" }]];
    const search = { groups, sort: ["entity_id"], size: AT_ONCE, fields: "items[entity_id,order_id],total_count" };
    const { items } = listOf(await store.resource("shipments", search));
    const last = state.shipment;
    const found = items.flatMap((item) => readShipment(item) ?? []).filter(({ entity_id = 0 }) => entity_id > last);
    const ids = [...new Set(found.flatMap(({ order_id }) => order_id ?? []))];
    if (ids.length > 0) await takeOrders(work, await ordersOf(work, ids));
    state.shipment = Math.max(last, ...found.map(({ entity_id = 0 }) => entity_id));
    if (found.length < AT_ONCE) goOn(state);
  } catch (error) {
    if (!(error instanceof StoreFault) || error.kind === "busy" || error.kind === "login") throw error;
    goOn(state);
  }
}
