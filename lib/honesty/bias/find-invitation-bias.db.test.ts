import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { countAsked, splitByValue } from "@/lib/honesty/bias/closed-orders";
import { type BiasFinding, lookBefore } from "@/lib/honesty/bias/find-bias";
import { countWithheldOrders, findInvitationBias, selectFirstOrders } from "@/lib/honesty/bias/find-invitation-bias";
import { markWithheld } from "@/lib/invitations/withheld-sql";
import { type Db, pool } from "@/lib/platform/db/pool";
import { aClient, manyCustomers, rowsOf, someReviews } from "@/lib/tools/test/factories";
import { captureStatement, queryCost } from "@/lib/tools/test/query-cost";

const DAY = 86_400_000;
const NOW = new Date("2026-11-29T12:00:00Z");
const LOOK = "2026-11-23T00:00:00Z";
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY);

/** A review by each of 70 customers, so many days ago. */
const review = (clientId: string, score: (n: number) => number, days: number) =>
  someReviews(
    clientId,
    Array.from({ length: 70 }, (_, index) => ({
      score: score(index + 1),
      customer_id: `c${index + 1}`,
      created_at: daysAgo(days),
      accepted: true,
    })),
  );

/** A store with customers who gave one star (the first 30) or five (40). It withheld the orders that followed. */
async function aShop({ reviews = true, customers = 70 } = {}) {
  const shop = await aClient({ send_emails_before_days: 60 });
  await rowsOf("insert into recorded_exclusions (client_id, first_delivery, last_delivery) values ($1, $2, $3)", [
    shop.id,
    daysAgo(130),
    daysAgo(61),
  ]);
  await manyCustomers(shop.id, customers);
  await rowsOf("update orders set created_at = $2 where client_id = $1", [shop.id, daysAgo(120)]);
  await rowsOf(
    `insert into order_items (client_id, order_id, id, name, position, delivery_date, reviewable, reviewable_set, withheld, returned)
     select client_id, id, 'P-1', 'Lamp', 0, $2::date, false, false, true, false from orders where client_id = $1`,
    [shop.id, daysAgo(110)],
  );
  if (reviews) await review(shop.id, (n) => (n <= 30 ? 1 : 5), 200);
  const ask = (from: number, to: number) =>
    rowsOf(
      `update order_items set asked = true, reviewable = true, reviewable_set = null, withheld = null where client_id = $1
          and order_id in (select 'FF-' || n from generate_series($2::int, $3::int) n)`,
      [shop.id, from, to],
    );
  return { id: shop.id, ask };
}

const find = async (id: string, known: BiasFinding[] = [], asOf = NOW) =>
  (await findInvitationBias(id, known, asOf)).findings;

it("finds that customers who gave few stars are invited less often", async () => {
  const { id, ask } = await aShop();
  await ask(26, 70);
  const [finding] = await find(id);
  expect(finding).toMatchObject({
    question: "invited",
    since: LOOK,
    until: LOOK,
    low: { reviews: 30, count: 5 },
    high: { reviews: 40, count: 40 },
  });
  // Also if it pauses them instead.
  await rowsOf(
    "update order_items set reviewable = true, reviewable_set = null, held_at = now() where client_id = $1 and withheld",
    [id],
  );
  await rowsOf("update order_items set withheld_late = false where client_id = $1", [id]);
  expect(await find(id)).toHaveLength(1);
  // A later look knows when it began.
  const later = await find(id, finding ? [finding] : [], new Date(NOW.getTime() + 7 * DAY));
  expect(later).toMatchObject([{ since: LOOK, until: "2026-11-30T00:00:00Z" }]);
  // Not for ever: these orders are too old.
  expect(await find(id, later, new Date(NOW.getTime() + 140 * DAY))).toEqual([]);
});

