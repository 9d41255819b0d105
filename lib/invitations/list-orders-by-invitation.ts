import type { Actor } from "@/lib/accounts/actor";
import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { addDays, type Day } from "@/lib/invitations/days";
import { nextRunOf, notInvitedReasons } from "@/lib/invitations/not-invited-reasons";
import { evaluateItem, type NotInvitedReason, rulesOf, type SendRules } from "@/lib/invitations/rules";
import { type FilterReason, SOON_DAYS, type SoonSort } from "@/lib/invitations/values";
import { orderLinesOf, readSortCursor } from "@/lib/orders/list-portal-orders";
import type { OrderLine } from "@/lib/orders/schema";
import type { OrderSort } from "@/lib/orders/values";
import { dayIn } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { decodeCursor, encodeCursor } from "@/lib/platform/http/cursor";
import { readOrdersToEvaluate, type ScannedItem, type ScannedOrder, selectUnaskedItems } from "./list-orders-sql";
import { type EvaluatedItem, selectDecisionsOfOrders } from "./rules-sql";

const PAGE = 50;
/** Orders that a page reads at most to find its own. So it can be short, and still have a next one. */
export const MAX_SCANNED = 5_000;
/** Those of them, or items, that it evaluates by the rules. */
const MAX_EVALUATED = 1_000;
/** Those that are evaluated together. */
const BATCH_SIZE = 100;

/** Rows to evaluate, and the last row read; null if there are no more. */
type Step<R> = { rows: R[]; edge: R | null };
type Scope = { actor: Pick<Actor, "role">; client: ClientRow; after?: string | undefined };

/** A page of orders. `next`: the cursor of the next page. */
type OrdersPage<Detail> = { orders: OrderLine[]; next: string | null; details: Map<string, Detail> };

/**
 * Orders with an item that will be invited within {@link SOON_DAYS} days, by its delivery date, with the expected day.
 * Each item is evaluated alone, as if no other email were sent: combining items or the daily limit may delay it. Throws
 * `invalid_cursor`.
 */
export async function listOrdersInvitedSoon(scope: Scope, sort: SoonSort): Promise<OrdersPage<Day>> {
  const { client } = scope;
  const zone = timeZoneOf(client);
  const rules = rulesOf(client);
  const nextRun = nextRunOf(client);
  const horizon = addDays(dayIn(zone), SOON_DAYS - 1);
  const delivered = { first: addDays(nextRun, -rules.beforeDays), last: addDays(horizon, -rules.afterDays) };
  const order = `orders.soon.${sort}`;
  const from = scope.after === undefined ? null : readSoonCursor(scope.after, order);
  if (rules.limit === 0) return { orders: [], next: null, details: new Map() };
  async function* readItems(): AsyncGenerator<Step<ScannedItem>> {
    let position = from;
    for (let read = 0; read < MAX_EVALUATED; read += BATCH_SIZE) {
      const rows = await selectUnaskedItems(pool(), client.id, delivered, sort, position, BATCH_SIZE);
      position = rows.length === BATCH_SIZE ? (rows.at(-1) ?? null) : null;
      yield { rows, edge: position };
      if (position === null) return;
    }
  }
  const evaluate = async (scanned: ScannedItem[]) => {
    const ids = [...new Set(scanned.map(({ order_id }) => order_id))];
    const items = await selectDecisionsOfOrders(pool(), client.id, rules, nextRun, ids);
    const planned = items.flatMap((item) => {
      const day = plannedDay(item, rules, nextRun);
      return day !== null && day <= horizon ? [{ item, day }] : [];
    });
    const firstOf = new Map<string, { item_id: string; day: Day }>();
    const sorted = planned.toSorted(
      (a, b) =>
        compare(a.item.delivery_date ?? "", b.item.delivery_date ?? "") || compare(a.item.item_id, b.item.item_id),
    );
    // An order is listed once, at the first of its items in the list's order; its day is the earliest.
    for (const { item, day } of sort === "soonest" ? sorted.toReversed() : sorted)
      firstOf.set(item.order_id, { item_id: item.item_id, day });
    return scanned.flatMap((row) => {
      const first = firstOf.get(row.order_id);
      if (first?.item_id !== row.item_id) return [];
      const days = planned.filter(({ item }) => item.order_id === row.order_id).map(({ day }) => day);
      return [{ row, id: row.order_id, detail: days.reduce((a, b) => (b < a ? b : a)) }];
    });
  };
  return listFound(scope, readItems(), evaluate, ({ delivery_date, order_id, item_id }) =>
    encodeCursor({ order, key: [`${delivery_date}T00:00:00.000Z`, order_id, item_id], startedAt: null }),
  );
}

