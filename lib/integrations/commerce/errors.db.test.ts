import { afterEach, describe, expect, it } from "vitest";
import { systemActor } from "@/lib/accounts/actor";
import { listDeliveries } from "@/lib/integrations/list-integrations";
import { listSyncRuns } from "@/lib/integrations/record-run";
import { retryDeliveries } from "@/lib/integrations/retry-deliveries";
import { selectIntegration } from "@/lib/integrations/rows";
import { setIntegrationFromText } from "@/lib/integrations/set-integration-from-text";
import { testIntegration } from "@/lib/integrations/test-integration";
import { getOrder } from "@/lib/orders/get-order";
import { withNow } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { CommerceFake, type CommerceModes, commerceKeys, commerceUser, type Failure } from "@/lib/tools/fakes/commerce";
import { aBundle, aConfigurable, anOrder, aShipment, type Row } from "@/lib/tools/fakes/commerce-orders";
import { manyOrders, sampleCatalog } from "@/lib/tools/fakes/commerce-shop";
import { aClient } from "@/lib/tools/test/factories";
import { noticeInEnglish } from "@/lib/tools/test/notice-text";
import { syncCommerce } from "./sync-commerce";

// Failures of resources other than orders. A failure must never be treated as a denied permission.

process.env.ALLOW_PRIVATE_URLS = "true";

const fakes: CommerceFake[] = [];
afterEach(async () => {
  for (const fake of fakes.splice(0)) await fake.close();
});

async function aShop(data: ConstructorParameters<typeof CommerceFake>[0], modes: Partial<CommerceModes> = {}) {
  const fake = new CommerceFake(data, modes);
  fakes.push(fake);
  const address = await fake.listen();
  const connect = async (settings: string[] = [], secrets: object = commerceKeys) => {
    const client = await aClient();
    const auth = settings.some((pair) => pair.startsWith("auth=")) ? [] : ["auth=oauth1"];
    const all = [`orders_url=${address}`, ...auth, ...settings];
    await setIntegrationFromText(systemActor, { id: client.id }, "commerce", all, secrets);
    return client;
  };
  /** Counts requests of a resource. */
  const countRequests = (resource: string) =>
    fake.requests.filter(({ line }) => line.includes(`/V1/${resource}?`) || line.endsWith(`/V1/${resource}`)).length;
  const failOn = (resource: string, failure: Failure | null, times = Number.POSITIVE_INFINITY) => {
    const before = countRequests(resource);
    fake.failureFor = () => {
      const { line } = fake.requests.at(-1)!;
      return line.includes(`/V1/${resource}`) && countRequests(resource) - before <= times ? failure : null;
    };
  };
  return { fake, address, connect, asked: countRequests, failOn };
}

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
const sync = async (clientId: string, { hours = 0, asked: requested = false } = {}) => {
  for (let part = 0; part < 50; part++) {
    const { nextInSeconds, error } = await withNow(inHours(hours), () =>
      syncCommerce(clientId, { perSecond: 1_000, retryDelays: [5, 5], timeout: 2_000, budget: 60_000, requested }),
    );
    if (nextInSeconds === null) return noticeInEnglish(error);
  }
  throw new Error("It does not end.");
};
const lastRun = async (id: string) => (await listSyncRuns({ id }, "commerce", 1))[0]!;
const itemsOf = async (clientId: string, order: Row) =>
  (await getOrder({ role: "operator" }, { id: clientId }, order.increment_id as string)).items;
const dayOf = async (clientId: string, order: Row) => (await itemsOf(clientId, order))[0]?.delivery_date;
const ordersOf = async (clientId: string) => {
  const { rows } = await pool().query("select id from orders where client_id = $1 order by id", [clientId]);
  return rows.map(({ id }) => id as string);
};

/** An order that was shipped later than `fallback_days` assumes. */
function aSentOrder(order: Row = {}) {
  const sent = anOrder(order);
  return { sent, shipment: aShipment(sent, sent.items, "2026-01-20 12:00:00") };
}

const broken = { status: 500, body: { message: "Internal Error." } };
const missing = { status: 404, body: { message: "Request does not match any route." } };
const brokenAsSuccess = { status: 200, body: { message: "Internal Error." } };
const refused = { status: 401, body: { message: "The consumer isn't authorized to access %resources." } };

it.each([
  { name: "500", trouble: broken },
  { name: "404", trouble: missing },
  { name: "200 with an error", trouble: brokenAsSuccess },
])("retries shipments once after one $name", async ({ trouble: failure }) => {
  const { sent, shipment } = aSentOrder();
  const { connect, failOn } = await aShop({ orders: [sent], shipments: [shipment] });
  const { id } = await connect();
  failOn("shipments", failure, 1);
  expect(await sync(id)).toBeNull();
  expect(await dayOf(id, sent)).toBe("2026-01-22");
  expect((await lastRun(id)).warning).toBeNull();
});