it("finds nothing if all are invited alike, or nothing was withheld", async () => {
  const { id, ask } = await aShop();
  expect(await find(id)).toEqual([]);
  await ask(31, 70);
  expect(await find(id)).toHaveLength(1);
  // Excluded, but the rules had left them out, too.
  await rowsOf("update order_items set withheld = null where client_id = $1", [id]);
  expect(await find(id)).toEqual([]);
});

it("counts an order that only the daily limit kept from being asked about as invited", async () => {
  const { id, ask } = await aShop();
  await ask(31, 50);
  await rowsOf(
    `update order_items set reviewable = true, reviewable_set = null, withheld = false
      where client_id = $1 and withheld and substr(order_id, 4)::int > 50`,
    [id],
  );
  expect(await find(id)).toMatchObject([{ low: { reviews: 30, count: 0 }, high: { reviews: 40, count: 40 } }]);
  // A store that excludes nothing treats all alike, however few its limit allows.
  await rowsOf("update order_items set withheld = false where client_id = $1 and withheld", [id]);
  expect(await find(id)).toEqual([]);
});

describe("finds nothing unless it remains if all exclusions count", () => {
  const set = (id: string, from: number, to: number, columns: string, item = "%") =>
    rowsOf(
      `update order_items set ${columns}
        where client_id = $1 and order_id in (select 'FF-' || n from generate_series($2::int, $3::int) n) and id like $4`,
      [id, from, to, item],
    );
  const excluded = "asked = false, reviewable = false, reviewable_set = false, withheld = true";

  it("such as for orders canceled before their delivery, or excluded once they were asked about", async () => {
    const { id, ask } = await aShop();
    await ask(14, 70);
    await rowsOf("update orders set created_at = $2 where client_id = $1", [id, daysAgo(110)]);
    const known = await find(id);
    expect(known).toHaveLength(1);
    const lasts = async () => (await find(id, known, new Date(NOW.getTime() + 7 * DAY))).length === 1;
    expect(await lasts()).toBe(true);
    // The same exclusions for both, but of those who gave five stars, they came before the delivery or after the first day.
    await set(id, 31, 50, excluded);
    await set(id, 31, 50, "withheld_late = false, canceled = true");
    const likely = await selectFirstOrders(pool(), id, new Date(LOOK));
    expect([likely.length, likely.filter(({ asked }) => asked).length]).toEqual([50, 37]);
    expect(await lasts()).toBe(false);
    for (const columns of [
      "canceled = false, asked = true, withheld = null",
      "asked = false, withheld = false",
      "delivery_date = null, withheld = null",
      "delivery_date = $2, reviewable = true, reviewable_set = null, withheld = false, held_at = now(), withheld_late = true",
    ]) {
      await set(id, 31, 50, columns.replace("$2", `'${daysAgo(110).toISOString().slice(0, 10)}'`));
      expect(await lasts(), columns).toBe(false);
    }
    await set(id, 31, 50, "asked = true, held_at = null, withheld = null");
    expect(await lasts()).toBe(true);
  });

  it("such as for orders that had no day of delivery yet when they were excluded", async () => {
    const { id, ask } = await aShop({ customers: 400 });
    await ask(1, 400);
    await describeOrders(id, 1, 400, { value: "n" });
    await rowsOf("update orders set created_at = $2 where client_id = $1", [id, daysAgo(110)]);
    // Of each five cheap orders, one is excluded after its delivery, and of each five expensive ones before it has a day.
    const each5th = (from: number, to: number, columns: string) =>
      rowsOf(
        `update order_items set ${columns}
          where client_id = $1 and order_id in (select 'FF-' || n from generate_series($2::int, $3::int, 5) n)`,
        [id, from, to],
      );
    await each5th(1, 200, excluded);
    const isFound = async () => (await questionsOf(id)).includes("invited_value");
    expect(await isFound()).toBe(true);
    // What hasn't arrived can't have been returned.
    await each5th(201, 400, `${excluded.replace("true", "null")}, delivery_date = null, returned = null`);
    expect(await isFound()).toBe(false);
    const outcomes = async () => {
      const { low, high } = countAsked(
        splitByValue(await selectFirstOrders(pool(), id, new Date(LOOK), { allCount: true })),
      );
      return [low, high].map(({ reviews, count }) => [reviews, count]);
    };
    expect(await outcomes()).toEqual([
      [100, 80],
      [100, 80],
    ]);
    // Only excluded ones, and orders of the same days.
    await each5th(201, 400, "reviewable = true, reviewable_set = null");
    expect((await outcomes())[1]).toEqual([90, 90]);
    await each5th(201, 400, "reviewable = false, reviewable_set = false");
    for (const day of [daysAgo(111), daysAgo(65)]) {
      await rowsOf("update orders set created_at = $2 where client_id = $1 and value > 200", [id, day]);
      expect((await outcomes())[1]).toEqual([90, 90]);
    }
    // Whether something was returned isn't known of an order with an item that was delivered.
    const known = async () => (await selectFirstOrders(pool(), id, new Date(LOOK), { allCount: true })).length;
    expect(await known()).toBe(360);
    await rowsOf("update order_items set returned = null where client_id = $1 and order_id = 'FF-2'", [id]);
    await rowsOf(
      `insert into order_items (client_id, order_id, id, name, position, reviewable, reviewable_set)
       values ($1, 'FF-2', 'W-1', 'Warranty', 1, false, false)`,
      [id],
    );
    expect(await known()).toBe(359);
  });

  it("and customers who were invited for another item of the order count as invited", async () => {
    const { id, ask } = await aShop();
    await ask(1, 70);
    // A warranty that is excluded from the start, in the orders of those who gave one star. By its id, it is selected half of the time.
    await rowsOf(
      `insert into order_items (client_id, order_id, id, name, position, delivery_date, reviewable, reviewable_set, withheld, returned)
       select $1, 'FF-' || n, 'W-1', 'Warranty', 1, $2, false, false, true, false from generate_series(1, 30) n`,
      [id, daysAgo(110)],
    );
    const known: BiasFinding[] = [
      {
        question: "invited",
        since: "2026-11-16T00:00:00Z",
        until: "2026-11-16T00:00:00Z",
        from: "2026-05-20T00:00:00Z",
        low: { reviews: 30, count: 0, median: null },
        high: { reviews: 40, count: 40, median: null },
        p: 1e-9,
      },
    ];
    const asked = (await selectFirstOrders(pool(), id, new Date(LOOK))).filter((order) => order.asked);
    expect(asked.length).toBeLessThan(60);
    expect(await find(id, known)).toEqual([]);
    // Also for one that doesn't count any more, here since its product was deleted.
    await set(id, 1, 30, "id = 'gone-' || order_id", "P-1");
    await rowsOf(
      `insert into products (client_id, id, family_id, name, deleted)
       select client_id, id, id, 'Lamp', true from order_items where client_id = $1 and id like 'gone-%'`,
      [id],
    );
    expect(await find(id, known)).toEqual([]);
    // Not for one that wasn't delivered.
    await set(id, 1, 30, "delivery_date = null", "gone-%");
    expect(await find(id, known)).toHaveLength(1);
    await set(id, 1, 30, "delivery_date = '2026-08-11', withheld = true", "gone-%");
    // It was withheld until its last day, and asked about by hand.
    expect(await find(id, known)).toEqual([]);
    await set(id, 1, 30, excluded);
    expect(await find(id, known)).toHaveLength(1);
  });

  it("and orders are only compared with those of the same week", async () => {
    const { id, ask } = await aShop();
    await ask(31, 70);
    // The store excluded everything for a week, in which only those ordered who gave one star.
    await rowsOf(
      "update order_items set delivery_date = delivery_date + 7 where client_id = $1 and substr(order_id, 4)::int > 30",
      [id],
    );
    expect(await find(id)).toEqual([]);
    await rowsOf(
      "update order_items set delivery_date = delivery_date - 7 where client_id = $1 and substr(order_id, 4)::int > 50",
      [id],
    );
    expect(await find(id)).toMatchObject([{ low: { reviews: 30 }, high: { reviews: 40 } }]);
  });

  it("and has the figures without canceled orders", async () => {
    const { id, ask } = await aShop();
    await ask(31, 70);
    await set(id, 1, 13, "canceled = true");
    await ask(14, 30);
    // Only canceled ones are left out.
    expect(await find(id)).toEqual([]);
    await set(id, 1, 36, `${excluded}, canceled = false`);
    await set(id, 1, 3, "canceled = true");
    await set(id, 31, 36, "canceled = true");
    expect(await find(id)).toMatchObject([{ low: { reviews: 27, count: 0 }, high: { reviews: 34, count: 34 } }]);
  });

  it("also if it would then be the other way around", async () => {
    const { id, ask } = await aShop({ reviews: false, customers: 400 });
    await ask(1, 400);
    await describeOrders(id, 1, 400, { value: "n" });
    await set(id, 1, 30, excluded);
    expect(await questionsOf(id)).toEqual(["invited_value"]);
    await set(id, 301, 373, excluded);
    await set(id, 301, 373, "canceled = true");
    const groups = async (allCount: boolean) => {
      const { low, high } = countAsked(splitByValue(await selectFirstOrders(pool(), id, new Date(LOOK), { allCount })));
      return [low.count / low.reviews, high.count / high.reviews];
    };
    expect(await groups(false)).toEqual([52 / 82, 1]);
    expect(await groups(true)).toEqual([0.7, 0.27]);
    expect(await questionsOf(id)).toEqual([]);
  });
});

