import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { systemActor } from "@/lib/accounts/actor";
import { type ImportOrdersOptions, importOrders } from "@/lib/feeds/import-orders";
import type { StoredReport } from "@/lib/feeds/import-records";
import { createUpload, importUpload, savePart, startImport } from "@/lib/feeds/upload-feed";
import type { Person } from "@/lib/privacy/person";
import { eraseCompletely, pauseAtInsert } from "@/lib/tools/test/erase";
import { aClient, anOrder, hashDatabase, rowsOf, type TestClient } from "@/lib/tools/test/factories";
import { findEverywhere } from "@/lib/tools/test/find-everywhere";

// Order feeds keep including people who were erased, and may run while they are erased.

const MARY = { customer_id: "c-mary", customer_email: "Mary@feeds.example" };
const EDDA = { customer_id: "c-edda", customer_email: "edda@feeds.example" };
const words = ["c-mary", "mary@feeds.example", "mary-"];
const found = async () => Object.values(await findEverywhere(words)).flat();
const ordersOf = async (shop: TestClient) =>
  (await rowsOf("select id from orders where client_id = $1 order by id", [shop.id])).map(({ id }) => id);

const row = (order_id: string, customer: object, more: object = {}) => ({
  order_id,
  ...customer,
  items: [{ sku: `lamp-${order_id}`, name: "Lamp" }],
  ...more,
});
const feed = (rows: object[]) => Readable.from([Buffer.from(JSON.stringify(rows))]);
const importRows = (shop: TestClient, rows: object[], options?: ImportOrdersOptions) =>
  importOrders(shop.id, feed(rows), options);

const counts = ({ read, created, updated, unchanged, rejected, rejectedCount }: StoredReport) => {
  expect(read).toBe(created + updated + unchanged + rejectedCount);
  expect(rejected).toHaveLength(rejectedCount);
  return { created, updated, unchanged, rejected };
};
const erased = (...rows: number[]) => rows.map((number) => ({ row: number, reason: "erased" }));

const byEach = [
  { by: "customer", id: "c-mary" },
  { by: "email", email: "mary@feeds.example" },
] as const satisfies Person[];

describe("orders of an erased person", () => {
  it.each(byEach)("don't return with the next run of a feed ($by)", async (person) => {
    const [shop, other] = [await aClient(), await aClient()];
    const rows = [row("mary-1", MARY), row("edda-1", EDDA), row("mary-2", MARY)];
    for (const client of [shop, other]) expect(counts(await importRows(client, rows))).toMatchObject({ created: 3 });
    await eraseCompletely(shop.id, person);
    const before = await hashDatabase();
    const simulated = await importRows(shop, rows, { dryRun: true });
    expect(await hashDatabase()).toBe(before);
    const report = await importRows(shop, rows);
    expect(report).toEqual(simulated);
    expect(counts(report)).toEqual({ created: 0, updated: 0, unchanged: 1, rejected: erased(1, 3) });
    expect(await ordersOf(shop)).toEqual(["edda-1"]);
    // Flat rows (one item each) of the same orders.
    const csv = "order_id,customer_id,sku\nmary-1,c-mary,a\nmary-1,c-mary,b\nedda-1,c-edda,lamp-edda-1\n";
    expect(counts(await importOrders(shop.id, Readable.from([Buffer.from(csv)])))).toEqual({
      created: 0,
      updated: 0,
      unchanged: 1,
      rejected: erased(1, 2),
    });
    // The other store's customer with the same id is a different person.
    expect(counts(await importRows(other, rows))).toMatchObject({ unchanged: 3 });
    expect(await ordersOf(other)).toEqual(["edda-1", "mary-1", "mary-2"]);
    await eraseCompletely(other.id, person);
    expect(await found()).toEqual([]);
  });

  it("are accepted if new, from the feed or the API", async () => {
    const shop = await aClient();
    const rows = [row("mary-1", MARY), row("mary-2", MARY)];
    await importRows(shop, rows);
    await eraseCompletely(shop.id, byEach[1]);
    expect(counts(await importRows(shop, [...rows, row("mary-3", MARY)]))).toEqual({
      created: 1,
      updated: 0,
      unchanged: 0,
      rejected: erased(1, 2),
    });
    expect(await ordersOf(shop)).toEqual(["mary-3"]);
    // An order the merchant posts again is accepted, and later feed rows update it.
    await anOrder(shop.id, { id: "mary-1", customer: { id: "c-mary" }, items: [{ id: "lamp-mary-1" }] });
    const again = [row("mary-1", MARY, { store_name: "Oslo" }), row("mary-2", MARY)];
    expect(counts(await importRows(shop, again))).toEqual({
      created: 0,
      updated: 1,
      unchanged: 0,
      rejected: erased(2),
    });
    expect(await ordersOf(shop)).toEqual(["mary-1", "mary-3"]);
    await eraseCompletely(shop.id, byEach[0]);
    expect(await found()).toEqual([]);
  });
});

