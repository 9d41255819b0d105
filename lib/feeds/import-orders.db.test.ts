import path from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generatedOrders } from "@/lib/feeds/fixtures/generated-orders";
import { type ImportOrdersOptions, importOrders, importOrdersFrom } from "@/lib/feeds/import-orders";
import type { StoredReport } from "@/lib/feeds/import-records";
import { aClient, anOrder, hashDatabase, rowsOf, someProducts, type TestClient } from "@/lib/tools/test/factories";
import { propertyRuns } from "@/lib/tools/test/property-runs";

const fixture = (name: string) => path.join(import.meta.dirname, "fixtures", name);
const importText = (client: TestClient, text: string, options?: ImportOrdersOptions) =>
  importOrders(client.id, Readable.from([Buffer.from(text)]), options);
const importRows = (client: TestClient, rows: object[], options?: ImportOrdersOptions) =>
  importText(client, JSON.stringify(rows), options);

const counts = ({ read, created, updated, unchanged, deleted, rejected, rejectedCount }: StoredReport) => {
  expect(read).toBe(created + updated + unchanged + rejectedCount);
  expect(deleted).toBe(0);
  return { read, created, updated, unchanged, rejected };
};

/** A client's stored orders, without timestamps. */
async function stored(client: TestClient) {
  const columns = {
    customers: "id, name, email, email_key, phone, lang, opt_out_by_order",
    customer_emails: "customer_id, email_key",
    orders: "id, customer_id, store_name, value",
    order_items:
      "order_id, id, family_id, name, category, url, image_url, properties, delivery_date, returned, reviewable_set, reviewable",
  };
  const rows: Record<string, unknown[]> = {};
  for (const [table, names] of Object.entries(columns)) {
    rows[table] = await rowsOf(`select ${names} from ${table} where client_id = $1 order by 1, 2`, [client.id]);
  }
  return rows;
}
const changedAt = (client: TestClient) =>
  rowsOf(
    `select 'c' || id as id, updated_at from customers where client_id = $1 union all select 'o' || id, updated_at from orders where client_id = $1
     union all select 'i' || order_id || ' ' || id, updated_at from order_items where client_id = $1 order by 1`,
    [client.id],
  );