it("counts a person with several customer ids once, with the reviews of all", async () => {
  const { id, ask } = await aShop();
  await ask(31, 70);
  const count = async () => (await find(id)).map(({ low }) => low.reviews);
  expect(await count()).toEqual([30]);
  await rowsOf("update customers set email = null, email_key = null where client_id = $1 and id in ('c1', 'c2')", [id]);
  expect(await count()).toEqual([28]);
  await rowsOf("update customers set email_key = '3@mail.example' where client_id = $1 and id in ('c4', 'c5')", [id]);
  expect(await count()).toEqual([26]);
  // The order has one id, the review before it another, or only the address.
  await rowsOf(
    `insert into customers (client_id, id, email, email_key, id_hash)
     select $1, 'guest' || n, n || '@mail.example', n || '@mail.example', 'guest' || n from generate_series(6, 10) n`,
    [id],
  );
  await rowsOf(
    `update orders set customer_id = 'guest' || substr(id, 4) where client_id = $1 and id in ('FF-6', 'FF-7', 'FF-8', 'FF-9', 'FF-10')`,
    [id],
  );
  await rowsOf(
    "update reviews set customer_id = null, email_key = '6@mail.example' where client_id = $1 and customer_id = 'c6'",
    [id],
  );
  expect(await count()).toEqual([26]);
  // Of several orders of a person, the one delivered first counts: after another review, with three stars.
  await rowsOf("update orders set customer_id = 'c11', created_at = $2 where client_id = $1 and id = 'FF-12'", [
    id,
    daysAgo(114),
  ]);
  await someReviews(id, [{ score: 3, customer_id: "c11", created_at: daysAgo(117), accepted: true }]);
  expect(await count()).toEqual([25]);
  await rowsOf("update order_items set delivery_date = delivery_date - 1 where client_id = $1 and order_id = 'FF-12'", [
    id,
  ]);
  expect(await count()).toEqual([24]);
});

