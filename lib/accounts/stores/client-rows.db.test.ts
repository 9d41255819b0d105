import { describe, expect, it } from "vitest";
import { OrderInput } from "@/lib/orders/schema";
import { storeOrder } from "@/lib/orders/store-order";
import { pool } from "@/lib/platform/db/pool";
import { aClient, anOrder, rowsOf, someReviews, uniqueName } from "@/lib/tools/test/factories";

// What the database promises about rows that reference a client without a foreign key (prisma/README.md).

const refused = { code: "23503" };
const left = async (clientId: string) => {
  const found: Record<string, number> = {};
  for (const table of ["reviews", "customers", "orders", "order_items", "product_summaries", "moderation_events"])
    found[table] = (await rowsOf(`select from ${table} where client_id = $1`, [clientId])).length;
  return found;
};
/** How many wait for what writes and the end of a client lock each other out with. */
const waitingForClients = async (): Promise<number> =>
  (
    await rowsOf(
      `select from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
  ).length;
const nothing = Object.fromEntries(Object.keys(await left("")).map((table) => [table, 0]));

describe("rows that name a client", () => {
  it("are refused where there is no such client, all of the statement", async () => {
    const shop = await aClient();
    const customers = (ids: string[]) =>
      pool().query("insert into customers (client_id, id, id_hash) select id, 'c', 'h' from unnest($1::text[]) id", [
        ids,
      ]);
    await expect(customers([shop.id, uniqueName("nobody")])).rejects.toMatchObject({ ...refused, table: "customers" });
    expect(await left(shop.id)).toEqual(nothing);
    await expect(someReviews(uniqueName("nobody"), [{}])).rejects.toMatchObject(refused);
    const { order } = OrderInput.parse({ order: { id: "o", customer: { id: "c" } } });
    const write = { clientId: uniqueName("nobody"), customer: order.customer, order };
    await expect(storeOrder(pool(), write)).rejects.toMatchObject(refused);
  });

  it("go with it, and nobody else's", async () => {
    const [shop, other] = [await aClient(), await aClient()];
    for (const { id } of [shop, other]) {
      await anOrder(id);
      await someReviews(id, [{ accepted: true }, { accepted: null }]);
    }
    const others = await left(other.id);
    expect(others).toMatchObject({ reviews: 2, customers: 1, orders: 1, order_items: 1 });
    await rowsOf("delete from clients where id = $1", [shop.id]);
    expect(await left(shop.id)).toEqual(nothing);
    expect(await left(other.id)).toEqual(others);
  });

  it("go with it also when they were being written as it went", async () => {
    const shop = await aClient();
    const writer = await pool().connect();
    try {
      await writer.query("begin");
      await writer.query("insert into customers (client_id, id, id_hash) values ($1, 'c', 'h')", [shop.id]);
      const end = pool().query("delete from clients where id = $1", [shop.id]);
      await expect.poll(waitingForClients).toBe(1);
      await writer.query("commit");
      await end;
    } finally {
      writer.release();
    }
    expect(await left(shop.id)).toEqual(nothing);
  });

  it("are refused when it went while they waited to be written", async () => {
    const shop = await aClient();
    const ending = await pool().connect();
    try {
      await ending.query("begin");
      await ending.query("delete from clients where id = $1", [shop.id]);
      const write = pool()
        .query("insert into customers (client_id, id, id_hash) values ($1, 'c', 'h')", [shop.id])
        .catch((error: unknown) => error);
      await expect.poll(waitingForClients).toBe(1);
      await ending.query("commit");
      expect(await write).toMatchObject(refused);
    } finally {
      ending.release();
    }
    expect(await left(shop.id)).toEqual(nothing);
  });
});

it("the id of a client does not change", async () => {
  const shop = await aClient();
  await expect(rowsOf("update clients set id = id || 'x' where id = $1", [shop.id])).rejects.toThrow(/does not change/);
});

it("an address that another takes the place of is noted, once, and the present one is not", async () => {
  const shop = await aClient();
  const noted = () =>
    rowsOf("select customer_id, email_key from customer_emails where client_id = $1 order by 2", [shop.id]);
  const post = (email?: string | null) => anOrder(shop.id, { customer: { id: "c", name: "Ada", email } });
  await post("Ada@Example.org");
  await post("ada@example.org");
  await post(undefined);
  expect(await noted()).toEqual([]);
  for (const email of ["b@example.org", "ada@example.org", "b@example.org", null]) await post(email);
  expect(await noted()).toEqual([
    { customer_id: "c", email_key: "ada@example.org" },
    { customer_id: "c", email_key: "b@example.org" },
  ]);
});