describe("an order feed", () => {
  it("gives the same orders in every format, and changes nothing the second time", async () => {
    const results: unknown[] = [];
    for (const [format, rows] of [
      ["csv", 3],
      ["xml", 2],
      ["json", 2],
    ] as const) {
      const client = await aClient();
      await someProducts(client.id, [{ id: "LAN-3", name: "Third" }]);
      const file = fixture(`lanterna-orders.${format}`);
      const before = await hashDatabase();
      const simulated = await importOrdersFrom(client.id, file, { dryRun: true });
      expect(await hashDatabase()).toBe(before);
      const report = await importOrdersFrom(client.id, file);
      expect(report).toEqual(simulated);
      expect(counts(report)).toEqual({ read: rows, created: rows, updated: 0, unchanged: 0, rejected: [] });
      const moments = await changedAt(client);
      expect(counts(await importOrdersFrom(client.id, file))).toMatchObject({ unchanged: rows });
      expect(await changedAt(client)).toEqual(moments);
      results.push(await stored(client));
      expect(await rowsOf("select kind, status from feed_imports where client_id = $1", [client.id])).toEqual([
        { kind: "orders", status: "done" },
        { kind: "orders", status: "done" },
      ]);
    }
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
    expect(results[0]).toMatchObject({
      customers: [
        { id: "bo@customers.example", email: "Bo@Customers.example" },
        { id: "c-1", name: "Ada Berg", phone: "+46 70 1", lang: "sv" },
      ],
      orders: [{ id: "1001", store_name: "Stockholm" }, { id: "1002" }],
      order_items: [
        { order_id: "1001", id: "LAN-1", reviewable: true, delivery_date: "2026-11-01" },
        { order_id: "1001", id: "LAN-2", reviewable: false, properties: { colour: "oak", manufacturer: "Lanterna" } },
        { order_id: "1002", id: "LAN-3", reviewable: true, name: null },
      ],
    });
  });

  it("rejects single rows, keeps the last of duplicates, and has no customer data in its report", async () => {
    const client = await aClient();
    const report = await importOrdersFrom(client.id, fixture("lanterna-orders-broken.csv"));
    expect(counts(report)).toEqual({
      read: 11,
      created: 4,
      updated: 0,
      unchanged: 0,
      rejected: [
        { row: 1, reason: "doubled" },
        { row: 3, reason: "order_id_missing" },
        { row: 4, reason: "customer_id_missing" },
        { row: 6, reason: "sku_missing" },
        { row: 7, reason: "delivery_date_invalid" },
        { row: 8, reason: "delivery_date_invalid" },
        { row: 9, reason: "reviewable_invalid" },
      ],
    });
    expect((await stored(client)).order_items).toMatchObject([
      { order_id: "2001", delivery_date: "2026-11-05" },
      { order_id: "2003", url: null },
      { order_id: "2009", reviewable: false },
    ]);
    expect(JSON.stringify(await rowsOf("select * from feed_imports where client_id = $1", [client.id]))).not.toMatch(
      /customers\.example|not an address/,
    );
  });

  it("updates stored orders: cancels, re-enables, keeps what rows leave out, deletes nothing", async () => {
    const client = await aClient();
    await anOrder(client.id, {
      id: "1",
      store_name: "Oslo",
      customer: { id: "c", name: "Ann", email: "ann@customers.example", opt_out: true },
      items: [
        { id: "a", delivery_date: "2026-11-01", name: "A", reviewable: true },
        { id: "b", delivery_date: "2026-11-01", name: "B" },
      ],
    });
    const before = await stored(client);
    expect(counts(await importRows(client, [{ order_id: "1", customer_id: "c" }]))).toMatchObject({ unchanged: 1 });
    expect(await stored(client)).toEqual(before);
    const report = await importText(
      client,
      "order_id,customer_id,sku,reviewable,delivery_date\n1,c,a,false,\n1,c,b,,2026-11-01\n1,c,new,true,2026-11-02\n",
    );
    expect(counts(report)).toMatchObject({ read: 3, created: 1, updated: 1, unchanged: 1 });
    const after = await stored(client);
    expect(after.customers).toEqual(before.customers);
    expect(after.orders).toEqual(before.orders);
    expect(after.order_items).toMatchObject([
      { id: "a", name: "A", reviewable: false, delivery_date: "2026-11-01" },
      { id: "b", name: "B", reviewable: true },
      { id: "new", reviewable: true },
    ]);
    expect(
      counts(
        await importRows(client, [{ order_id: "1", customer: { id: "c" }, items: [{ sku: "a", reviewable: true }] }]),
      ),
    ).toMatchObject({ updated: 1 });
    expect((await stored(client)).order_items![0]).toMatchObject({ reviewable: true });
  });

  it("stores what orders are worth and what was returned, and drops what can't be read", async () => {
    const client = await aClient();
    const report = await importText(
      client,
      "order_id,customer_id,sku,order_total,returned,total\n1,c,a,129.90,no,99.00\n1,c,b,129.90,yes,30.90\n2,d,a,12 kr,2,1\n",
    );
    expect(counts(report)).toMatchObject({ created: 3, rejected: [] });
    expect(report.warnings).toEqual([
      { row: 3, field: "value", reason: "not_an_amount" },
      { row: 3, field: "returned", reason: "not_a_flag" },
    ]);
    const { orders, order_items } = await stored(client);
    expect(orders).toMatchObject([
      { id: "1", value: "129.900" },
      { id: "2", value: null },
    ]);
    expect(order_items).toMatchObject([
      { id: "a", returned: false, reviewable: false, properties: { total: "99.00" } },
      { id: "b", returned: true },
      { id: "a", returned: null },
    ]);
    const nested = [{ id: "2", customer: { id: "d" }, total: 12, items: [{ id: "a", returned: false }] }];
    expect(counts(await importRows(client, nested))).toMatchObject({ updated: 1 });
    expect(counts(await importRows(client, nested))).toMatchObject({ unchanged: 1 });
    expect((await stored(client)).orders![1]).toMatchObject({ value: "12.000" });
  });

  it("keeps a person's own opt-out, and uses the last row about a customer", async () => {
    const client = await aClient();
    const order = (id: string, name: string) => ({
      order_id: id,
      customer_id: "c",
      customer_name: name,
      items: [{ sku: `s${id}` }],
    });
    const report = await importRows(client, [order("1", "First"), order("2", "Second"), order("3", "Third")]);
    expect(counts(report)).toMatchObject({ created: 3 });
    expect((await stored(client)).customers).toMatchObject([{ name: "Third" }]);
    expect((await stored(client)).orders).toHaveLength(3);
  });

  it("runs concurrently with another import and with posts without losing an order", async () => {
    const client = await aClient();
    const feed = (name: string) =>
      Array.from({ length: 700 }, (_, at) => ({
        order_id: `o${at}`,
        customer_id: `c${at % 60}`,
        customer_name: name,
        items: [{ sku: `s${at}`, name }],
      }));
    const [one, two] = await Promise.all([
      importRows(client, feed("A")),
      importRows(client, feed("B")),
      ...Array.from({ length: 20 }, (_, at) =>
        anOrder(client.id, { id: `o${at}`, customer: { id: `c${at}` }, items: [{ id: "posted" }] }),
      ),
    ]);
    counts(one as StoredReport);
    counts(two as StoredReport);
    const { orders, order_items } = await stored(client);
    expect(orders).toHaveLength(700);
    expect(order_items).toHaveLength(720);
  });

  it("reports exactly what changes, for any feeds", async () => {
    const item = fc.record(
      {
        sku: fc.constantFrom("a", "b", "c"),
        name: fc.constantFrom("x", "y"),
        delivery_date: fc.constantFrom("2026-01-01", "2026-01-02"),
        reviewable: fc.boolean(),
        returned: fc.boolean(),
        properties: fc.constantFrom({}, { k: "1" }),
      },
      { requiredKeys: ["sku"] },
    );
    const order = fc.record(
      {
        order_id: fc.constantFrom("1", "2", "3"),
        customer_id: fc.constantFrom("p", "q"),
        customer_name: fc.constantFrom("P", "Q"),
        store_name: fc.constantFrom("S", "T"),
        order_value: fc.constantFrom("7", "129.90", 0.5),
        items: fc.uniqueArray(item, { selector: ({ sku }) => sku, maxLength: 3 }),
      },
      { requiredKeys: ["order_id", "customer_id", "items"] },
    );
    // No two orders of one customer, since the second order's changes would depend on the first.
    const feed = fc.uniqueArray(order, { selector: ({ customer_id }) => customer_id, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(fc.array(feed, { minLength: 1, maxLength: 4 }), async (feeds) => {
        const client = await aClient();
        await someProducts(client.id, [{ id: "a" }]);
        for (const rows of feeds) {
          if (new Set(rows.map(({ order_id }) => order_id)).size < rows.length) continue;
          const before = new Map((await changedAt(client)).map(({ id, updated_at }) => [id, updated_at.getTime()]));
          const report = await importRows(client, rows);
          const after = await changedAt(client);
          const touched = new Set(
            after.filter(({ id, updated_at }) => before.get(id) !== updated_at.getTime()).map(({ id }) => id),
          );
          const changes = ({ order_id, customer_id, items }: (typeof rows)[number]) =>
            [`o${order_id}`, `c${customer_id}`, ...items.map(({ sku }) => `i${order_id} ${sku}`)].some((id) =>
              touched.has(id),
            );
          const created = rows.filter(({ order_id }) => !before.has(`o${order_id}`));
          expect(counts(report)).toMatchObject({
            created: created.length,
            updated: rows.filter((row) => !created.includes(row) && changes(row)).length,
          });
          expect(counts(await importRows(client, rows))).toMatchObject({ unchanged: rows.length });
        }
      }),
      { numRuns: propertyRuns(8) },
    );
  }, 180_000);
});

describe("a large order feed", () => {
  it("is complete when repeated after an import that died between two batches", async () => {
    const [broken, intact] = [await aClient(), await aClient()];
    const onProgress = ({ written }: { written: number }) => {
      if (written > 0) throw new Error("died");
    };
    await expect(importOrders(broken.id, generatedOrders(1_200), { onProgress })).rejects.toThrow("died");
    const [{ count }] = await rowsOf("select count(*)::int from orders where client_id = $1", [broken.id]);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(1_200);
    for (const client of [broken, intact]) await importOrders(client.id, generatedOrders(1_200));
    expect(await stored(broken)).toEqual(await stored(intact));
  });
});