it("says how many excluded orders it can't compare, since what was returned isn't known", async () => {
  const { id, ask } = await aShop();
  await ask(31, 70);
  const notCompared = async () => (await findInvitationBias(id, [], NOW)).notCompared;
  expect(await notCompared()).toBe(0);
  await describeOrders(id, 1, 12, { returned: "null" });
  await describeOrders(id, 31, 40, { returned: "null" });
  expect(await notCompared()).toBe(12);
  expect(await questionsOf(id)).toEqual([]);
  // An order counts as invited if the item of it that counts was asked about.
  await rowsOf(
    `insert into order_items (client_id, order_id, id, name, position, delivery_date, reviewable, asked)
     select client_id, order_id, 'P-2', 'Table', 1, delivery_date, true, true from order_items where client_id = $1 and returned is null`,
    [id],
  );
  const md5 = (text: string) => createHash("md5").update(text).digest("hex");
  const excluded = Array.from({ length: 12 }, (_, n) => `FF-${n + 1}`).filter(
    (order) => md5(`${order} P-1`) < md5(`${order} P-2`),
  );
  expect(excluded.length % 12).not.toBe(0);
  expect(await notCompared()).toBe(excluded.length);
  // Also if only the daily limit kept it from that.
  await rowsOf("update order_items set asked = false, withheld = false where client_id = $1 and id = 'P-2'", [id]);
  expect(await notCompared()).toBe(excluded.length);
});