it.each([
  { name: "500", trouble: broken },
  { name: "404", trouble: missing },
  { name: "200 with an error", trouble: brokenAsSuccess },
])(
  "sets no delivery dates while shipments fail ($name), and reads their orders again",
  async ({ trouble: failure }) => {
    const { sent, shipment } = aSentOrder();
    const waiting = anOrder({ state: "processing" });
    const { connect, failOn, fake } = await aShop({ orders: [sent, waiting], shipments: [shipment] });
    const { id } = await connect();
    failOn("shipments", failure);
    expect(await sync(id)).toBeNull();
    expect([await dayOf(id, sent), await dayOf(id, waiting)]).toEqual([null, "2026-01-09"]);
    expect((await lastRun(id)).warning).toMatch(/shipments \(\d+\).* 1 order is incomplete/);
    // It keeps failing, and no date is invented.
    expect(await sync(id)).toBeNull();
    expect(await dayOf(id, sent)).toBeNull();
    fake.failureFor = null;
    expect(await sync(id)).toBeNull();
    expect(await dayOf(id, sent)).toBe("2026-01-22");
    expect((await lastRun(id)).warning).toBeNull();
  },
);

it("keeps a shipment's date while shipments fail, and clears an assumed one", async () => {
  const { sent, shipment } = aSentOrder();
  const later = anOrder({ state: "processing", updated_at: "2026-01-03 08:00:00" });
  const { connect, failOn, fake } = await aShop({ orders: [sent, later], shipments: [shipment] });
  const { id } = await connect();
  await sync(id);
  expect([await dayOf(id, sent), await dayOf(id, later)]).toEqual(["2026-01-22", "2026-01-09"]);
  for (const order of [sent, later])
    Object.assign(order, { customer_firstname: "New", updated_at: "2026-03-02 00:00:00" });
  later.items[0]!.qty_shipped = 1;
  fake.data.shipments.push(aShipment(later, later.items, "2026-03-02 12:00:00"));
  failOn("shipments", broken);
  expect(await sync(id)).toBeNull();
  expect([await dayOf(id, sent), await dayOf(id, later)]).toEqual(["2026-01-22", null]);
  fake.failureFor = null;
  await sync(id);
  expect([await dayOf(id, sent), await dayOf(id, later)]).toEqual(["2026-01-22", "2026-03-04"]);
});

it("imports an order without shipments after they failed for a week", async () => {
  const { sent, shipment } = aSentOrder();
  const { connect, failOn } = await aShop({ orders: [sent], shipments: [shipment] });
  const { id } = await connect();
  failOn("shipments", broken);
  await sync(id);
  expect(await dayOf(id, sent)).toBeNull();
  await sync(id, { hours: 8 * 24 });
  expect(await dayOf(id, sent)).toBe("2026-01-09");
});

it("decides on a refund of what may have been shipped once shipments can be read, or after a week", async () => {
  const items = aBundle({ sku: "KIT", qty_refunded: 1 }, [{ sku: "BALL", qty_shipped: 1 }]);
  const refunded = anOrder({ state: "closed", items });
  const shipment = aShipment(refunded, items.slice(1), "2026-01-20 12:00:00");
  const { connect, failOn, fake } = await aShop({ orders: [refunded], shipments: [shipment] });
  const fields = async (id: string) =>
    (await itemsOf(id, refunded)).map(({ returned, reviewable }) => [returned, reviewable]);
  const [known, unknown] = [await connect(["invite_returned=true"]), await connect(["invite_returned=true"])];
  failOn("shipments", broken);
  for (const { id } of [known, unknown]) {
    await sync(id);
    expect(await fields(id)).toEqual([[null, true]]);
  }
  // Its day stays open, so it isn't invited for.
  await sync(unknown.id, { hours: 8 * 24 });
  expect(await fields(unknown.id)).toEqual([[null, true]]);
  expect(await dayOf(unknown.id, refunded)).toBeNull();
  fake.failureFor = null;
  await sync(known.id);
  expect(await fields(known.id)).toEqual([[true, true]]);
});

