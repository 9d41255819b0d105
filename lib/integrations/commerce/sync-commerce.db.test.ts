import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, it } from "vitest";
import { systemActor } from "@/lib/accounts/actor";
import { getIntegration, listDeliveries } from "@/lib/integrations/list-integrations";
import { listSyncRuns } from "@/lib/integrations/record-run";
import { retryDeliveries } from "@/lib/integrations/retry-deliveries";
import { readIntegrationWithSecrets, selectIntegration } from "@/lib/integrations/rows";
import { runWholeSync } from "@/lib/integrations/run-whole-sync";
import { setIntegrationFromText } from "@/lib/integrations/set-integration-from-text";
import { testIntegration } from "@/lib/integrations/test-integration";
import { getOrder } from "@/lib/orders/get-order";
import { postponeDelivery } from "@/lib/orders/postpone-delivery";
import { withNow } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { postponeRequests, rateLimitKey } from "@/lib/platform/jobs/partner-rate-limit";
import { erasePersonalData } from "@/lib/privacy/erase-personal-data";
import { CommerceFake, type CommerceModes, commerceKeys, commerceUser } from "@/lib/tools/fakes/commerce";
import { aConfigurable, aGuestOrder, anOrder, aRow, aShipment, type Row } from "@/lib/tools/fakes/commerce-orders";
import { manyOrders, sampleCatalog } from "@/lib/tools/fakes/commerce-shop";
import { aClient } from "@/lib/tools/test/factories";
import { noticeInEnglish } from "@/lib/tools/test/notice-text";
import { checkCommerce } from "./check-commerce";
import { storeTime } from "./search";
import { syncCommerce } from "./sync-commerce";

// End to end: a store over HTTP, its orders in the database.

process.env.ALLOW_PRIVATE_URLS = "true";

const fakes: CommerceFake[] = [];
afterEach(async () => {
  for (const fake of fakes.splice(0)) await fake.close();
});

async function aShop(data: ConstructorParameters<typeof CommerceFake>[0], modes: Partial<CommerceModes> = {}) {
  const fake = new CommerceFake(data, modes);
  fakes.push(fake);
  return { fake, address: await fake.listen() };
}

async function connect(address: string, settings: string[] = [], secrets: object = commerceKeys) {
  const client = await aClient();
  const auth = settings.some((pair) => pair.startsWith("auth=")) ? [] : ["auth=oauth1"];
  await set(client.id, [`orders_url=${address}`, "requests_per_second=20", ...auth, ...settings], secrets);
  return client;
}
const set = (clientId: string, settings: string[], secrets: object = {}) =>
  setIntegrationFromText(systemActor, { id: clientId }, "commerce", settings, secrets);

const sync = async (clientId: string) => {
  for (let part = 0; part < 50; part++) {
    const { nextInSeconds, error } = await syncCommerce(clientId, {
      perSecond: 1_000,
      retryDelays: [5, 5],
      timeout: 2_000,
      budget: 60_000,
    });
    if (nextInSeconds === null) return noticeInEnglish(error);
  }
  throw new Error("It does not end.");
};
const lastRun = async (id: string) => (await listSyncRuns({ id }, "commerce", 1))[0]!;
const ordersOf = async (clientId: string) => {
  const { rows } = await pool().query<{ id: string }>("select id from orders where client_id = $1 order by id", [
    clientId,
  ]);
  return rows.map(({ id }) => id);
};
const order = (clientId: string, id: string) => getOrder({ role: "operator" }, { id: clientId }, id);
const stateOf = async (clientId: string) => (await selectIntegration(clientId, "commerce"))!;
const shown = (value: unknown) => JSON.parse(JSON.stringify(value));