/** What orders are worth and what was returned, by the customer's number. */
const describeOrders = (clientId: string, from: number, to: number, { value = "null", returned = "false" }) =>
  rowsOf(
    `with valued as (
       update orders set value = ${value} from generate_series($2::int, $3::int) n where client_id = $1 and id = 'FF-' || n returning 1)
     update order_items set returned = ${returned} from generate_series($2::int, $3::int) n
      where client_id = $1 and order_id = 'FF-' || n and (select count(*) from valued) >= 0`,
    [clientId, from, to],
  );

const questionsOf = async (id: string) => (await find(id)).map(({ question }) => question);

it("finds that invitations depend on the value of orders", async () => {
  const { id, ask } = await aShop({ reviews: false });
  await ask(30, 70);
  expect(await questionsOf(id)).toEqual([]);
  // 58 orders are known: 15 in each quarter are too few.
  await describeOrders(id, 13, 70, { value: "n" });
  expect(await questionsOf(id)).toEqual([]);
  // What is free doesn't count, like samples and replacements.
  await describeOrders(id, 1, 25, { value: "0" });
  await describeOrders(id, 26, 70, { value: "least(n, 50)" });
  expect(await questionsOf(id)).toEqual([]);
  // Of the least value, 25 are equal.
  await describeOrders(id, 1, 25, { value: "0.5" });
  const [finding, ...others] = await find(id);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    question: "invited_value",
    since: LOOK,
    low: { reviews: 25, count: 0 },
    high: { reviews: 21, count: 21 },
  });
  const later = await find(id, finding ? [finding] : [], new Date(NOW.getTime() + 7 * DAY));
  expect(later).toMatchObject([{ since: LOOK, until: "2026-11-30T00:00:00Z" }]);
});

it("finds that customers who returned something are invited less often", async () => {
  const { id, ask } = await aShop({ reviews: false });
  await ask(26, 70);
  await describeOrders(id, 31, 70, { returned: "false" });
  expect(await questionsOf(id)).toEqual([]);
  await describeOrders(id, 1, 30, { returned: "true" });
  const expected = { question: "invited_returns", low: { reviews: 30, count: 5 }, high: { reviews: 40, count: 40 } };
  expect(await find(id)).toMatchObject([expected]);
  // Another item of the order that was returned, though nobody could be asked about it.
  await describeOrders(id, 1, 30, {});
  await rowsOf(
    `insert into order_items (client_id, order_id, id, position, delivery_date, reviewable, returned)
     select $1, 'FF-' || n, 'P-2', 1, $2, false, true from generate_series(1, 30) n`,
    [id, daysAgo(110)],
  );
  expect(await find(id)).toMatchObject([expected]);
});

