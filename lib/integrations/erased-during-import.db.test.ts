import { afterEach, describe, expect, it } from "vitest";
import { systemActor } from "@/lib/accounts/actor";
import { storeTime } from "@/lib/integrations/commerce/search";
import { syncCommerce } from "@/lib/integrations/commerce/sync-commerce";
import { syncShare } from "@/lib/integrations/delta-share/sync-share";
import { setIntegrationFromText } from "@/lib/integrations/set-integration-from-text";
import { purgeErased } from "@/lib/orders/erased-hashes";
import { pool } from "@/lib/platform/db/pool";
import { CommerceFake, commerceKeys } from "@/lib/tools/fakes/commerce";
import { anOrder, aRow } from "@/lib/tools/fakes/commerce-orders";
import { DeltaShareFake } from "@/lib/tools/fakes/delta-share";
import { aContact, anItem, aReceipt, tenantTables } from "@/lib/tools/fakes/delta-share-tenant";
import { eraseCompletely, pauseAtInsert } from "@/lib/tools/test/erase";
import { aClient, anOrder as postedOrder } from "@/lib/tools/test/factories";
import { findEverywhere } from "@/lib/tools/test/find-everywhere";

// A person is erased while an import of their data is in progress: one of the two is stopped at a known point until the
// other is done, or waits for it.

process.env.ALLOW_PRIVATE_URLS = "true";

const fakes: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const fake of fakes.splice(0)) await fake.close();
});

async function runAllParts(part: () => Promise<{ nextInSeconds: number | null; error: string | null }>): Promise<void> {
  for (let parts = 0; parts < 50; parts += 1) {
    const { nextInSeconds, error } = await part();
    expect(error).toBeNull();
    if (nextInSeconds === null) return;
  }
  throw new Error("It does not end.");
}

const found = async (words: string[]) => Object.values(await findEverywhere(words)).flat();

describe("orders of a store", () => {
  const mary = { customer_id: 14, customer_email: "mary@meanwhile.example" };
  async function aShop(orders: ReturnType<typeof anOrder>[]) {
    const fake = new CommerceFake({ orders });
    fakes.push(fake);
    const address = await fake.listen();
    const { id } = await aClient();
    await setIntegrationFromText(
      systemActor,
      { id },
      "commerce",
      [`orders_url=${address}`, "auth=oauth1"],
      commerceKeys,
    );
    const options = { perSecond: 1_000, retryDelays: [5, 5], timeout: 10_000 };
    const sync = () => runAllParts(() => syncCommerce(id, { ...options, budget: 60_000 }));
    /** Begins a run, and reads nothing yet. */
    const begin = () => syncCommerce(id, { ...options, budget: 0 });
    return { id, fake, sync, begin };
  }

  it.each([
    { by: "customer", id: "14" },
    { by: "email", email: mary.customer_email },
  ] as const)("that were imported before aren't imported again ($by)", { timeout: 60_000 }, async (person) => {
    const order = anOrder({ increment_id: "mary-1", ...mary });
    const { id, sync } = await aShop([order]);
    await sync();
    order.items[0]!.qty_refunded = 1;
    Object.assign(order, { updated_at: "2026-03-02 00:00:00" });
    await pauseAtInsert(["customers", "true"], sync, () => eraseCompletely(id, person));
    await sync();
    expect(await found(["mary-1", mary.customer_email])).toEqual([]);
  });

  const ordersOf = async (id: string) =>
    (await pool().query<{ id: string }>("select id from orders where client_id = $1 order by id", [id])).rows.map(
      (row) => row.id,
    );
  const daysAgo = (days: number) => storeTime(new Date(Date.now() - days * 86_400_000));

  it("placed before the erasure aren't imported later, and those placed after it are", {
    timeout: 60_000,
  }, async () => {
    const long = { created_at: daysAgo(40), updated_at: daysAgo(39) };
    const early = anOrder({ entity_id: 770_001, increment_id: "mary-1", ...mary, ...long });
    const { id, fake, sync, begin } = await aShop([early]);
    expect((await begin()).nextInSeconds).toBe(0);
    await eraseCompletely(id, { by: "email", email: mary.customer_email });
    // She buys again while the run is in progress.
    const bought = { created_at: daysAgo(0), updated_at: daysAgo(0) };
    fake.data.orders.push(anOrder({ entity_id: 770_002, increment_id: "mary-2", ...mary, ...bought }));
    await sync();
    expect(await ordersOf(id)).toEqual(["mary-2"]);
    expect(await found(["mary-1"])).toEqual([]);
    // Weeks later everything is read again, with new order numbers.
    await pool().query("update erased_hashes set erased_at = now() - interval '20 days' where client_id = $1", [id]);
    await purgeErased();
    await setIntegrationFromText(systemActor, { id }, "commerce", ["order_id=entity_id"], {});
    await sync();
    expect(await ordersOf(id)).toEqual(["770002", "mary-2"]);
    await eraseCompletely(id, { by: "customer", id: "14" });
    expect(await found(["mary-1", "mary-2", mary.customer_email])).toEqual([]);
  });

  it("are imported if the merchant posted them after the erasure", { timeout: 60_000 }, async () => {
    const edda = { customer_id: 16, customer_email: "edda@meanwhile.example" };
    const order = anOrder({ increment_id: "edda-1", ...edda, items: [aRow({ sku: "LAMP" })] });
    const { id, sync } = await aShop([order]);
    await sync();
    await eraseCompletely(id, { by: "customer", id: "16" });
    await postedOrder(id, { id: "edda-1", customer: { id: "16" }, items: [{ id: "LAMP", name: "Lamp" }] });
    order.items[0]!.qty_refunded = 1;
    Object.assign(order, { updated_at: "2026-03-02 00:00:00" });
    await sync();
    const items = await pool().query("select id, reviewable from order_items where client_id = $1", [id]);
    expect(items.rows).toEqual([{ id: "LAMP", reviewable: false }]);
  });

  it("leave no record if they were rejected", { timeout: 60_000 }, async () => {
    const broken = (n: number, updated_at: string) =>
      anOrder({ increment_id: `mary-${n}`, ...mary, updated_at, items: [aRow({ sku: "s".repeat(300) })] });
    const { id, fake, sync } = await aShop([broken(1, "2026-03-01 00:00:00")]);
    await pauseAtInsert(["deliveries", "new.outcome = 'failed'"], sync, () =>
      eraseCompletely(id, { by: "email", email: mary.customer_email }),
    );
    fake.data.orders.push(broken(2, "2026-03-02 00:00:00"));
    await sync();
    expect(await found(["mary-1", "mary-2"])).toEqual([]);
  });

  it("aren't imported later if only some were stored when the person was erased", { timeout: 60_000 }, async () => {
    const orders = [1, 2, 3].map((n) => anOrder({ increment_id: `mary-${n}`, ...mary }));
    const other = anOrder({ increment_id: "grace-1", customer_id: 15, customer_email: "grace@meanwhile.example" });
    const { id, sync } = await aShop([...orders, other]);
    await pauseAtInsert(["orders", "new.id = 'mary-1'"], sync, () => eraseCompletely(id, { by: "customer", id: "14" }));
    for (const order of orders) Object.assign(order, { updated_at: "2026-03-02 00:00:00" });
    await sync();
    expect(await found(["mary-1", "mary-2", "mary-3", mary.customer_email])).toEqual([]);
    expect((await pool().query("select id from orders where client_id = $1", [id])).rows).toEqual([{ id: "grace-1" }]);
  });

  it("aren't stored if their person is erased by email during the first import", {
    timeout: 60_000,
  }, async () => {
    const { id, sync } = await aShop([anOrder({ increment_id: "mary-1", ...mary })]);
    await pauseAtInsert(["orders", "new.id = 'mary-1'"], sync, () =>
      eraseCompletely(id, { by: "email", email: mary.customer_email }),
    );
    await sync();
    expect(await found(["mary-1", mary.customer_email])).toEqual([]);
  });
});