describe.each([true, false])("if a bundle was refunded, with invite_returned=%s", (invites) => {
  const bundle = (row: Row = {}) => anOrder({ items: aBundle({ sku: "KIT", ...row }, [{ sku: "BALL" }]) });
  const shipmentOf = (order: { items: Row[] } & Row) => aShipment(order, order.items.slice(1), "2026-01-20 12:00:00");
  const fields = async (id: string, order: Row) =>
    (await itemsOf(id, order)).map(({ returned, reviewable, delivery_date }) => [returned, reviewable, delivery_date]);
  const change = (order: Row & { items: Row[] }, moment: string, row: Row = {}) => {
    Object.assign(order, { customer_firstname: `Ada ${moment}`, updated_at: `${moment} 00:00:00` });
    Object.assign(order.items[0]!, row);
  };
  const known = [true, invites, "2026-01-22"];

  it.each([
    ["access to shipments is denied", refused, 0],
    ["shipments fail", broken, 0],
    ["shipments fail for a week", broken, 8 * 24],
  ])("keeps what was known while %s", async (_, failure, hours) => {
    const refunded = bundle({ qty_refunded: 1 });
    const { connect, failOn, fake } = await aShop({ orders: [refunded], shipments: [shipmentOf(refunded)] });
    const { id } = await connect([`invite_returned=${invites}`]);
    await sync(id);
    expect(await fields(id, refunded)).toEqual([known]);
    failOn("shipments", failure);
    change(refunded, "2026-03-02");
    await sync(id);
    await sync(id, { hours });
    expect(await fields(id, refunded)).toEqual([known]);
    fake.failureFor = null;
    change(refunded, "2026-03-03");
    await sync(id, { hours: hours + 25 });
    expect(await fields(id, refunded)).toEqual([known]);
  });

  it("doesn't know what was refunded while access to shipments is denied, and decides once it's granted", async () => {
    const [sent, waiting, later] = [bundle(), bundle(), bundle({ qty_refunded: 1 })];
    const { connect, failOn, fake } = await aShop({ orders: [sent, waiting], shipments: [shipmentOf(sent)] });
    const { id } = await connect([`invite_returned=${invites}`]);
    await sync(id);
    expect(await fields(id, sent)).toEqual([[false, true, "2026-01-22"]]);
    expect(await fields(id, waiting)).toEqual([[false, true, "2026-01-09"]]);
    failOn("shipments", refused);
    fake.data.orders.push(later);
    for (const order of [sent, waiting, later]) change(order, "2026-03-02", { qty_refunded: 1 });
    await sync(id);
    expect(await fields(id, sent)).toEqual([[null, invites, "2026-01-22"]]);
    for (const order of [waiting, later]) expect(await fields(id, order)).toEqual([[null, invites, null]]);
    fake.failureFor = null;
    fake.data.shipments.push(shipmentOf(later));
    for (const order of [sent, waiting, later]) change(order, "2026-03-03");
    await sync(id, { hours: 25 });
    for (const order of [sent, later]) expect(await fields(id, order)).toEqual([known]);
    expect(await fields(id, waiting)).toEqual([[null, false, null]]);
  });
});

it("reads all shipments except those that the store fails on", async () => {
  const all = Array.from({ length: 12 }, () => aSentOrder());
  const bad = all[4]!.sent;
  const { connect, fake } = await aShop({
    orders: all.map(({ sent }) => sent),
    shipments: all.map(({ shipment }) => shipment),
  });
  const { id } = await connect();
  fake.failureFor = () => {
    const { line } = fake.requests.at(-1)!;
    return line.includes("/V1/shipments?") && line.includes(String(bad.entity_id)) ? broken : null;
  };
  expect(await sync(id)).toBeNull();
  const days = await Promise.all(all.map(({ sent }) => dayOf(id, sent)));
  expect(days).toEqual(all.map(({ sent }) => (sent === bad ? null : "2026-01-22")));
  fake.failureFor = null;
  await sync(id);
  expect(await dayOf(id, bad)).toBe("2026-01-22");
});

it.each([401, 403])(
  "remembers denied access to shipments for a day (%s), and reports it in each run",
  async (status) => {
    const { sent, shipment } = aSentOrder();
    const { connect, failOn, asked: requestedUrls, fake } = await aShop({ orders: [sent], shipments: [shipment] });
    const { id } = await connect();
    failOn("shipments", { ...refused, status });
    expect(await sync(id)).toBeNull();
    expect(await dayOf(id, sent)).toBe("2026-01-09");
    const before = requestedUrls("shipments");
    expect(before).toBeGreaterThan(0);
    sent.updated_at = "2026-03-02 00:00:00";
    expect(await sync(id, { hours: 20 })).toBeNull();
    expect(requestedUrls("shipments")).toBe(before);
    expect((await lastRun(id)).warning).toMatch(/Magento_Sales::shipment/);
    // The role gets the permission: it's detected after a day, or by the next requested run.
    fake.failureFor = null;
    sent.updated_at = "2026-03-03 00:00:00";
    expect(await sync(id, { hours: 25 })).toBeNull();
    expect(await dayOf(id, sent)).toBe("2026-01-22");
    expect((await lastRun(id)).warning).toBeNull();
  },
);

