import { expect, it } from "vitest";
import { lookBefore } from "@/lib/honesty/bias/find-bias";
import { findInvitationBias, selectLastOrders } from "@/lib/honesty/bias/find-invitation-bias";
import { pool } from "@/lib/platform/db/pool";
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

/** A store with customers who gave one star (the first 30) or five (40). It excluded the orders that followed. */
async function aShop({ reviews = true } = {}) {
  const shop = await aClient({ send_emails_before_days: 60 });
  await manyCustomers(shop.id, 70);
  await rowsOf("update orders set created_at = $2 where client_id = $1", [shop.id, daysAgo(120)]);
  await rowsOf(
    `insert into order_items (client_id, order_id, id, position, delivery_date, reviewable, reviewable_set, returned)
     select client_id, id, 'P-1', 0, $2::date, false, false, false from orders where client_id = $1`,
    [shop.id, daysAgo(110)],
  );
  if (reviews) await review(shop.id, (n) => (n <= 30 ? 1 : 5), 200);
  const ask = (from: number, to: number) =>
    rowsOf(
      `update order_items set asked = true, reviewable = true, reviewable_set = null where client_id = $1
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
  // When they opted out, it was too late to ask.
  expect(await findInvitationBias(id, [], NOW)).toHaveLength(1);
  await rowsOf("update suppressions set created_at = $2 where client_id = $1", [id, daysAgo(51)]);
  expect(await findInvitationBias(id, [], NOW)).toEqual([]);
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

/** An email to each of these customers. */
const emailPeople = (clientId: string, from: number, to: number, at: Date) =>
  rowsOf(
    `insert into invitations (client_id, id, customer_id, email_key, status, day, created_at)
     select $1, 'i' || n, 'c' || n, n || '@mail.example', 'sent', $4::date, $4 from generate_series($2::int, $3::int) n`,
    [clientId, from, to, at],
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
  const moveEmails = (day: Date) => rowsOf("update invitations set day = $2 where client_id = $1", [id, day]);
  // They could be asked about from 103 days ago to 50 days ago. An email of that time would have asked about them.
  await emailPeople(id, 1, 5, daysAgo(102));
  await rowsOf("update clients set quarantine_period = 60 where id = $1", [id]);
  expect(await findInvitationBias(id, [], NOW)).toMatchObject([{ low: { reviews: 30 } }]);
  await moveEmails(daysAgo(104));
  expect(await findInvitationBias(id, [], NOW)).toMatchObject([{ low: { reviews: 25 } }]);
  // 110 + 60 days ago: the cooldown ends on their last day.
  await moveEmails(daysAgo(110));
  expect(await findInvitationBias(id, [], NOW)).toMatchObject([{ low: { reviews: 30 } }]);
  await moveEmails(daysAgo(109));
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

it("leaves out orders that came after the email that began the cooldown, or after their last day", async () => {
  const { id, ask } = await aShop({ reviews: false });
  await ask(31, 70);
  await describeOrders(id, 1, 30, { returned: "true" });
  await describeOrders(id, 31, 70, { returned: "false" });
  await rowsOf("update clients set quarantine_period = 60 where id = $1", [id]);
  await emailPeople(id, 1, 5, daysAgo(90));
  const arrive = (from: number, to: number, at: Date) =>
    rowsOf(
      `update orders set created_at = $4 where client_id = $1
          and id in (select 'FF-' || n from generate_series($2::int, $3::int) n)`,
      [id, from, to, at],
    );
  await arrive(1, 2, daysAgo(89));
  expect(await findInvitationBias(id, [], NOW)).toMatchObject([{ low: { reviews: 28 } }]);
  await arrive(6, 8, daysAgo(51));
  expect(await findInvitationBias(id, [], NOW)).toMatchObject([{ low: { reviews: 28 } }]);
  await arrive(6, 8, daysAgo(50));
  expect(await findInvitationBias(id, [], NOW)).toMatchObject([{ low: { reviews: 25 } }]);
});

it("leaves out orders of which another item can still be asked about", async () => {
  const { id, ask } = await aShop();
  await ask(31, 70);
  await describeOrders(id, 1, 30, { value: "1" });
  await describeOrders(id, 31, 70, { value: "2" });
  const questions = ["invited", "invited_value"];
  const counts = async () =>
    (await findInvitationBias(id, [], NOW)).map(({ question, low, high }) => [question, low.reviews, high.reviews]);
  expect(await counts()).toEqual(questions.map((question) => [question, 30, 40]));
  // The look is on day 6: what was delivered 66 days ago can be asked about until then.
  await rowsOf(
    `insert into order_items (client_id, order_id, id, position, reviewable, reviewable_set, delivery_date)
     select $1, 'FF-' || n, 'P-2', 1, false, false, case when n <= 5 then $2 when n <= 10 then $2 - 1 end
       from (select n, $2::date from generate_series(1, 15) n) n`,
    [id, daysAgo(66)],
  );
  expect(await counts()).toEqual(questions.map((question) => [question, 25, 40]));
  // Whether another item was asked about or not.
  await rowsOf(
    `insert into order_items (client_id, order_id, id, position, reviewable, delivery_date)
     select $1, 'FF-' || n, 'P-2', 1, true, $2 from generate_series(61, 70) n`,
    [id, daysAgo(66)],
  );
  expect(await counts()).toEqual(questions.map((question) => [question, 25, 30]));
});

it("leaves out orders that no email asked about for another reason than the store's exclusion", async () => {
  const { id, ask } = await aShop();
  await ask(31, 70);
  await describeOrders(id, 1, 30, { returned: "true" });
  await describeOrders(id, 31, 70, { returned: "false" });
  const change = (set: string, from: number, to: number) =>
    rowsOf(
      `update order_items set ${set} where client_id = $1 and order_id in (select 'FF-' || n from generate_series($2::int, $3::int) n)`,
      [id, from, to],
    );
  const count = async () => (await findInvitationBias(id, [], NOW)).map(({ low }) => low.reviews);
  expect(await count()).toEqual([30]);
  // Reviewed before, not in the catalog any more, too many for a day, or whatever else.
  await change("reviewable = true, reviewable_set = null", 1, 7);
  expect(await count()).toEqual([23]);
  // Paused until the last day or longer is excluded; paused until the day before isn't.
  await change("held_at = now(), held_until = delivery_date + 60", 1, 2);
  await change("held_at = now(), held_until = delivery_date + 61", 3, 4);
  await change("held_at = now()", 5, 6);
  expect(await count()).toEqual([27]);
  // With another item that it didn't exclude.
  await rowsOf(
    `insert into order_items (client_id, order_id, id, position, reviewable, delivery_date)
     select $1, 'FF-' || n, 'P-2', 1, true, $2 from generate_series(8, 10) n`,
    [id, daysAgo(110)],
  );
  expect(await count()).toEqual([24]);
  // Nobody may ask people who are opted out by an order, also of another customer id.
  await rowsOf("update customers set opt_out_by_order = true where client_id = $1 and id in ('c11')", [id]);
  await rowsOf(
    `insert into customers (client_id, id, email, email_key, id_hash, opt_out_by_order)
     values ($1, 'other', '12@mail.example', '12@mail.example', 'other', true)`,
    [id],
  );
  expect(await count()).toEqual([22]);
  // An order that was asked about counts, also if its person opted out by that.
  await rowsOf("update customers set opt_out_by_order = true where client_id = $1 and id in ('c31', 'c32')", [id]);
  expect(await findInvitationBias(id, [], NOW)).toMatchObject([{ low: { reviews: 22 }, high: { reviews: 40 } }]);
});

it("leaves out excluded orders that the rules would have left out", async () => {
  const { id, ask } = await aShop();
  await ask(31, 70);
  const count = async () => (await findInvitationBias(id, [], NOW)).map(({ low }) => low.reviews);
  // They could be asked about until 50 days ago. Who reviewed the product 180 days before couldn't.
  const reviewProduct = (numbers: number[], date: Date) =>
    someReviews(
      id,
      numbers.map((n) => ({ score: 1, product_id: "P-1", customer_id: `c${n}`, created_at: daysAgo(200), date })),
    );
  await reviewProduct([1, 2], daysAgo(231));
  expect(await count()).toEqual([30]);
  await reviewProduct([3, 4, 5], daysAgo(229));
  expect(await count()).toEqual([27]);
  // From 103 days ago on it could have been asked about.
  await reviewProduct([7, 8, 9], daysAgo(102));
  expect(await count()).toEqual([27]);
  await reviewProduct([7], daysAgo(103));
  expect(await count()).toEqual([26]);
  await rowsOf(
    "insert into products (client_id, id, family_id, name, deleted) values ($1, 'P-2', 'P-2', 'Lamp', true)",
    [id],
  );
  await rowsOf("update order_items set id = 'P-2' where client_id = $1 and order_id in ('FF-6', 'FF-36')", [id]);
  expect(await findInvitationBias(id, [], NOW)).toMatchObject([{ low: { reviews: 25 }, high: { reviews: 40 } }]);
  // Paused instead of excluded.
  await rowsOf(
    "update order_items set reviewable = true, reviewable_set = null, held_at = now() where client_id = $1 and not asked",
    [id],
  );
  expect(await count()).toEqual([25]);
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

it("takes what is excluded after 90 days as final, and no item of a later delivery", async () => {
  const { id, ask } = await aShop();
  await ask(31, 70);
  await rowsOf("update clients set send_emails_before_days = 3650 where id = $1", [id]);
  expect(await questionsOf(id)).toEqual(["invited"]);
  await rowsOf(
    `insert into order_items (client_id, order_id, id, position, reviewable, reviewable_set, delivery_date)
     select $1, 'FF-' || n, 'P-2', 1, false, false, $2 from generate_series(1, 30) n`,
    [id, daysAgo(-1_000)],
  );
  expect(await questionsOf(id)).toEqual(["invited"]);
});

it("counts the last review before the order only", async () => {
  const { id, ask } = await aShop();
  await ask(31, 70);
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
  await describeOrders(id, 4, 70, { value: "n", returned: "null" });
  await describeOrders(id, 1, 2, { value: "n", returned: "false" });
  await describeOrders(id, 3, 3, { value: "n", returned: "true" });
  const last = await selectLastOrders(pool(), id, new Date(LOOK));
  expect(last.toSorted((a, b) => Number(a.value) - Number(b.value))).toEqual([
    { value: null, returned: true, asked: false },
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
    `update order_items set delivery_date = delivery_date + right(order_id, 1)::int, reviewable = right(order_id, 1) < '6', asked = right(order_id, 1) < '6',
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
  // The item by its day, the order, its customer and its items; of excluded ones also what the rules would have read.
  expect((await cost()).read).toBeLessThan(15 * 70);
  expect((await cost(14)).read).toBeLessThan(15 * 14);
});