describe("rows of a data share", () => {
  const contactId = "contact-ada";
  const ada = { contactId, memberNumber: "member-ada", email: "ada@meanwhile.example" };
  const words = [contactId, "member-ada", "ada@meanwhile.example", "bought-1", "bought-2"];
  const bought = { contactId, receiptId: "bought-1" };
  const again = { contactId, receiptId: "bought-2" };
  async function aShare() {
    const tables = tenantTables();
    const fake = new DeltaShareFake(Object.values(tables), { rate: 1_000 });
    fakes.push(fake);
    const profile = await fake.listen();
    const { id } = await aClient();
    const set = (...settings: string[]) => setIntegrationFromText(systemActor, { id }, "share", settings, { profile });
    await set("customer_id=member_number");
    const sync = () =>
      runAllParts(() => syncShare(id, { perSecond: 1_000, retryDelays: [5, 5], timeout: 10_000, budget: 60_000 }));
    tables.contactslatest.append([aContact(ada)]);
    tables.receiptslatest.append([aReceipt(bought)]);
    tables.receiptitemslatest.append([anItem(bought)]);
    return { id, tables, sync, set };
  }

  it.each([
    ["contacts", "new.part = 'contacts'"],
    ["receipts", "new.part = 'receipts'"],
    ["items", "new.part = 'items'"],
  ])("held in memory aren't stored after an erasure: %s", { timeout: 60_000 }, async (_, when) => {
    const { id, tables, sync, set } = await aShare();
    await sync();
    const newer = { import_date_time: "2026-05-01T00:00:00Z" };
    tables.contactslatest.append([aContact({ ...ada, firstName: "Augusta", ...newer })]);
    tables.receiptslatest.append([aReceipt({ ...bought, ...newer }), aReceipt({ ...again, ...newer })]);
    tables.receiptitemslatest.append([anItem({ ...bought, quantity: 2, ...newer }), anItem({ ...again, ...newer })]);
    await pauseAtInsert(["share_rows", when], sync, () => eraseCompletely(id, { by: "customer", id: "member-ada" }));
    await sync();
    expect(await found(words)).toEqual([]);
    await set("since=2020-01-01"); // everything is read again
    await sync();
    expect(await found(words)).toEqual([]);
  });

  it("leave no record if no order could be created from them", { timeout: 60_000 }, async () => {
    const { id, tables, sync, set } = await aShare();
    await set("order_id=receipt_number");
    tables.receiptslatest.append([aReceipt({ ...again, receiptNumber: null })]);
    tables.receiptitemslatest.append([anItem(again)]);
    await pauseAtInsert(["deliveries", "new.kind = 'order_refused'"], sync, () =>
      eraseCompletely(id, { by: "email", email: ada.email }),
    );
    await sync();
    expect(await found(words)).toEqual([]);
  });

  it.each([
    ["when they are stored", "orders", "true"],
    ["when their outcomes are recorded", "deliveries", "new.kind = 'order'"],
  ])("aren't stored as orders after an erasure: %s", { timeout: 60_000 }, async (_, table, when) => {
    const { id, sync } = await aShare();
    await pauseAtInsert([table, when], sync, () => eraseCompletely(id, { by: "email", email: ada.email }));
    await sync();
    expect(await found(words)).toEqual([]);
  });
});