it("imports orders like posted ones, and a repeated import changes nothing", async () => {
  const [tee] = aConfigurable({ product_id: 4 }) as [Row, Row];
  const sent = anOrder({ items: aConfigurable({ product_id: 4 }) });
  const guest = aGuestOrder({ items: [aRow({ sku: "LAMP" })] });
  const { address } = await aShop({
    ...sampleCatalog(),
    orders: [sent, guest, anOrder({ state: "new" }), anOrder({ state: "canceled" })],
    shipments: [aShipment(sent, sent.items.slice(0, 1))],
  });
  const { id } = await connect(address);
  expect(await sync(id)).toBeNull();
  expect((await lastRun(id)).counts).toEqual({ read: 4, imported: 3, waiting: 1 });
  expect(shown(await order(id, sent.increment_id as string))).toMatchObject({
    store_name: "Main Website / Main Website Store / Default Store View",
    customer: { id: "12", name: "Ada Example", email: "ada@example.test", lang: "sv" },
    items: [{ id: tee.sku, family_id: "TEE", name: "Tee", delivery_date: "2026-01-07", reviewable: true }],
  });
  expect(await order(id, guest.increment_id as string)).toMatchObject({ customer: { id: "guest@example.test" } });
  const before = await pool().query("select * from order_items where client_id = $1 order by order_id", [id]);
  expect(await sync(id)).toBeNull();
  expect((await lastRun(id)).counts).toEqual({});
  expect((await pool().query("select * from order_items where client_id = $1 order by order_id", [id])).rows).toEqual(
    before.rows,
  );
  const { deliveries } = await listDeliveries({ id }, "commerce");
  expect(deliveries.map(({ kind, outcome, attempts }) => ({ kind, outcome, attempts }))).toEqual(
    Array(3).fill({ kind: "order", outcome: "imported", attempts: 1 }),
  );
  expect(deliveries.map(({ remote_id }) => remote_id)).toContain(String(sent.entity_id));
});

it("imports changes: a new order, a refunded one, and one with a shipment that didn't update it", async () => {
  const waiting = anOrder({ state: "new", updated_at: "2026-01-03 08:00:00" });
  const refunded = anOrder({ updated_at: "2026-01-03 08:00:01" });
  const silent = anOrder({ state: "processing", updated_at: "2026-01-03 08:00:02" });
  const { fake, address } = await aShop({
    orders: [waiting, refunded, silent, anOrder({ updated_at: "2026-01-09 00:00:00" })],
  });
  const { id } = await connect(address);
  await sync(id);
  expect((await order(id, silent.increment_id as string)).items[0]?.delivery_date).toBe("2026-01-09");
  Object.assign(waiting, { state: "complete", updated_at: "2026-01-10 00:00:00" });
  Object.assign(refunded, { updated_at: "2026-01-10 00:00:00" });
  refunded.items[0]!.qty_refunded = 1;
  silent.items[0]!.qty_shipped = 1;
  fake.data.shipments.push(aShipment(silent, silent.items, "2026-01-20 12:00:00"));
  await sync(id);
  expect((await lastRun(id)).counts).toMatchObject({ imported: 3 });
  expect((await order(id, waiting.increment_id as string)).items).toHaveLength(1);
  expect((await order(id, refunded.increment_id as string)).items[0]?.reviewable).toBe(false);
  expect((await order(id, silent.increment_id as string)).items[0]?.delivery_date).toBe("2026-01-22");
});

it("invites for what is in a closed order without refunds, and doesn't know what became of a refunded one", async () => {
  const closed = (order: Row) => anOrder({ state: "closed", items: [aRow({ qty_shipped: 1 })], ...order });
  const free = closed({ base_grand_total: 0 });
  const goodwill = closed({ state: "complete", base_grand_total: 47, base_total_refunded: 0 });
  const { address } = await aShop({ orders: [free, goodwill] });
  const { id } = await connect(address);
  const fields = async (one: Row) =>
    (await order(id, one.increment_id as string)).items.map(({ reviewable, returned, delivery_date }) => [
      reviewable,
      returned,
      delivery_date,
    ]);
  await sync(id);
  for (const one of [free, goodwill]) expect(await fields(one)).toEqual([[true, false, "2026-01-09"]]);
  Object.assign(goodwill, { state: "closed", base_total_refunded: 47, updated_at: "2026-03-02 00:00:00" });
  await sync(id);
  expect(await fields(free)).toEqual([[true, false, "2026-01-09"]]);
  expect(await fields(goodwill)).toEqual([[false, null, "2026-01-09"]]);
});

it("stores an order together with its outcome, so that a crash in between is recovered", async () => {
  const { fake, address } = await aShop({
    orders: [anOrder({ customer_id: 14, customer_email: "mary@example.test" })],
  });
  const { id } = await connect(address);
  await pool().query(`
    create function lights_out() returns trigger language plpgsql as $$ begin raise exception 'lights out'; end $$;
    create trigger lights_out before insert on deliveries for each row when (new.outcome = 'imported')
      execute function lights_out()`);
  try {
    await expect(sync(id)).rejects.toThrow("lights out");
  } finally {
    await pool().query("drop function lights_out cascade");
  }
  expect(await ordersOf(id)).toEqual([]);
  // The customer is erased while the order is about to be stored: it must not come back.
  await erasePersonalData(systemActor, { id }, { by: "customer", id: "14" });
  for (const order of fake.data.orders) Object.assign(order, { updated_at: "2026-03-02 00:00:00" });
  await sync(id);
  expect(await ordersOf(id)).toEqual([]);
  expect((await lastRun(id)).counts).toMatchObject({ erased: 1 });
});