it.each([401, 403])("retries in the next run after a %s that is a proxy's page", async (status) => {
  const { sent, shipment } = aSentOrder();
  const { connect, failOn, fake } = await aShop({ orders: [sent], shipments: [shipment] });
  const { id } = await connect();
  failOn("shipments", { status, html: true });
  await sync(id);
  fake.failureFor = null;
  expect(await sync(id)).toBeNull();
  expect(await dayOf(id, sent)).toBe("2026-01-22");
});

it.each([
  { by: "asks for a run", asked: true, settings: [] },
  { by: "changes the settings", asked: false, settings: ["transit_days=2"] },
])("retries denied resources if a person $by", async ({ asked: wasRequested, settings }) => {
  const { sent, shipment } = aSentOrder();
  const { connect, failOn, fake } = await aShop({ orders: [sent], shipments: [shipment] });
  const { id } = await connect();
  failOn("shipments", refused);
  await sync(id);
  fake.failureFor = null;
  sent.updated_at = "2026-03-02 00:00:00";
  if (settings.length > 0) await setIntegrationFromText(systemActor, { id }, "commerce", settings, {});
  await sync(id, { asked: wasRequested });
  expect(await dayOf(id, sent)).toBe("2026-01-22");
});

it("processes shipments created while the store failed on them", async () => {
  const silent = anOrder({ state: "processing" });
  const { connect, failOn, fake } = await aShop({ orders: [silent, anOrder()] });
  const { id } = await connect();
  failOn("shipments", broken);
  await sync(id);
  // It doesn't change its order's update time.
  silent.items[0]!.qty_shipped = 1;
  const today = new Date().toISOString().slice(0, 19).replace("T", " ");
  fake.data.shipments.push(aShipment(silent, silent.items, today));
  fake.failureFor = null;
  await sync(id);
  await sync(id);
  const expected = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  expect(await dayOf(id, silent)).toBe(expected);
});

it("loads families, bundles and languages later if the store failed on them", async () => {
  const order = anOrder({ items: [...aConfigurable({ product_id: 4 }), ...aBundle({ product_id: 5 })] });
  const { connect, failOn, fake } = await aShop({ ...sampleCatalog(), orders: [order] });
  const { id } = await connect();
  const known = async () => (await itemsOf(id, order)).map((item) => [item.id, item.family_id]);
  const language = async () =>
    (await getOrder({ role: "operator" }, { id }, order.increment_id as string)).customer.lang;
  failOn("products", broken);
  expect(await sync(id)).toBeNull();
  expect(await known()).toEqual([["TEE-M-ORANGE", "TEE-M-ORANGE"]]);
  failOn("store/storeConfigs", broken);
  expect(await sync(id)).toBeNull();
  fake.failureFor = null;
  expect(await sync(id)).toBeNull();
  expect(await known()).toEqual([
    ["TEE-M-ORANGE", "TEE"],
    ["KIT", "KIT"],
  ]);
  const other = anOrder({ customer_id: 13 });
  fake.data.orders.push(other);
  failOn("store/storeConfigs", missing);
  expect(await sync(id)).toBeNull();
  fake.failureFor = null;
  expect(await sync(id)).toBeNull();
  expect([
    await language(),
    (await getOrder({ role: "operator" }, { id }, other.increment_id as string)).customer.lang,
  ]).toEqual(["sv", "sv"]);
});

it.each(["categories", "products/attributes/manufacturer/options"])(
  "imports no catalog without %s if the store failed on them, and retries within hours",
  async (resource) => {
    const { connect, failOn, fake } = await aShop({ ...sampleCatalog() });
    const { id } = await connect(["catalogue=true"]);
    await sync(id);
    const productRows = async () => {
      const { rows } = await pool().query("select id, category, brand from products where client_id = $1 order by id", [
        id,
      ]);
      return rows;
    };
    const before = await productRows();
    failOn(resource, broken);
    expect(await sync(id, { hours: 25 })).toBeNull();
    expect(await productRows()).toEqual(before);
    expect((await lastRun(id)).warning).toMatch(/product catalog wasn’t imported/);
    fake.failureFor = null;
    fake.data.products = fake.data.products.filter(({ sku }) => sku !== "STRAPS");
    await sync(id, { hours: 27 });
    expect((await pool().query("select id from products where client_id = $1 and deleted", [id])).rows).toEqual([
      { id: "STRAPS" },
    ]);
  },
);

