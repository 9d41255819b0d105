import { expect, it } from "vitest";
import { lookBefore } from "@/lib/honesty/bias/find-bias";
import { findInvitationBias, selectLastOrders } from "@/lib/honesty/bias/find-invitation-bias";
import { pool } from "@/lib/platform/db/pool";
import { aClient, manyCustomers, rowsOf, someReviews } from "@/lib/tools/test/factories";
import { captureStatement, queryCost } from "@/lib/tools/test/query-cost";

const DAY = 86_400_000;
const NOW = new Date("2026-11-29T12:00:00Z");
const LOOK = "2026-11-23T00:00:00Z";

/** A review by each of 70 customers, so many days ago. */
const review = (clientId: string, score: (n: number) => number, daysAgo: number) =>
  someReviews(
    clientId,
    Array.from({ length: 70 }, (_, index) => ({
      score: score(index + 1),
      customer_id: `c${index + 1}`,
      created_at: new Date(NOW.getTime() - daysAgo * DAY),
      accepted: true,
    })),
  );

/** A store with customers who gave one star (the first 30) or five (40), and ordered again afterwards. */
async function aShop({ reviews = true } = {}) {
  const shop = await aClient({ send_emails_before_days: 60 });
  await manyCustomers(shop.id, 70);
  await rowsOf("update orders set created_at = $2 where client_id = $1", [
    shop.id,
    new Date(NOW.getTime() - 120 * DAY),
  ]);
  await rowsOf(
    `insert into order_items (client_id, order_id, id, position, delivery_date, reviewable)
     select client_id, id, 'P-1', 0, $2::date, true from orders where client_id = $1`,
    [shop.id, new Date(NOW.getTime() - 110 * DAY)],
  );
  if (reviews) await review(shop.id, (n) => (n <= 30 ? 1 : 5), 200);
  const ask = (from: number, to: number) =>
    rowsOf(
      `update order_items set asked = true where client_id = $1
          and order_id in (select 'FF-' || n from generate_series($2::int, $3::int) n)`,
      [shop.id, from, to],
    );
  return { id: shop.id, ask };
}

it("finds that customers who gave few stars are invited less often", async () => {
  const { id, ask } = await aShop();
  await ask(26, 70);
  const [finding] = await findInvitationBias(id, [], NOW);
  expect(finding).toMatchObject({
    question: "invited",
    since: LOOK,
    until: LOOK,
    low: { reviews: 30, count: 5 },
    high: { reviews: 40, count: 40 },
  });
  // A later look knows when it began.
  const later = await findInvitationBias(id, finding ? [finding] : [], new Date(NOW.getTime() + 7 * DAY));
  expect(later).toMatchObject([{ since: LOOK, until: "2026-11-30T00:00:00Z" }]);
  // Not for ever: these orders are too old.
  expect(await findInvitationBias(id, later, new Date(NOW.getTime() + 140 * DAY))).toEqual([]);
});

it("finds nothing if all are invited alike, or can't be invited", async () => {
  const { id, ask } = await aShop();
  expect(await findInvitationBias(id, [], NOW)).toEqual([]);
  await ask(31, 70);
  expect(await findInvitationBias(id, [], NOW)).toHaveLength(1);
  await rowsOf("update customers set email_hash = 'h' || id where client_id = $1", [id]);
  await rowsOf(
    `insert into suppressions (client_id, email_hash, reason)
     select $1, 'hc' || n, 'opt_out' from generate_series(1, 15) n`,
    [id],
  );
  expect(await findInvitationBias(id, [], NOW)).toEqual([]);
});

/** What orders are worth and what was returned, by the customer's number. */
const describeOrders = (clientId: string, from: number, to: number, { value = "null", returned = "null" }) =>
  rowsOf(
    `with valued as (
       update orders set value = ${value} from generate_series($2::int, $3::int) n where client_id = $1 and id = 'FF-' || n returning 1)
     update order_items set returned = ${returned} from generate_series($2::int, $3::int) n
      where client_id = $1 and order_id = 'FF-' || n and (select count(*) from valued) >= 0`,
    [clientId, from, to],
  );
const questionsOf = async (id: string) => (await findInvitationBias(id, [], NOW)).map(({ question }) => question);

it("finds that invitations depend on the value of orders", async () => {
  const { id, ask } = await aShop({ reviews: false });
  await ask(30, 70);
  expect(await questionsOf(id)).toEqual([]);
  // 58 orders are known: 15 in each quarter are too few.
  await describeOrders(id, 13, 70, { value: "n" });
  expect(await questionsOf(id)).toEqual([]);
  // Of the least value, 25 are equal.
  await describeOrders(id, 1, 25, { value: "0" });
  await describeOrders(id, 26, 70, { value: "least(n, 50)" });
  const [finding, ...others] = await findInvitationBias(id, [], NOW);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    question: "invited_value",
    since: LOOK,
    low: { reviews: 25, count: 0 },
    high: { reviews: 21, count: 21 },
  });
  const later = await findInvitationBias(id, finding ? [finding] : [], new Date(NOW.getTime() + 7 * DAY));
  expect(later).toMatchObject([{ since: LOOK, until: "2026-11-30T00:00:00Z" }]);
});