it("keeps changes made meanwhile: a moved delivery, an erased person", async () => {
  const [one, other] = [anOrder(), anOrder({ customer_id: 13, customer_email: "grace@example.test" })];
  const { fake, address } = await aShop({ orders: [one, other] });
  const { id } = await connect(address);
  await sync(id);
  await postponeDelivery(id, one.increment_id as string, one.items[0]!.sku as string, "2026-03-01");
  await erasePersonalData(systemActor, { id }, { by: "customer", id: "13" });
  fake.data.shipments.push(aShipment(one, []));
  await sync(id);
  expect((await order(id, one.increment_id as string)).items[0]?.delivery_date).toBe("2026-03-01");
  expect(await ordersOf(id)).toEqual([one.increment_id]);
  // The store updates the order, and sells the person another.
  Object.assign(other, { updated_at: "2026-03-02 00:00:00" });
  const next = anOrder({
    customer_id: 13,
    customer_email: "grace@example.test",
    created_at: storeTime(new Date()),
    updated_at: "2026-03-02 00:00:01",
  });
  fake.data.orders.push(next);
  // Then it refunds an item of the first order: the moved date isn't part of that change.
  one.items.push(aRow({ qty_shipped: 1 }));
  Object.assign(one.items[0]!, { qty_shipped: 1, qty_refunded: 1 });
  Object.assign(one, { updated_at: "2026-03-02 00:00:02" });
  await sync(id);
  expect((await order(id, one.increment_id as string)).items).toMatchObject([
    { reviewable: false, delivery_date: "2026-03-01" },
    { reviewable: true, delivery_date: expect.any(String) },
  ]);
  expect(await ordersOf(id)).toEqual([one.increment_id, next.increment_id].sort());
  expect((await lastRun(id)).counts).toMatchObject({ erased: 1, imported: 2 });
  const deliveryRows = await pool().query("select to_jsonb(d)::text as row from deliveries d where client_id = $1", [
    id,
  ]);
  for (const { row } of deliveryRows.rows) {
    expect(row).not.toContain(`"${other.increment_id}"`);
    expect(row).not.toContain(`"${other.entity_id}"`);
  }
  expect((await listDeliveries({ id }, "commerce")).deliveries.map(({ kind }) => kind)).toEqual(["order", "order"]);
});

it("keeps the first estimated date, since estimates move with every change of the order", async () => {
  const one = anOrder({ items: [aRow({ sku: "LAMP", qty_shipped: 1 })], updated_at: "2026-01-03 08:00:00" });
  const { fake, address } = await aShop({ orders: [one] }, { forbidden: ["shipments"] });
  const { id } = await connect(address, ["fallback_days=", "transit_days=2"]);
  const day = async () => (await order(id, one.increment_id as string)).items[0]?.delivery_date;
  await sync(id);
  expect(await day()).toBe("2026-01-05");
  // A comment is added to the order, and the customer's name changes.
  Object.assign(one, { customer_firstname: "Augusta", updated_at: "2026-02-03 08:00:00" });
  await sync(id);
  expect((await order(id, one.increment_id as string)).customer.name).toMatch(/^Augusta/);
  expect(await day()).toBe("2026-01-05");
  // The store grants access to shipments: this date is not an estimate.
  fake.modes.forbidden = [];
  fake.data.shipments.push(aShipment(one, one.items, "2026-01-10 12:00:00"));
  Object.assign(one, { updated_at: "2026-02-04 08:00:00" });
  await withNow(new Date(Date.now() + 25 * 3_600_000), () => sync(id));
  expect(await day()).toBe("2026-01-12");
});