it("counts one item of an order, so that it doesn't depend on how many items it has", async () => {
  const { id } = await aShop({ reviews: false });
  await describeOrders(id, 1, 35, { value: "1" });
  await describeOrders(id, 36, 70, { value: "2" });
  // Of each second order of one item, and of two of four items.
  await rowsOf(
    "update order_items set withheld = false, asked = true where client_id = $1 and substr(order_id, 4)::int % 2 = 0",
    [id],
  );
  await rowsOf(
    `insert into order_items (client_id, order_id, id, name, position, delivery_date, reviewable, asked, withheld, returned)
     select client_id, order_id, id || n, 'Table', n, delivery_date, true, asked = (n = 1), asked <> (n = 1), false
       from order_items, generate_series(1, 3) n where client_id = $1 and substr(order_id, 4)::int > 35`,
    [id],
  );
  expect(await questionsOf(id)).toEqual([]);
  const orders = await selectFirstOrders(pool(), id, new Date(LOOK));
  const asked = (value: number) => orders.filter((order) => order.value === value && order.asked).length;
  expect(asked(1)).toBe(17);
  expect(asked(2)).toBeGreaterThan(8);
  expect(asked(2)).toBeLessThan(27);
});

it("counts the item of an order that was delivered first", async () => {
  const { id, ask } = await aShop();
  await ask(31, 70);
  // What comes later is only asked about if the first item wasn't: otherwise, it is in the cooldown.
  await rowsOf(
    `insert into order_items (client_id, order_id, id, name, position, delivery_date, reviewable, asked, returned)
     select $1, 'FF-' || n, 'P-2', 'Table', 1, $2, true, true, false from generate_series(1, 30) n`,
    [id, daysAgo(109)],
  );
  const askedAbout = async () => (await selectFirstOrders(pool(), id, new Date(LOOK))).filter(({ asked }) => asked);
  expect(await askedAbout()).toHaveLength(40);
  await rowsOf("update order_items set delivery_date = $2 where client_id = $1 and id = 'P-2'", [id, daysAgo(111)]);
  expect(await askedAbout()).toHaveLength(70);
});

it("leaves returns to the question about returns", async () => {
  const { id, ask } = await aShop();
  await ask(31, 70);
  await describeOrders(id, 1, 30, { value: "1", returned: "false" });
  await describeOrders(id, 31, 70, { value: "2", returned: "false" });
  expect(await questionsOf(id)).toEqual(["invited", "invited_value"]);
  await describeOrders(id, 1, 30, { value: "1", returned: "true" });
  expect(await questionsOf(id)).toEqual(["invited_returns"]);
  // The store may have excluded these for a return.
  await describeOrders(id, 1, 30, { value: "1", returned: "null" });
  expect(await questionsOf(id)).toEqual([]);
});