it("finds that customers who returned something are invited less often", async () => {
  const { id, ask } = await aShop({ reviews: false });
  await ask(26, 70);
  await describeOrders(id, 31, 70, { returned: "false" });
  expect(await questionsOf(id)).toEqual([]);
  await describeOrders(id, 1, 30, { returned: "true" });
  const expected = { question: "invited_returns", low: { reviews: 30, count: 5 }, high: { reviews: 40, count: 40 } };
  expect(await findInvitationBias(id, [], NOW)).toMatchObject([expected]);
  // Another item of the order that was returned, though nobody could be asked about it.
  await describeOrders(id, 1, 30, {});
  await rowsOf(
    `insert into order_items (client_id, order_id, id, position, reviewable, returned)
     select $1, 'FF-' || n, 'P-2', 1, false, true from generate_series(1, 30) n`,
    [id],
  );
  expect(await findInvitationBias(id, [], NOW)).toMatchObject([expected]);
});

it("leaves out orders that the cooldown kept from being asked about, and counts a person once", async () => {
  const { id, ask } = await aShop({ reviews: false });
  await ask(31, 70);
  await describeOrders(id, 1, 30, { returned: "true" });
  await describeOrders(id, 31, 70, { returned: "false" });
  expect(await findInvitationBias(id, [], NOW)).toMatchObject([{ low: { reviews: 30 } }]);
  // Their last day was 50 days ago.
  const invite = (from: number, to: number, daysAgo: number) =>
    rowsOf(
      `insert into invitations (client_id, id, customer_id, email_key, status, day)
       select $1, 'i' || n || '-' || $4, 'c' || n, n || '@mail.example', 'sent', $5::date from generate_series($2::int, $3::int) n`,
      [id, from, to, daysAgo, new Date(NOW.getTime() - daysAgo * DAY)],
    );
  await invite(1, 30, 71);
  await invite(1, 30, 49);
  expect(await findInvitationBias(id, [], NOW)).toMatchObject([{ low: { reviews: 30 } }]);
  await invite(1, 5, 70);
  expect(await findInvitationBias(id, [], NOW)).toMatchObject([{ low: { reviews: 25 } }]);
  await rowsOf(
    "update customers set email_key = 'same@mail.example' where client_id = $1 and id in ('c6', 'c7', 'c8')",
    [id],
  );
  expect(await findInvitationBias(id, [], NOW)).toMatchObject([{ low: { reviews: 23 } }]);
  await rowsOf("update customers set email_key = null, email = null where client_id = $1 and id in ('c9', 'c10')", [
    id,
  ]);
  expect(await findInvitationBias(id, [], NOW)).toMatchObject([{ low: { reviews: 21 } }]);
});

it("counts what the store excluded, and the last review before the order only", async () => {
  const { id, ask } = await aShop();
  await ask(31, 70);
  await rowsOf("update order_items set reviewable = false, reviewable_set = false where client_id = $1 and not asked", [
    id,
  ]);
  expect(await findInvitationBias(id, [], NOW)).toMatchObject([{ low: { reviews: 30, count: 0 } }]);
  await review(id, () => 3, 130);
  expect(await findInvitationBias(id, [], NOW)).toEqual([]);
  expect(lookBefore(NOW.getTime())).toBe(Date.parse(LOOK));
});

it("takes a person's last order with a value and the last one with returns, though these are two orders", async () => {
  const { id } = await aShop({ reviews: false });
  await rowsOf(
    "update orders set customer_id = 'c1', created_at = created_at + right(id, 1)::int * interval '1 hour' where client_id = $1 and id in ('FF-1', 'FF-2', 'FF-3', 'FF-4')",
    [id],
  );
  await describeOrders(id, 1, 2, { value: "n", returned: "true" });
  await describeOrders(id, 3, 3, { returned: "false" });
  const last = await selectLastOrders(pool(), id, new Date(LOOK));
  expect(last.toSorted((a, b) => Number(a.value) - Number(b.value))).toEqual([
    { value: null, returned: false, asked: false },
    { value: 2, returned: null, asked: false },
  ]);
});

it("reads the items delivered last, and none that were delivered or excluded earlier", async () => {
  const { id } = await aShop({ reviews: false });
  await describeOrders(id, 1, 70, { value: "n" });
  await rowsOf(
    `insert into orders (client_id, id, customer_id, value)
     select $1, 'OLD-' || n, 'c1', n from generate_series(1, 6000) n`,
    [id],
  );
  await rowsOf(
    `insert into order_items (client_id, order_id, id, position, delivery_date, reviewable, reviewable_set)
     select $1, 'OLD-' || n, 'P-1', 0, $2::date - n % 1000, n % 2 = 0, nullif(n % 2 = 0, true) from generate_series(1, 6000) n`,
    [id, new Date(NOW.getTime() - 400 * DAY)],
  );
  await rowsOf(
    `update order_items set delivery_date = delivery_date + right(order_id, 1)::int, reviewable = right(order_id, 1) < '6',
            reviewable_set = nullif(right(order_id, 1) < '6', true)
      where client_id = $1 and order_id like 'FF-%'`,
    [id],
  );
  for (const table of ["orders", "order_items"]) await rowsOf(`vacuum analyze ${table}`);
  const valuesOf = async (...limit: [number?]) =>
    (await selectLastOrders(pool(), id, new Date(LOOK), ...limit))
      .map(({ value }) => Number(value))
      .sort((a, b) => a - b);
  expect(await valuesOf()).toEqual(Array.from({ length: 70 }, (_, index) => index + 1));
  expect(await valuesOf(14)).toEqual([8, 9, 18, 19, 28, 29, 38, 39, 48, 49, 58, 59, 68, 69]);
  const cost = async (...limit: [number?]) =>
    queryCost(await captureStatement((db) => selectLastOrders(db, id, new Date(LOOK), ...limit)));
  // The item by its day, the order, its customer and its items, and addresses and invitations.
  expect((await cost()).read).toBeLessThan(6 * 70);
  expect((await cost(14)).read).toBeLessThan(6 * 14);
});
