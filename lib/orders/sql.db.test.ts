import { beforeAll, describe, expect, it } from "vitest";
import type { OrderFilter } from "@/lib/orders/schema";
import { aClient, rowsOf, type TestClient } from "@/lib/tools/test/factories";
import { captureStatement, queryCost } from "@/lib/tools/test/query-cost";
import { selectOrderPage } from "./sql";

const ORDERS = 8_000;
const LIMIT = 50;

let shop: TestClient;
beforeAll(async () => {
  shop = await aClient();
  // One in ten orders belongs to one person, who has ten customer ids.
  await rowsOf(
    `insert into customers (client_id, id, id_hash, email, email_key)
     select $1, 'c' || n, 'h' || n, e, e from (select n, case when n % 500 = 0 then 'ada@example.org' else n || '@example.org' end as e from generate_series(0, 4999) n) g`,
    [shop.id],
  );
  await rowsOf("analyze customers"); // Foreign keys are checked row by row, with a plan that must not be one for an empty table.
  await rowsOf(
    `insert into orders (client_id, id, customer_id, created_at)
     select $1, to_char(n, 'FM000000'), 'c' || case when n % 10 = 0 then n % 5000 / 500 * 500 else n % 5000 end, now() - (${ORDERS} + 1 - n) * interval '1 s'
       from generate_series(1, ${ORDERS}) n`,
    [shop.id],
  );
  await rowsOf("analyze orders");
  await rowsOf(
    "insert into order_items (client_id, order_id, id, position, reviewable) select client_id, id, 'sku-1', 0, true from orders where client_id = $1",
    [shop.id],
  );
  await rowsOf("analyze order_items");
});

const work = async (filter: Partial<OrderFilter>, emailKey: string | null, offset?: number) => {
  const [row] =
    offset === undefined
      ? []
      : await rowsOf(
          "select id, created_at from orders where client_id = $1 order by created_at, id offset $2 limit 1",
          [shop.id, offset],
        );
  const cursor = row
    ? { order: "orders", key: [row.created_at.toISOString(), row.id], startedAt: new Date().toISOString() }
    : null;
  return queryCost(
    await captureStatement((db) =>
      selectOrderPage(db, shop.id, { limit: LIMIT, ...filter }, emailKey, cursor, { people: true }),
    ),
  );
};

describe("a page of orders", () => {
  it("costs the same at any position", async () => {
    const first = await work({}, null);
    // The order, its customer and its item.
    expect(first.read).toBeLessThanOrEqual(4 * (LIMIT + 1));
    expect((await work({}, null, ORDERS - 1_000)).read).toBe(first.read);
    const late = new Date(Date.now() - 500_000).toISOString();
    expect((await work({ created_after: late }, null)).read).toBeLessThanOrEqual(first.read);
  });

  it("of a customer reads only that customer's orders", async () => {
    for (const offset of [undefined, ORDERS - 1_000])
      expect((await work({ customer_id: "c500" }, null, offset)).read).toBeLessThanOrEqual(4 * (LIMIT + 1));
  });

  it("of an email address reads a page per customer with it, not all their orders", async () => {
    for (const offset of [undefined, ORDERS - 1_000])
      expect((await work({}, "ada@example.org", offset)).read).toBeLessThanOrEqual(10 * (LIMIT + 2) + 4 * (LIMIT + 1));
  });
});