it("replaces a date from fallback_days with the first estimate once the setting is off", async () => {
  const one = anOrder({ items: [aRow({ sku: "LAMP", qty_shipped: 1 })], updated_at: "2026-01-03 08:00:00" });
  const { address } = await aShop({ orders: [one] }, { forbidden: ["shipments"] });
  const { id } = await connect(address, ["fallback_days=30", "transit_days=2"]);
  const day = async () => (await order(id, one.increment_id as string)).items[0]?.delivery_date;
  await sync(id);
  expect(await day()).toBe("2026-02-01");
  await set(id, ["fallback_days="]);
  for (const updated_at of ["2026-01-10 08:00:00", "2026-01-20 08:00:00"]) {
    Object.assign(one, { updated_at });
    await sync(id);
    expect(await day()).toBe("2026-01-12");
  }
});

it("keeps a moved delivery date with a fingerprint of an earlier version", async () => {
  const one = anOrder({ items: [aRow({ sku: "LAMP" }), aRow({ sku: "MUG" })] });
  const { address } = await aShop({ orders: [one] });
  const { id } = await connect(address);
  await sync(id);
  await postponeDelivery(id, one.increment_id as string, "LAMP", "2026-03-01");
  await pool().query(`update deliveries set payload = '{"fingerprint":"Bm9Xk0"}' where client_id = $1`, [id]);
  const days = async () =>
    (await order(id, one.increment_id as string)).items.map(({ id: sku, delivery_date }) => [sku, delivery_date]);
  const moved = [
    ["LAMP", "2026-03-01"],
    ["MUG", "2026-01-09"],
  ];
  for (const updated_at of ["2026-03-02 00:00:00", "2026-03-03 00:00:00"]) {
    Object.assign(one, { customer_firstname: `Ada ${updated_at}`, updated_at });
    await sync(id);
    expect(await days()).toEqual(moved);
  }
});

it("reports unreadable credentials, and imports orders once they are entered again", async () => {
  const { address } = await aShop({ orders: [anOrder()] });
  const { id } = await connect(address);
  await pool().query("update integrations set secrets = '\\x0102030405' where client_id = $1", [id]);
  for (const _ of [1, 2]) expect(await sync(id)).toMatch(/can’t be decrypted/);
  expect(await lastRun(id)).toMatchObject({ outcome: "failed", error: expect.stringMatching(/Enter them again/) });
  await set(id, [], commerceKeys);
  expect(await sync(id)).toBeNull();
  expect(await ordersOf(id)).toHaveLength(1);
  expect((await stateOf(id)).error).toBeNull();
});

it("resumes after interruptions, and ends with an error if the store stays down", async () => {
  const { fake, address } = await aShop({ orders: manyOrders(60) });
  const { id } = await connect(address, ["page_size=10"]);
  fake.failures.push(null, null, null, ...Array(30).fill({ status: 503, html: true }));
  const first = await syncCommerce(id, { retryDelays: [], timeout: 2_000, budget: 60_000 });
  expect(first.nextInSeconds).toBe(30);
  const some = (await ordersOf(id)).length;
  expect(some).toBeGreaterThan(0);
  for (let part = 0; part < 4; part++)
    expect((await syncCommerce(id, { retryDelays: [], timeout: 2_000 })).nextInSeconds).toBeGreaterThan(30);
  const { nextInSeconds, error } = await syncCommerce(id, { retryDelays: [] });
  expect([nextInSeconds, noticeInEnglish(error)]).toEqual([null, expect.stringMatching(/503/)]);
  expect(await lastRun(id)).toMatchObject({ outcome: "failed", error: expect.stringMatching(/is unavailable/) });
  fake.failures.length = 0;
  expect(await sync(id)).toBeNull();
  expect(await ordersOf(id)).toHaveLength(60);
});

it("never retries rejected credentials until they change, not even in a test", async () => {
  const { fake, address } = await aShop({ orders: [anOrder()] });
  const { id } = await connect(address, ["auth=password"], { ...commerceUser, password: "not-the-password" });
  expect(await sync(id)).toMatch(/rejected the username and password/);
  expect(await sync(id)).toMatch(/rejected the username and password/);
  expect((await testIntegration({ id }, "commerce")).checks).toMatchObject([{ name: "Sign-in", ok: false }]);
  expect(fake.logins).toBe(1);
  await set(id, [], commerceUser);
  expect((await testIntegration({ id }, "commerce")).ok).toBe(true);
  expect(await sync(id)).toBeNull();
  expect(await sync(id)).toBeNull();
  expect(fake.logins).toBe(2); // the token is reused by tests and runs
});

