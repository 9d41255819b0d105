import { afterEach, describe, expect, it } from "vitest";
import { systemActor } from "@/lib/accounts/actor";
import { storeTime } from "@/lib/integrations/commerce/search";
import { syncCommerce } from "@/lib/integrations/commerce/sync-commerce";
import { syncShare } from "@/lib/integrations/delta-share/sync-share";
import { setIntegrationFromText } from "@/lib/integrations/set-integration-from-text";
import { purgeErased } from "@/lib/orders/erased";
import { pool } from "@/lib/platform/db/pool";
import { CommerceFake, commerceKeys } from "@/lib/tools/fakes/commerce";
import { anOrder, aRow } from "@/lib/tools/fakes/commerce-orders";
import { DeltaShareFake } from "@/lib/tools/fakes/delta-share";
import { aContact, anItem, aReceipt, tenantTables } from "@/lib/tools/fakes/delta-share-tenant";
import { eraseCompletely, pauseAtInsert } from "@/lib/tools/test/erase";
import { aClient, anOrder as postedOrder } from "@/lib/tools/test/factories";
import { findEverywhere } from "@/lib/tools/test/find-everywhere";

// Somebody is erased while what another system told of them is being stored: two at once, the one stopped at a place that
// is known until the other is over, or waits for it.

process.env.ALLOW_PRIVATE_URLS = "true";

const doubles: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const double of doubles.splice(0)) await double.close();
});

async function whole(part: () => Promise<{ nextInSeconds: number | null; error: string | null }>): Promise<void> {
  for (let parts = 0; parts < 50; parts += 1) {
    const { nextInSeconds, error } = await part();
    expect(error).toBeNull();
    if (nextInSeconds === null) return;
  }
  throw new Error("It does not end.");
}

const found = async (words: string[]) => Object.values(await findEverywhere(words)).flat();