it("counts items that were asked about or withheld, and no others", async () => {
  const { id, ask } = await aShop();
  await ask(31, 70);
  const count = async () => {
    const orders = await selectFirstOrders(pool(), id, new Date(LOOK));
    return [orders.length, orders.filter(({ asked }) => asked).length];
  };
  expect(await count()).toEqual([70, 40]);
  const add = (item: string, day: Date | null, columns: string, name: string | null = item) =>
    rowsOf(
      `insert into order_items (client_id, order_id, id, name, position, delivery_date, reviewable, reviewable_set, asked, withheld)
       select $1, 'FF-' || n, $2, $4, 1, $3, ${columns} from generate_series(1, 30) n`,
      [id, item, day, name],
    );
  await add("due, but not asked about", daysAgo(110), "true, null, false, null");
  await add("excluded, and left out by the rules", daysAgo(110), "false, false, false, null");
  await add("unknown", daysAgo(110), "false, null, false, null");
  await add("unknown, and included by the store", daysAgo(110), "true, true, true, null", null);
  // The look is on day 6: what was delivered 66 days ago can be asked about until then.
  await add("open", daysAgo(66), "true, null, true, null");
  await rowsOf(
    "insert into products (client_id, id, family_id, name, deleted) values ($1, 'gone', 'gone', 'Lamp', true)",
    [id],
  );
  await add("gone", daysAgo(110), "true, null, true, null");
  await add("asked about the store only", daysAgo(110), "true, null, false, null");
  await rowsOf(
    `with emails as (
       insert into invitations (client_id, id, customer_id, email_key, kind, status, day)
       select $1, 'i' || n, 'c' || n, n || '@mail.example', 'seller', 'sent', $2 from generate_series(1, 30) n returning *)
     insert into invitation_items (client_id, invitation_id, order_id, item_id, position)
     select client_id, id, 'FF-' || substr(id, 2), 'asked about the store only', 0 from emails`,
    [id, daysAgo(90)],
  );
  expect(await count()).toEqual([70, 40]);
  // What the store ends once it is too late doesn't count, and what it cancels does.
  await rowsOf("update order_items set reviewable = true, reviewable_set = null where client_id = $1 and withheld", [
    id,
  ]);
  expect(await count()).toEqual([70, 40]);
  await rowsOf(
    "update order_items set delivery_date = null where client_id = $1 and order_id in ('FF-8', 'FF-9', 'FF-10')",
    [id],
  );
  expect(await count()).toEqual([67, 40]);
});

it("compares only deliveries since exclusions are recorded", async () => {
  const { id, ask } = await aShop();
  await ask(31, 70);
  const moveStart = (day: Date) =>
    rowsOf("update recorded_exclusions set first_delivery = $2 where client_id = $1", [id, day]);
  await moveStart(daysAgo(110));
  expect(await questionsOf(id)).toEqual(["invited"]);
  await moveStart(daysAgo(109));
  expect(await findInvitationBias(id, [], NOW)).toEqual({ findings: [], notCompared: 0 });
  await rowsOf("delete from recorded_exclusions where client_id = $1", [id]);
  expect(await findInvitationBias(id, [], NOW)).toEqual({ findings: [], notCompared: 0 });
});

it("takes what is excluded after 90 days as final", async () => {
  const { id, ask } = await aShop();
  await ask(31, 70);
  await rowsOf("update clients set send_emails_before_days = 3650 where id = $1", [id]);
  expect(await questionsOf(id)).toEqual(["invited"]);
});

it("counts the last review before the order only", async () => {
  const { id, ask } = await aShop();
  await ask(31, 70);
  expect(await find(id)).toMatchObject([{ low: { reviews: 30, count: 0 } }]);
  // What is free doesn't count, such as a replacement after a complaint.
  await rowsOf("update orders set value = 0 where client_id = $1 and id in ('FF-1', 'FF-2')", [id]);
  expect(await find(id)).toMatchObject([{ low: { reviews: 28, count: 0 } }]);
  await review(id, () => 3, 130);
  expect(await find(id)).toEqual([]);
  expect(lookBefore(NOW.getTime())).toBe(Date.parse(LOOK));
});