it("stores and reveals no secret in plain text", async () => {
  const { fake, address } = await aShop({ orders: [anOrder()] });
  const { id } = await connect(address, ["auth=password"], commerceUser);
  await sync(id);
  const token = /"sealed":/.test(JSON.stringify((await stateOf(id)).state));
  expect(token).toBe(true);
  fake.modes.twoFactor = "google";
  fake.expireTokens();
  expect(await sync(id)).toMatch(/two-factor authentication/);
  const { rows } = await pool().query<{ text: string }>(
    `select (select string_agg(i::text, '') from integrations i where client_id = $1) ||
            (select string_agg(r::text, '') from integration_runs r where client_id = $1) ||
            coalesce((select string_agg(d::text, '') from deliveries d where client_id = $1), '') as text`,
    [id],
  );
  for (const secret of [commerceUser.password, "eyJ"]) expect(rows[0]?.text).not.toContain(secret);
});

it("reports what a connection lacks, and which parts are optional", async () => {
  const { fake, address } = await aShop({ orders: [anOrder()] });
  const { id } = await connect(address);
  expect((await testIntegration({ id }, "commerce")).checks.map(({ name, ok }) => [name, ok])).toEqual([
    ["Orders", true],
    ["Filters", true],
    ["Shipments", true],
    ["Products", true],
  ]);
  Object.assign(fake.modes, { forbidden: ["shipments", "products", "store/storeConfigs"], brokenSignatures: true });
  const { ok, checks } = await testIntegration({ id }, "commerce");
  expect(ok).toBe(true);
  expect(checks[1]?.message).toMatch(/by number/);
  expect(checks[2]?.message).toMatch(/Magento_Sales::shipment/);
  expect(await sync(id)).toBeNull();
  expect((await stateOf(id)).state.warning).toMatch(/Magento_Sales::shipment/);
  expect(await ordersOf(id)).toHaveLength(1);
  Object.assign(fake.modes, { forbidden: ["orders"], brokenSignatures: false });
  expect(await testIntegration({ id }, "commerce")).toMatchObject({ ok: false, checks: [{ name: "Orders" }] });
  expect(await sync(id)).toMatch(/Magento_Sales::actions_view/);
});

it("imports each client's own stores", async () => {
  const orders = [1, 2, 3, 2].map((store_id, n) => anOrder({ store_id, increment_id: `10${n}` }));
  const { address } = await aShop({ orders });
  const [first, rest, all] = [
    await connect(address, ["store_ids=1"]),
    await connect(address, ["store_ids=2,3"]),
    await connect(address),
  ];
  for (const { id } of [first, rest, all]) expect(await sync(id)).toBeNull();
  expect([await ordersOf(first.id), await ordersOf(rest.id), await ordersOf(all.id)]).toEqual([
    ["100"],
    ["101", "102", "103"],
    ["100", "101", "102", "103"],
  ]);
});

it("keeps two orders with one number apart, and imports both by entity_id", async () => {
  const orders = [
    anOrder({ entity_id: 51, increment_id: "2001" }),
    anOrder({ entity_id: 52, increment_id: "2001", store_id: 2, customer_id: 99 }),
  ];
  const { address } = await aShop({ orders });
  const { id } = await connect(address);
  await sync(id);
  expect(await order(id, "2001")).toMatchObject({ customer: { id: "12" } });
  expect((await listDeliveries({ id }, "commerce", { outcome: "failed" })).deliveries).toMatchObject([
    { kind: "order_refused", subject: "2001", remote_id: "52", reason: expect.stringMatching(/Use entity_id/) },
  ]);
  await set(id, ["order_id=entity_id"]);
  await sync(id);
  expect(await ordersOf(id)).toEqual(expect.arrayContaining(["51", "52"]));
});

it("skips and reports an order that the store fails on, and imports it once fixed", async () => {
  const orders = manyOrders(12);
  const broken = orders[5]!;
  const { fake, address } = await aShop({ orders }, { brokenOrderIds: [broken.entity_id as number] });
  const { id } = await connect(address);
  expect(await sync(id)).toBeNull();
  expect(await ordersOf(id)).toHaveLength(11);
  expect((await stateOf(id)).state.warning).toContain(String(broken.entity_id));
  expect((await lastRun(id)).counts).toMatchObject({ failed: 1, imported: 11 });
  fake.modes.brokenOrderIds = [];
  await withNow(new Date(Date.now() + 2 * 3_600_000), () => sync(id));
  expect(await ordersOf(id)).toHaveLength(12);
  expect((await stateOf(id)).state.warning).toBeUndefined();
}, 60_000);