describe("orders of a person erased during an import", () => {
  /** Yields the rows in pieces, as a file arrives; erases a person after the first piece. */
  async function* slowly(rows: object[], between: () => Promise<void>): AsyncGenerator<Buffer> {
    const text = JSON.stringify(rows);
    yield Buffer.from(text.slice(0, -2));
    await between();
    yield Buffer.from(text.slice(-2));
  }

  it.each(byEach)(
    "are rejected if erased before the rows are stored, in this import and later ones ($by)",
    async (person) => {
      const [shop, other] = [await aClient(), await aClient()];
      const rows = [row("mary-1", MARY), row("edda-1", EDDA), row("mary-2", { ...MARY, customer_name: "Mary" })];
      const elsewhere = importOrders(
        other.id,
        slowly(rows, () => eraseCompletely(shop.id, person)),
      );
      expect(counts(await elsewhere)).toMatchObject({ created: 3, rejected: [] });
      await eraseCompletely(other.id, byEach[0]);
      const report = await importOrders(
        shop.id,
        slowly(rows, () => eraseCompletely(shop.id, person)),
      );
      expect(counts(report)).toEqual({ created: 1, updated: 0, unchanged: 0, rejected: erased(1, 3) });
      expect(counts(await importRows(shop, rows))).toMatchObject({ unchanged: 1, rejected: erased(1, 3) });
      expect(await found()).toEqual([]);
      expect(await ordersOf(shop)).toEqual(["edda-1"]);
    },
  );

  it.each(byEach)(
    "are deleted or rejected if erased between batches ($by)",
    {
      timeout: 60_000,
    },
    async (person) => {
      const shop = await aClient();
      await importRows(shop, [row("mary-0", MARY), row("edda-0", EDDA)]);
      // A statement stores at most one order per customer, so the second is classified long before it is written.
      const rows = [row("mary-1", MARY), row("mary-0", MARY, { store_name: "Oslo" }), row("edda-1", EDDA)];
      let report: StoredReport | undefined;
      await pauseAtInsert(
        ["orders", "new.id = 'mary-1'"],
        async () => {
          report = await importRows(shop, rows);
        },
        () => eraseCompletely(shop.id, person),
      );
      expect(counts(report as StoredReport)).toEqual({ created: 2, updated: 0, unchanged: 0, rejected: erased(2) });
      expect(await found()).toEqual([]);
      expect(await ordersOf(shop)).toEqual(["edda-0", "edda-1"]);
      expect(counts(await importRows(shop, rows))).toMatchObject({ unchanged: 1, rejected: erased(1, 2) });
      expect(await found()).toEqual([]);
    },
  );

  it("aren't restored by a file that was uploaded before the erasure and imported after it", async () => {
    const shop = await aClient();
    const { id } = await createUpload(shop, { kind: "orders", filename: "orders.json" });
    await savePart(shop, id, 0, Buffer.from(JSON.stringify([row("mary-1", MARY), row("edda-1", EDDA)])));
    const started = await startImport(systemActor, shop, id, { parts: 1, confirm_deletions: false });
    await eraseCompletely(shop.id, byEach[1]);
    expect(await importUpload(shop.id, id)).toEqual({ outcome: "imported" });
    expect(await found()).toEqual([]);
    expect(await ordersOf(shop)).toEqual(["edda-1"]);
    expect(
      await rowsOf("select created, rejected, report->'rejected' as rows from feed_imports where id = $1", [
        started.id,
      ]),
    ).toEqual([{ created: 1, rejected: 1, rows: erased(1) }]);
  });
});
