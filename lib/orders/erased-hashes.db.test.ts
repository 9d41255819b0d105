import { expect, it } from "vitest";
import {
  hasErasedOrders,
  hasErasuresSince,
  purgeErased,
  recordErased,
  selectBlockedOrders,
  selectErased,
  selectErasedAt,
} from "@/lib/orders/erased-hashes";
import { pool } from "@/lib/platform/db/pool";
import { eraseCompletely } from "@/lib/tools/test/erase";
import { aClient, anOrder, rowsOf } from "@/lib/tools/test/factories";

const everything = ["order", "contact", "customer", "email", "address"] as const;

it("stores only keyed hashes of erased data, separate for each kind and client", async () => {
  const [shop, other] = [await aClient(), await aClient()];
  await recordErased(pool(), shop.id, "order", ["FF-1001", "FF-1001", "FF-1002"]);
  await recordErased(pool(), shop.id, "email", ["Ada@Customers.example"]);
  const candidates = ["FF-1001", "FF-1003", "ada@customers.example ", "ADA@customers.example"];
  const answers = await Promise.all(everything.map((what) => selectErased(pool(), shop.id, what, candidates)));
  expect(answers.map((answer) => [...answer].sort())).toEqual([["FF-1001"], [], [], candidates.slice(2).sort(), []]);
  for (const what of everything) expect(await selectErased(pool(), other.id, what, candidates)).toEqual(new Set());
  expect([await hasErasedOrders(pool(), shop.id), await hasErasedOrders(pool(), other.id)]).toEqual([true, false]);
  const storedHashes = JSON.stringify(await rowsOf("select * from erased_hashes where client_id = $1", [shop.id]));
  expect(storedHashes).not.toMatch(/FF-|ada@/i);
});

it("purges hashes of people after some days unless erased again or a store system is connected, and never those of orders", async () => {
  const [shop, connected] = [await aClient(), await aClient()];
  await rowsOf(
    "insert into integrations (client_id, type, enabled) values ($1, 'share', true), ($2, 'commerce', false)",
    [shop.id, connected.id],
  );
  for (const { id } of [shop, connected]) {
    for (const what of everything) await recordErased(pool(), id, what, ["a", "b"]);
    await rowsOf("update erased_hashes set erased_at = now() - interval '9 days' where client_id = $1", [id]);
  }
  const recently = new Date(Date.now() - 86_400_000);
  expect(await hasErasuresSince(pool(), shop.id, recently)).toBe(false);
  await recordErased(pool(), shop.id, "customer", ["b"]);
  await recordErased(pool(), shop.id, "order", ["b"]);
  expect(await hasErasuresSince(pool(), shop.id, recently)).toBe(true);
  const moments = async (what: "customer" | "order") =>
    [...(await selectErasedAt(pool(), shop.id, what, ["a", "b"]))]
      .map(([id, moment]) => [id, moment > recently])
      .sort();
  expect(await moments("customer")).toEqual([
    ["a", false],
    ["b", true],
  ]);
  expect(await moments("order")).toEqual([
    ["a", false],
    ["b", false],
  ]);
  expect(await purgeErased()).toBe(7);
  expect(await purgeErased()).toBe(0);
  const left = ({ id }: { id: string }) =>
    rowsOf("select what, count(*)::int as count from erased_hashes where client_id = $1 group by 1 order by 1", [id]);
  expect(await left(shop)).toEqual([
    { what: "contact", count: 2 },
    { what: "customer", count: 1 },
    { what: "order", count: 2 },
  ]);
  expect(await left(connected)).toEqual([
    { what: "contact", count: 2 },
    { what: "customer", count: 2 },
    { what: "email", count: 2 },
    { what: "order", count: 2 },
  ]);
});