it("reads by id if signatures of dates are checked wrongly, and still detects changes", async () => {
  const recent = new Date(Date.now() - 86_400_000).toISOString().slice(0, 19).replace("T", " ");
  const orders = [1, 2, 3].map((n) =>
    anOrder({ entity_id: 600 + n, increment_id: `60${n}`, created_at: recent, updated_at: recent }),
  );
  const { address } = await aShop({ orders }, { brokenSignatures: true });
  const { id } = await connect(address);
  expect(await sync(id)).toBeNull();
  orders[0]!.items[0]!.qty_refunded = 1;
  orders[0]!.updated_at = new Date().toISOString().slice(0, 19).replace("T", " ");
  expect(await sync(id)).toBeNull();
  expect((await order(id, "601")).items[0]?.reviewable).toBe(false);
});

it("imports nothing while paused and nothing twice concurrently", async () => {
  const { fake, address } = await aShop({ orders: manyOrders(30) });
  const { id } = await connect(address);
  await pool().query("update integrations set enabled = false where client_id = $1", [id]);
  await sync(id);
  expect(fake.requests).toHaveLength(0);
  await pool().query("update integrations set enabled = true where client_id = $1", [id]);
  await Promise.all([sync(id), sync(id), sync(id)]);
  // One that begins when another has ended may run, too.
  const { rows } = await pool().query(
    `select lead(started_at) over (order by started_at) < finished_at as overlaps
       from integration_runs where client_id = $1 order by started_at`,
    [id],
  );
  expect(rows.length).toBeGreaterThanOrEqual(1);
  expect(rows.filter(({ overlaps }) => overlaps)).toEqual([]);
  expect(await ordersOf(id)).toHaveLength(30);
});

it("retries later without blocking others while requests to the store are paused", async () => {
  const { address, fake } = await aShop({ orders: [anOrder({ entity_id: 1 })] });
  const { id } = await connect(address);
  const before = fake.requests.length;
  await postponeRequests(rateLimitKey("commerce", new URL(address).origin), 3_600);
  const part = await syncCommerce(id, { retryDelays: [], timeout: 2_000 });
  expect(part.nextInSeconds).toBeGreaterThan(0);
  expect(noticeInEnglish(part.error)).toContain("asked us to wait");
  expect(fake.requests.length).toBe(before);
});

it("builds the catalog: variants with their parent's page, category names, brands, removed products", async () => {
  const { fake, address } = await aShop(sampleCatalog());
  const { id } = await connect(address, ["catalogue=true"]);
  expect(await sync(id)).toBeNull();
  const { rows } = await pool().query<Record<string, unknown>>(
    "select id, family_id, name, brand, category, url, image_url, gtin14s, deleted from products where client_id = $1 order by id",
    [id],
  );
  expect(rows.map((row) => row.id)).toEqual([
    "KIT",
    "LAMP-1",
    "STRAP-6",
    "STRAPS",
    "TEE",
    "TEE-L-ORANGE",
    "TEE-M-ORANGE",
  ]);
  expect(rows[1]).toMatchObject({
    family_id: "LAMP-1",
    brand: "Ljus & Co",
    category: "Home > Lamps & Light",
    url: "https://shop.example/reading-lamp.html",
    image_url: "https://shop.example/media/catalog/product/l/a/lamp-1.jpg",
    gtin14s: ["04006381333931"],
  });
  expect(rows[6]).toMatchObject({
    family_id: "TEE",
    name: "Tee-M-Orange",
    brand: "Lanterna",
    url: "https://shop.example/tee.html",
    image_url: "https://shop.example/media/catalog/product/l/a/tee.jpg",
  });
  fake.data.products = fake.data.products.filter(({ sku }) => sku !== "STRAPS");
  await withNow(new Date(Date.now() + 25 * 3_600_000), () => sync(id));
  const deletedProducts = await pool().query("select id from products where client_id = $1 and deleted", [id]);
  expect(deletedProducts.rows).toEqual([{ id: "STRAPS" }]);
  fake.data.products = fake.data.products.slice(0, 1);
  await withNow(new Date(Date.now() + 50 * 3_600_000), () => sync(id));
  expect(noticeInEnglish(String((await stateOf(id)).state.warning))).toMatch(/more than half would be deleted/);
});