it("doesn't treat a 200 response with an error as a rejected password", async () => {
  const { connect, failOn, fake } = await aShop({ orders: [anOrder()] });
  const { id } = await connect(["auth=password"], { username: commerceUser.username, password: commerceUser.password });
  failOn("integration/admin/token", brokenAsSuccess);
  expect(await sync(id)).toMatch(/the token/);
  fake.failureFor = null;
  expect(await sync(id)).toBeNull();
  expect(await ordersOf(id)).toHaveLength(1);
});

it("keeps reading by time after a single invalid signature error", async () => {
  const { connect, fake } = await aShop({ orders: manyOrders(12) });
  const { id } = await connect(["page_size=5"]);
  fake.failures.push({ status: 401, body: { message: "The signature is invalid. Verify and try again." } });
  expect(await sync(id)).toBeNull();
  expect((await selectIntegration(id, "commerce"))?.state.commerce).toMatchObject({ key: "updated_at" });
});

it("reports failing shipments in a test as failing, not as denied", async () => {
  const { connect, failOn } = await aShop({ orders: [anOrder()] });
  const { id } = await connect();
  failOn("shipments", broken);
  const failing = await testIntegration({ id }, "commerce");
  expect(failing.checks.find(({ name }) => name === "Shipments")).toMatchObject({ ok: false });
  failOn("shipments", refused);
  expect(await testIntegration({ id }, "commerce")).toMatchObject({ ok: true });
});

it("fails if every page is an error with status 200", async () => {
  const { connect } = await aShop({ orders: manyOrders(12) });
  const { id } = await connect();
  const fake = fakes[0]!;
  fake.failureFor = () => brokenAsSuccess;
  expect(await sync(id)).toMatch(/returned an error for orders \(200\)/);
  expect(await lastRun(id)).toMatchObject({
    outcome: "failed",
    error: expect.stringMatching(/returned an error for orders/),
  });
  // Nothing was skipped: the next run imports all of them.
  fake.failureFor = null;
  expect(await sync(id)).toBeNull();
  expect(await ordersOf(id)).toHaveLength(12);
});

it("reports orders that the store can't list by number, or by their neighbors", async () => {
  const orders = manyOrders(6);
  const [bad, other] = [orders[2]!, orders[3]!];
  const { connect, fake } = await aShop({ orders }, { brokenOrderIds: [bad.entity_id as number] });
  const { id } = await connect();
  expect(await sync(id)).toBeNull();
  expect((await lastRun(id)).warning).toContain(String(bad.entity_id));
  // A store that ignores filters: requests can't identify the broken order.
  const withoutFilters = await aShop({ orders }, { brokenOrderIds: [bad.entity_id as number], ignoresFilters: true });
  const { id: second } = await withoutFilters.connect();
  expect(await sync(second)).toBeNull();
  expect((await lastRun(second)).warning).toContain(`one between ${orders[1]!.increment_id} and ${other.increment_id}`);
  expect((await lastRun(second)).counts).toMatchObject({ failed: 1, imported: 5 });
  // An order without its number.
  fake.modes.brokenOrderIds = [];
  const numberless = await aShop(
    { orders: [orders[0]!, { increment_id: "A-17" }, {}, orders[1]!] },
    { ignoresFilters: true },
  );
  const { id: third } = await numberless.connect();
  expect(await sync(third)).toBeNull();
  const { warning } = await lastRun(third);
  expect(warning).toContain("A-17");
  expect(warning).toContain(`one between ${orders[0]!.increment_id} and ${orders[1]!.increment_id}`);
});

it("reports why retried orders couldn't be read if the store fails on them", async () => {
  const twins = [anOrder({ entity_id: 41, increment_id: "100" }), anOrder({ entity_id: 42, increment_id: "100" })];
  const { connect, fake } = await aShop({ orders: twins });
  const { id } = await connect();
  await sync(id);
  expect(await retryDeliveries(systemActor, { id }, "commerce", null)).toEqual({ retried: 1 });
  const again = () => /entity_id&.*condition_type\]=in&/.test(fake.requests.at(-1)!.line);
  fake.failureFor = () => (again() ? broken : null);
  expect(await sync(id)).toBeNull();
  const refusedOnes = async () =>
    (await listDeliveries({ id }, "commerce")).deliveries.filter(({ kind }) => kind === "order_refused");
  expect(await refusedOnes()).toMatchObject([
    { outcome: "failed", reason: expect.stringMatching(/returned an error for orders/) },
  ]);
});