function readSoonCursor(after: string, order: string): ScannedItem {
  const [time = "", order_id = "", item_id = ""] = decodeCursor(after, order, ["time", "text", "text"]).key;
  return { delivery_date: time.slice(0, 10), order_id, item_id };
}

/** The day of an item's invitation if nothing else happens; null if there won't be one. */
function plannedDay(item: Omit<EvaluatedItem, "rated_shop">, rules: SendRules, nextRun: Day): Day | null {
  const person = item.person === null ? null : { ...item, invited: item.last_mail, rated_shop: null };
  const { ready, closes } = evaluateItem(item, person, rules, nextRun);
  if (ready === null || closes === null) return null;
  const day = ready > nextRun ? ready : nextRun;
  return day <= closes ? day : null;
}

/**
 * Orders of which no item was or will be invited, with the reason; only those with `reason`, if given. See {@link
 * notInvitedReasons}. Throws `invalid_cursor`.
 */
export async function listOrdersNotInvited(
  scope: Scope,
  sort: OrderSort,
  reason: FilterReason | null,
): Promise<OrdersPage<NotInvitedReason>> {
  const { client } = scope;
  const expired = addDays(nextRunOf(client), -rulesOf(client).beforeDays);
  const from = scope.after === undefined ? null : readSortCursor(scope.after, sort);
  const limits = { expired, maxScanned: MAX_SCANNED, limit: MAX_EVALUATED, batch: BATCH_SIZE };
  const steps = readOrdersToEvaluate(pool(), client.id, reason, sort, from, limits);
  const evaluate = async (orders: ScannedOrder[]) => {
    const reasons = await notInvitedReasons(
      client,
      orders.map(({ id }) => id),
    );
    return orders.flatMap((row) => {
      const detail = reasons.get(row.id);
      return detail && (reason === null || detail === reason) ? [{ row, id: row.id, detail }] : [];
    });
  };
  return listFound(scope, steps, evaluate, ({ created_at, id }) =>
    encodeCursor({ order: `orders.${sort}`, key: [created_at.toISOString(), id], startedAt: null }),
  );
}

/**
 * Evaluates rows until a page is full, and returns its orders. If it isn't full, the next page starts after the `edge` of
 * the last step, the last row read, if more may follow.
 */
async function listFound<R, Detail>(
  { actor, client }: Scope,
  steps: AsyncIterable<Step<R>>,
  evaluate: (rows: R[]) => Promise<{ row: R; id: string; detail: Detail }[]>,
  cursorOf: (row: R) => string,
): Promise<OrdersPage<Detail>> {
  const found: Awaited<ReturnType<typeof evaluate>> = [];
  let edge: R | null = null;
  for await (const step of steps) {
    // Orders that an index finds come all at once.
    for (let at = 0; at < step.rows.length && found.length <= PAGE; at += BATCH_SIZE)
      found.push(...(await evaluate(step.rows.slice(at, at + BATCH_SIZE))));
    edge = step.edge;
    if (found.length > PAGE) break;
  }
  const shown = found.slice(0, PAGE);
  const last = found.length > PAGE ? shown.at(-1)?.row : edge;
  return {
    orders: await orderLinesOf(
      actor,
      client,
      shown.map(({ id }) => id),
    ),
    next: last ? cursorOf(last) : null,
    details: new Map(shown.map(({ id, detail }) => [id, detail])),
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