it("deletes most of the catalog only after confirmation, and reports that it waits", async () => {
  const { fake, address } = await aShop(sampleCatalog());
  const { id } = await connect(address, ["catalogue=true"]);
  await sync(id);
  fake.data.products = fake.data.products.slice(0, 1);
  const ask = async (confirmDeletions: boolean) => {
    expect((await runWholeSync(systemActor, { id }, "commerce", { confirmDeletions }))?.outcome).toBe("done");
    const live = await pool().query("select id from products where client_id = $1 and not deleted", [id]);
    return [(await getIntegration({ id }, "commerce")).deletions_held, live.rows.length];
  };
  expect(await ask(false)).toEqual([true, 7]);
  await set(id, ["catalogue=false"]);
  expect(await ask(false)).toEqual([false, 7]);
  await set(id, ["catalogue=true"]);
  expect(await ask(true)).toEqual([false, 1]);
  expect((await getIntegration({ id }, "commerce")).warning).toBeNull();
  const audit = "select actor_kind, subject from audit_entries where action = 'integration.deletions_confirmed'";
  expect((await pool().query(`${audit} and client_id = $1`, [id])).rows).toEqual([
    { actor_kind: systemActor.kind, subject: "commerce" },
  ]);
});

it("continues with new orders if the store fails on retried ones", async () => {
  const { fake, address } = await aShop({
    orders: [anOrder({ entity_id: 71, increment_id: "7001" }), anOrder({ entity_id: 72, increment_id: "7001" })],
  });
  const { id } = await connect(address);
  await sync(id);
  expect(await retryDeliveries(systemActor, { id }, "commerce", null)).toEqual({ retried: 1 });
  fake.data.orders.push(anOrder({ entity_id: 73, increment_id: "7003", updated_at: "2026-03-02 00:00:00" }));
  fake.failures.push({ status: 400, body: { message: "The condition is not known." } });
  expect(await sync(id)).toBeNull();
  expect(await ordersOf(id)).toEqual(["7001", "7003"]);
  expect((await listDeliveries({ id }, "commerce", { outcome: "pending" })).deliveries).toEqual([]);
});

it("isn't reset by a connection test that runs at the same time", async () => {
  const { fake, address } = await aShop({ orders: manyOrders(30) });
  const secrets = { username: commerceUser.username, password: commerceUser.password };
  const { id } = await connect(address, ["auth=password", "page_size=5"], secrets);
  // The test reads the state, and writes its own part after a whole run has passed.
  const before = (await readIntegrationWithSecrets(id, "commerce"))!;
  expect(await sync(id)).toBeNull();
  const { commerce } = (await stateOf(id)).state;
  expect((await checkCommerce(before)).map(({ ok }) => ok)).toEqual([true, true, true, true]);
  expect((await stateOf(id)).state.commerce).toEqual(commerce);
  // Neither thirty orders again nor another sign-in.
  const { logins } = fake;
  expect(await sync(id)).toBeNull();
  expect((await lastRun(id)).counts.read ?? 0).toBe(0);
  expect([await ordersOf(id).then((ids) => ids.length), fake.logins]).toEqual([30, logins]);
  expect((await stateOf(id)).state).toMatchObject({ login: { token: { sealed: expect.any(String) } } });
});

it("retries a rejected order on request", async () => {
  const first = anOrder({ entity_id: 41, increment_id: "100", store_id: 1 });
  const second = anOrder({ entity_id: 42, increment_id: "100", store_id: 2, customer_id: 13 });
  const { fake, address } = await aShop({ orders: [first, second] });
  const { id } = await connect(address);
  await sync(id);
  const refused = async () =>
    (await listDeliveries({ id }, "commerce")).deliveries.filter(({ kind }) => kind === "order_refused");
  const [before] = await refused();
  expect(before).toMatchObject({ subject: "100", outcome: "failed", remote_id: "42", retry: true });
  // Unchanged, so it's rejected again with the reason.
  const again = () => retryDeliveries(systemActor, { id }, "commerce", null);
  expect(await again()).toEqual({ retried: 1 });
  expect(await again()).toEqual({ retried: 0 });
  await sync(id);
  expect(await refused()).toMatchObject([{ outcome: "failed", reason: expect.stringContaining("same number") }]);
  // The store renumbers it without changing its update time: a regular run wouldn't read it again.
  second.increment_id = "101";
  await again();
  await sync(id);
  expect(await ordersOf(id)).toEqual(["100", "101"]);
  // Deleted in the store: it's reported as not offered and stays.
  await pool().query(
    `insert into deliveries (client_id, id, type, kind, subject, outcome, reason, remote_id)
     values ($1, 'dlv_gone', 'commerce', 'order_refused', '999', 'failed', 'it cannot be read', '999')`,
    [id],
  );
  expect(await retryDeliveries(systemActor, { id }, "commerce", "dlv_gone")).toEqual({ retried: 1 });
  await sync(id);
  expect((await refused()).find(({ id: own }) => own === "dlv_gone")).toMatchObject({
    outcome: "skipped",
    reason: "not_offered",
    retry: true,
  });
  expect(fake.data.orders).toHaveLength(2);
});