it("takes a person's first order with a value and the first one with returns, though these are two orders", async () => {
  const { id } = await aShop({ reviews: false });
  await rowsOf(
    "update orders set customer_id = 'c1', created_at = created_at + right(id, 1)::int * interval '1 hour' where client_id = $1 and id in ('FF-1', 'FF-2', 'FF-3', 'FF-4')",
    [id],
  );
  await describeOrders(id, 4, 70, { value: "n", returned: "null" });
  await describeOrders(id, 1, 1, { value: "n", returned: "true" });
  await describeOrders(id, 2, 3, { value: "n", returned: "false" });
  const first = await selectFirstOrders(pool(), id, new Date(LOOK));
  expect(first.toSorted((a, b) => Number(a.value) - Number(b.value))).toEqual([
    { value: null, returned: true, asked: false, anyAsked: false, week: "2026-08-10" },
    { value: 2, returned: null, asked: false, anyAsked: false, week: "2026-08-10" },
  ]);
  // The first delivery counts, not the first order.
  await rowsOf("update order_items set delivery_date = delivery_date - 7 where client_id = $1 and order_id = 'FF-3'", [
    id,
  ]);
  const byDelivery = await selectFirstOrders(pool(), id, new Date(LOOK));
  expect(byDelivery).toMatchObject([{ value: 3, returned: false, week: "2026-08-03" }]);
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
    `update order_items set delivery_date = delivery_date + right(order_id, 1)::int, reviewable = right(order_id, 1) < '6', asked = right(order_id, 1) < '6',
            reviewable_set = nullif(right(order_id, 1) < '6', true)
      where client_id = $1 and order_id like 'FF-%'`,
    [id],
  );
  await rowsOf("update order_items set withheld = true where client_id = $1 and order_id like 'FF-%' and not asked", [
    id,
  ]);
  for (const table of ["orders", "order_items"]) await rowsOf(`vacuum analyze ${table}`);
  const valuesOf = async (maxItems?: number) =>
    (await selectFirstOrders(pool(), id, new Date(LOOK), { maxItems }))
      .map(({ value }) => Number(value))
      .sort((a, b) => a - b);
  expect(await valuesOf()).toEqual(Array.from({ length: 70 }, (_, index) => index + 1));
  expect(await valuesOf(14)).toEqual([8, 9, 18, 19, 28, 29, 38, 39, 48, 49, 58, 59, 68, 69]);
  const cost = async (options: { maxItems?: number; allCount?: boolean }) =>
    (await queryCost(await captureStatement((db) => selectFirstOrders(db, id, new Date(LOOK), options)))).read;
  // The item by its day, the order, its customer and its items.
  expect(await cost({})).toBeLessThan(15 * 70);
  expect(await cost({ maxItems: 14 })).toBeLessThan(15 * 14);
  // If all exclusions count, the orders of these days, too, and none that had no day of delivery earlier.
  await rowsOf("update orders set created_at = $2 where client_id = $1 and id like 'OLD-%'", [id, daysAgo(400)]);
  await rowsOf(
    "update order_items set delivery_date = null where client_id = $1 and order_id like 'OLD-%' and not reviewable",
    [id],
  );
  for (const table of ["orders", "order_items"]) await rowsOf(`vacuum analyze ${table}`);
  expect(await cost({ allCount: true })).toBeLessThan(20 * 70);
  // To mark the items of a day, those that were delivered that day, and not asked about, are read.
  const rules = { afterDays: 7, beforeDays: 60, quarantineDays: 21, limit: 100 };
  const deliveries = { first: "2026-08-17", last: "2026-08-17" };
  const mark = await captureStatement((db) => markWithheld(db, id, rules, deliveries));
  expect((await queryCost(mark)).read).toBeLessThan(15 * 7);
});

it("reads nothing of a store that excludes nothing, however many items its daily limit leaves out", async () => {
  const { id } = await aShop({ reviews: false });
  await rowsOf(
    `insert into order_items (client_id, order_id, id, name, position, delivery_date, reviewable, withheld)
     select $1, 'FF-' || 1 + n % 70, 'L-' || n, 'Lamp', n, $2::date, true, false from generate_series(1, 5000) n`,
    [id, daysAgo(105)],
  );
  await rowsOf("vacuum analyze order_items");
  const count = (db: Db) => countWithheldOrders(db, id, new Date(LOOK));
  expect(await count(pool())).toEqual({ count: 70, unknown: 0 });
  await rowsOf("update order_items set withheld = null where withheld and client_id = $1", [id]);
  await rowsOf("vacuum analyze order_items");
  expect(await count(pool())).toEqual({ count: 0, unknown: 0 });
  expect((await queryCost(await captureStatement(count))).read).toBeLessThan(20);
});