it("keeps hashes of people for a year after a connected system's last order, even if it is disconnected", async () => {
  const [lately, longAgo] = [await aClient(), await aClient()];
  const days = new Map([
    [lately.id, 360],
    [longAgo.id, 370],
  ]);
  for (const [id, age] of days) {
    await rowsOf(
      `insert into deliveries (client_id, id, type, kind, subject, outcome, created_at)
       values ($1, 'd-1', 'commerce', 'order', '1001', 'imported', now() - make_interval(days => $2))`,
      [id, age],
    );
    for (const what of ["customer", "email", "address"] as const) await recordErased(pool(), id, what, ["a"]);
    await rowsOf("update erased_hashes set erased_at = now() - interval '9 days' where client_id = $1", [id]);
  }
  await purgeErased();
  const left = ({ id }: { id: string }) =>
    rowsOf("select what from erased_hashes where client_id = $1 order by what", [id]);
  expect(await left(lately)).toEqual([{ what: "customer" }, { what: "email" }]);
  expect(await left(longAgo)).toEqual([]);
});

it("keeps hashes of people for a year after a connected system's last order, even if all its orders were erased", async () => {
  const { id } = await aClient();
  const importOrder = async (order: string, customer: string, age: number) => {
    await anOrder(id, { id: order, customer: { id: customer } });
    await rowsOf(
      `insert into deliveries (client_id, id, type, kind, subject, outcome, created_at)
       values ($1, $2, 'commerce', 'order', $2, 'imported', now() - make_interval(days => $3))`,
      [id, order, age],
    );
  };
  await importOrder("1001", "ada", 300);
  await importOrder("1002", "ada", 200);
  await importOrder("1003", "bo", 360);
  for (const customer of ["ada", "bo"]) await eraseCompletely(id, { by: "customer", id: customer });
  expect(await rowsOf("select from deliveries where client_id = $1", [id])).toEqual([]);
  const left = async () => {
    await purgeErased();
    return [...(await selectErased(pool(), id, "customer", ["ada", "bo"]))].sort();
  };
  const later = (days: number) =>
    rowsOf("update erased_hashes set erased_at = erased_at - make_interval(days => $2) where client_id = $1", [
      id,
      days,
    ]);
  await later(160);
  expect(await left()).toEqual(["ada", "bo"]);
  await later(10);
  expect(await left()).toEqual([]);
});

it("skips an erased person's orders placed or read before the erasure", async () => {
  const shop = await aClient();
  await recordErased(pool(), shop.id, "customer", ["ada"]);
  await recordErased(pool(), shop.id, "email", ["ada@x.example"]);
  const erasedAt = (await selectErasedAt(pool(), shop.id, "customer", ["ada"])).get("ada") as Date;
  const after = (minutes: number) => new Date(erasedAt.getTime() + minutes * 60_000);
  const ordersOfRun = (run: string) => [
    { id: `${run} before`, customer: { id: "ada" }, placed: after(-1) },
    { id: `${run} by mail`, customer: { id: "other", email: "Ada@x.example" }, placed: after(-1) },
    { id: `${run} later`, customer: { id: "ada" }, placed: after(1) },
    { id: `${run} undated`, customer: { id: "ada" } },
    { id: `${run} of bo`, customer: { id: "bo", email: "bo@x.example" }, placed: after(-1) },
  ];
  const away = async (orders: ReturnType<typeof ordersOfRun>, read: Date) =>
    [...(await selectBlockedOrders(pool(), shop.id, orders, read))].sort();
  expect(await away(ordersOfRun("new"), after(2))).toEqual(["new before", "new by mail"]);
  // Another system's clock may be fast: what was read before the erasure counts as placed before it.
  expect(await away(ordersOfRun("old"), after(-2))).toEqual(["old before", "old by mail", "old later", "old undated"]);
  // These orders stay excluded until they are posted again, and then still exclude copies read before.
  await anOrder(shop.id, { id: "new before", customer: { id: "ada" } });
  const again = ordersOfRun("new").slice(0, 2);
  expect(await away(again, after(2))).toEqual(["new by mail"]);
  expect(await away(again, after(-2))).toEqual(["new before", "new by mail"]);
  await rowsOf("delete from erased_hashes where client_id = $1 and what in ('customer', 'email')", [shop.id]);
  expect(await away(again, after(2))).toEqual(["new by mail"]);
});