it.each([
  { by: "customer", id: "13" },
  { by: "email", email: "grace@example.test" },
] as const)("deletes records of rejected orders of an erased person ($by)", async (person) => {
  const grace = { customer_id: 13, customer_email: "grace@example.test" };
  const first = anOrder({ entity_id: 61, increment_id: "700" });
  const twin = anOrder({ entity_id: 62, increment_id: "700", ...grace });
  const broken = anOrder({ entity_id: 63, increment_id: "701", ...grace, items: [aRow({ sku: "s".repeat(300) })] });
  const other = anOrder({ entity_id: 64, increment_id: "702", items: [aRow({ sku: "s".repeat(300) })] });
  const orders = [first, twin, broken, other];
  const { address } = await aShop({ orders });
  const { id } = await connect(address);
  await sync(id);
  const refused = async () =>
    (await listDeliveries({ id }, "commerce", { outcome: "failed" })).deliveries.map(({ subject }) => subject).sort();
  expect(await refused()).toEqual(["700", "701", "702"]);
  expect(await erasePersonalData(systemActor, { id }, person)).toBe("deleted");
  expect(await refused()).toEqual(["702"]);
  // The store fixes the orders and updates all of them.
  Object.assign(broken.items[0]!, { sku: "LAMP" });
  for (const order of orders) Object.assign(order, { customer_firstname: "New", updated_at: "2026-03-02 00:00:00" });
  await sync(id);
  expect(await refused()).toEqual(["702"]);
  expect(await ordersOf(id)).toEqual(["700"]);
  // The other order with that number belongs to another customer and is unchanged.
  expect((await order(id, "700")).customer).toMatchObject({ id: "12", name: expect.stringMatching(/^New/) });
  const deliveryRows = await pool().query("select to_jsonb(d)::text as row from deliveries d where client_id = $1", [
    id,
  ]);
  for (const { row } of deliveryRows.rows) for (const number of [701, 62, 63]) expect(row).not.toContain(`"${number}"`);
});

const recorded = path.resolve(import.meta.dirname, "../../../../shared/data/magento");
it.skipIf(!existsSync(recorded))("imports the recorded responses of a store", async () => {
  const read = (name: string) => JSON.parse(readFileSync(path.join(recorded, `${name}.json`), "utf8"));
  const names = [
    "product-configurable-MH01",
    "product-bundle-24-WG080",
    "product-grouped-24-WG085_Group",
    "product-simple-24-WG084",
  ];
  const { address } = await aShop({
    orders: read("orders-list-assembled").items,
    storeConfigs: read("store-configs"),
    products: names.map(read),
  });
  const { id } = await connect(address, ["skip_states=", "catalogue=true"]);
  expect(await sync(id)).toBeNull();
  const importedOrders = await Promise.all(
    (await ordersOf(id)).map(async (number) => {
      const { customer, items } = await order(id, number);
      return [number, customer.id, items.map((item) => `${item.id} ${item.reviewable}`)];
    }),
  );
  expect(importedOrders).toEqual([
    ["000000013", "1", ["MH09-XS-Blue false", "RACER false"]],
    ["000000013-1", "1", ["MH09-XS-Blue true", "RACER true"]],
    ["000000015", "1", ["MH09-XS-Blue true", "RACER true"]],
    ["000000019", "guest@example.com", ["WP13-28-Blue true"]],
  ]);
  const { rows } = await pool().query("select id, url from products where client_id = $1 order by id", [id]);
  expect(rows).toEqual([
    { id: "24-WG080", url: "http://magento/index.php/sprite-yoga-companion-kit.html" },
    { id: "24-WG084", url: "http://magento/index.php/sprite-foam-yoga-brick.html" },
    { id: "24-WG085_Group", url: "http://magento/index.php/set-of-sprite-yoga-straps.html" },
    { id: "MH01", url: "http://magento/index.php/chaz-kangeroo-hoodie.html" },
  ]);
});