describe("a shop's orders", () => {
  const mary = { customer_id: 14, customer_email: "mary@meanwhile.example" };
  async function aShop(orders: ReturnType<typeof anOrder>[]) {
    const double = new CommerceFake({ orders });
    doubles.push(double);
    const address = await double.listen();
    const { id } = await aClient();
    await setIntegrationFromText(
      systemActor,
      { id },
      "commerce",
      [`orders_url=${address}`, "auth=oauth1"],
      commerceKeys,
    );
    const sync = () => whole(() => syncCommerce(id, { waits: [5, 5], timeout: 10_000, budget: 60_000 }));
    return { id, double, sync };
  }

  it.each([
    { by: "customer", id: "14" },
    { by: "email", email: mary.customer_email },
  ] as const)(
    "that were taken before stay away when they are told again ($by)",
    { timeout: 60_000 },
    async (person) => {
      const order = anOrder({ increment_id: "mary-1", ...mary });
      const { id, sync } = await aShop([order]);
      await sync();
      order.items[0]!.qty_refunded = 1;
      Object.assign(order, { updated_at: "2026-03-02 00:00:00" });
      await pauseAtInsert(["customers", "true"], sync, () => eraseCompletely(id, person));
      await sync();
      expect(await found(["mary-1", mary.customer_email])).toEqual([]);
    },
  );

  const ordersOf = async (id: string) =>
    (await pool().query<{ id: string }>("select id from orders where client_id = $1 order by id", [id])).rows.map(
      (row) => row.id,
    );
  const daysAgo = (days: number) => storeTime(new Date(Date.now() - days * 86_400_000));

  it("stay away where they were placed before, whatever brings them and when, and what is sold after it comes in", {
    timeout: 60_000,
  }, async () => {
    const long = { created_at: daysAgo(40), updated_at: daysAgo(39) };
    const { id, double, sync } = await aShop([
      anOrder({ entity_id: 770_001, increment_id: "mary-1", ...mary, ...long }),
    ]);
    const read = () => syncCommerce(id, { waits: [5, 5], timeout: 10_000, budget: 0 });
    expect((await read()).nextInSeconds).toBe(0); // the run has begun, and read nothing yet
    await eraseCompletely(id, { by: "email", email: mary.customer_email });
    // She buys again while the run goes on.
    const bought = { created_at: daysAgo(0), updated_at: daysAgo(0) };
    double.data.orders.push(anOrder({ entity_id: 770_002, increment_id: "mary-2", ...mary, ...bought }));
    await sync();
    expect(await ordersOf(id)).toEqual(["mary-2"]);
    expect(await found(["mary-1"])).toEqual([]);
    // Weeks later everything is read anew, under numbers that nobody has seen.
    await pool().query("update erased_hashes set erased_at = now() - interval '20 days' where client_id = $1", [id]);
    await purgeErased();
    await setIntegrationFromText(systemActor, { id }, "commerce", ["order_id=entity_id"], {});
    await sync();
    expect(await ordersOf(id)).toEqual(["770002", "mary-2"]);
    await eraseCompletely(id, { by: "customer", id: "14" });
    expect(await found(["mary-1", "mary-2", mary.customer_email])).toEqual([]);
  });

  it("come in where the merchant posted them since, as the shop tells them then", { timeout: 60_000 }, async () => {
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

  it("that could not be taken are not told of", { timeout: 60_000 }, async () => {
    const broken = (n: number, updated_at: string) =>
      anOrder({ increment_id: `mary-${n}`, ...mary, updated_at, items: [aRow({ sku: "s".repeat(300) })] });
    const { id, double, sync } = await aShop([broken(1, "2026-03-01 00:00:00")]);
    await pauseAtInsert(["deliveries", "new.outcome = 'failed'"], sync, () =>
      eraseCompletely(id, { by: "email", email: mary.customer_email }),
    );
    double.data.orders.push(broken(2, "2026-03-02 00:00:00"));
    await sync();
    expect(await found(["mary-1", "mary-2"])).toEqual([]);
  });

  it("of which some are stored by then stay away with the others", { timeout: 60_000 }, async () => {
    const orders = [1, 2, 3].map((n) => anOrder({ increment_id: `mary-${n}`, ...mary }));
    const other = anOrder({ increment_id: "grace-1", customer_id: 15, customer_email: "grace@meanwhile.example" });
    const { id, sync } = await aShop([...orders, other]);
    await pauseAtInsert(["orders", "new.id = 'mary-1'"], sync, () => eraseCompletely(id, { by: "customer", id: "14" }));
    for (const order of orders) Object.assign(order, { updated_at: "2026-03-02 00:00:00" });
    await sync();
    expect(await found(["mary-1", "mary-2", "mary-3", mary.customer_email])).toEqual([]);
    expect((await pool().query("select id from orders where client_id = $1", [id])).rows).toEqual([{ id: "grace-1" }]);
  });

  it("of somebody known by what the shop itself posted stay away while they are on their way", {
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

describe("a data share's rows", () => {
  const contactId = "contact-ada";
  const ada = { contactId, memberNumber: "member-ada", email: "ada@meanwhile.example" };
  const words = [contactId, "member-ada", "ada@meanwhile.example", "bought-1", "bought-2"];
  const bought = { contactId, receiptId: "bought-1" };
  const again = { contactId, receiptId: "bought-2" };
  async function aShare() {
    const tables = tenantTables();
    const double = new DeltaShareFake(Object.values(tables), { rate: 1_000 });
    doubles.push(double);
    const profile = await double.listen();
    const { id } = await aClient();
    const set = (...settings: string[]) => setIntegrationFromText(systemActor, { id }, "share", settings, { profile });
    await set("customer_id=member_number");
    const sync = () => whole(() => syncShare(id, { perSecond: 1_000, waits: [5, 5], timeout: 10_000, budget: 60_000 }));
    tables.contactslatest.append([aContact(ada)]);
    tables.receiptslatest.append([aReceipt(bought)]);
    tables.receiptitemslatest.append([anItem(bought)]);
    return { id, tables, sync, set };
  }

  it.each([
    ["contacts", "new.part = 'contacts'"],
    ["receipts", "new.part = 'receipts'"],
    ["items", "new.part = 'items'"],
  ])("do not come back by those in memory: %s", { timeout: 60_000 }, async (_, when) => {
    const { id, tables, sync, set } = await aShare();
    await sync();
    const newer = { import_date_time: "2026-05-01T00:00:00Z" };
    tables.contactslatest.append([aContact({ ...ada, firstName: "Augusta", ...newer })]);
    tables.receiptslatest.append([aReceipt({ ...bought, ...newer }), aReceipt({ ...again, ...newer })]);
    tables.receiptitemslatest.append([anItem({ ...bought, quantity: 2, ...newer }), anItem({ ...again, ...newer })]);
    await pauseAtInsert(["share_rows", when], sync, () => eraseCompletely(id, { by: "customer", id: "member-ada" }));
    await sync();
    expect(await found(words)).toEqual([]);
    await set("since=2020-01-01"); // everything is read anew
    await sync();
    expect(await found(words)).toEqual([]);
  });

  it("are not told of where no order could be made of them", { timeout: 60_000 }, async () => {
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
    ["when it is noted what they said", "deliveries", "new.kind = 'order'"],
  ])("do not come back by orders that are made of them: %s", { timeout: 60_000 }, async (_, table, when) => {
    const { id, sync } = await aShare();
    await pauseAtInsert([table, when], sync, () => eraseCompletely(id, { by: "email", email: ada.email }));
    await sync();
    expect(await found(words)).toEqual([]);
  });
});
