import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { systemActor } from "@/lib/accounts/actor";
import { listDeliveries } from "@/lib/integrations/list-integrations";
import { listSyncRuns } from "@/lib/integrations/record-run";
import { selectIntegration } from "@/lib/integrations/rows";
import { removeIntegration, switchIntegration } from "@/lib/integrations/set-integration";
import { setIntegrationFromText } from "@/lib/integrations/set-integration-from-text";
import { testIntegration } from "@/lib/integrations/test-integration";
import { getOrder } from "@/lib/orders/get-order";
import { postponeDelivery } from "@/lib/orders/postpone-delivery";
import { pool } from "@/lib/platform/db/pool";
import { erasePersonalData } from "@/lib/privacy/erase-personal-data";
import { viewPersonalData } from "@/lib/privacy/view-personal-data";
import { DeltaShareFake, type DeltaShareModes, deltaShareToken } from "@/lib/tools/fakes/delta-share";
import { DeltaShareTable } from "@/lib/tools/fakes/delta-share-table";
import {
  aContact,
  anArticle,
  anItem,
  aReceipt,
  aStore,
  sampleTenant,
  type TenantTables,
  tenantTables,
} from "@/lib/tools/fakes/delta-share-tenant";
import { aClient } from "@/lib/tools/test/factories";
import { noticeInEnglish } from "@/lib/tools/test/notice-text";
import { DeltaShareClient } from "./client";
import { previewShare } from "./preview-share";
import { purgeDisconnectedShares } from "./purge-disconnected";
import { selectLines } from "./sql";
import { syncShare } from "./sync-share";

// End to end: a share over HTTP with real Parquet files, its orders in the database.

process.env.ALLOW_PRIVATE_URLS = "true";

const fakes: DeltaShareFake[] = [];
afterEach(async () => {
  for (const fake of fakes.splice(0)) await fake.close();
});

async function aShare(tables: TenantTables | DeltaShareTable[], modes: Partial<DeltaShareModes> = {}) {
  const fake = new DeltaShareFake(Array.isArray(tables) ? tables : Object.values(tables), { rate: 1_000, ...modes });
  fakes.push(fake);
  return { fake, profile: await fake.listen() };
}
const set = (clientId: string, settings: string[], secrets: object = {}) =>
  setIntegrationFromText(systemActor, { id: clientId }, "share", settings, secrets);
async function connect(profile: object, settings: string[] = []): Promise<string> {
  const { id } = await aClient();
  await set(id, settings, { profile });
  return id;
}
/** Another test covers the rate limit. */
const quick = { perSecond: 1_000 };
async function sync(clientId: string): Promise<string | null> {
  for (let part = 0; part < 50; part++) {
    const { nextInSeconds, error } = await syncShare(clientId, {
      ...quick,
      retryDelays: [5, 5],
      timeout: 10_000,
      budget: 60_000,
    });
    if (nextInSeconds === null) return noticeInEnglish(error);
  }
  throw new Error("It does not end.");
}
const lastRun = async (id: string) => (await listSyncRuns({ id }, "share", 1))[0]!;
const rowsOf = async (text: string, id: string) => (await pool().query(text, [id])).rows;
const ordersOf = async (id: string) =>
  (await rowsOf("select id from orders where client_id = $1 order by id", id)).map((row) => row.id);
const order = async (clientId: string, id: string) =>
  JSON.parse(JSON.stringify(await getOrder({ role: "operator" }, { id: clientId }, id)));
const item = async (clientId: string, orderId: string, sku: string) =>
  (await order(clientId, orderId)).items.find((one: { id: string }) => one.id === sku);
const failures = async (id: string) =>
  (await listDeliveries({ id }, "share", { outcome: "failed" })).deliveries.map(({ kind, subject, reason }) => ({
    kind,
    subject,
    reason,
  }));

describe("receipts", () => {
  it("become orders like posted ones, and a repeated import changes nothing", async () => {
    const { fake, profile } = await aShare(sampleTenant());
    const id = await connect(profile);
    expect(await sync(id)).toBeNull();
    expect((await lastRun(id)).counts).toMatchObject({
      stores: 2,
      articles: 3,
      contacts: 3,
      receipts: 4,
      items: 6,
      without_contact: 2,
      imported: 3,
      returns: 1,
      files: 5,
    });
    expect(await ordersOf(id)).toEqual(["r-1", "r-2", "r-5"]);
    // The newest version of the contact, bought online: five days later.
    expect(await order(id, "r-1")).toMatchObject({
      store_name: "Web shop",
      customer: {
        id: "c-ada",
        name: "Ada Example",
        email: "ada@example.org",
        opt_out: false,
      },
      items: expect.arrayContaining([
        expect.objectContaining({
          id: "LAMP-OAK-S",
          family_id: "LAMP-OAK",
          name: "Oak lamp, small",
          delivery_date: "2026-01-09",
          reviewable: true,
        }),
      ]),
    });
    // Bought in a store: the same day. The mug was returned.
    expect(await item(id, "r-2", "LAMP-OAK-L")).toMatchObject({
      delivery_date: "2026-01-04",
      reviewable: true,
    });
    expect(await item(id, "r-2", "MUG")).toMatchObject({ reviewable: false });
    expect((await order(id, "r-5")).customer).toMatchObject({
      id: "c-cleo",
      email: null,
    });
    const before = await rowsOf("select * from order_items where client_id = $1 order by order_id, id", id);
    const files = fake.servedFiles.length;
    expect(await sync(id)).toBeNull();
    expect((await lastRun(id)).counts).toEqual({});
    expect(fake.servedFiles).toHaveLength(files);
    expect(await rowsOf("select * from order_items where client_id = $1 order by order_id, id", id)).toEqual(before);
  });

  it("follow the settings: numbers, stores, days, consent, dates", async () => {
    const tables = sampleTenant();
    tables.contactslatest.append([
      aContact({
        contactId: "c-bo",
        memberNumber: "1002",
        firstName: "Bo",
        email: "bo@example.org",
        acceptsEmail: false,
        import_date_time: "2026-01-07T00:00:00Z",
      }),
    ]);
    tables.receiptslatest.append([
      aReceipt({
        receiptId: "old",
        contactId: "c-bo",
        storeId: "s-city",
        transactionDateTime: "2025-01-01T00:00:00Z",
      }),
    ]);
    const old = aReceipt({
      receiptId: "older",
      contactId: "c-bo",
      storeId: "s-city",
      transactionDateTime: "2025-06-01T00:00:00Z",
    });
    tables.receiptslatest.append([old, aReceipt({ receiptId: "new", storeId: "s-city" })]);
    const { fake, profile } = await aShare(tables);
    const id = await connect(profile, [
      "customer_id=member_number",
      "order_id=receipt_number",
      "stores=CITY",
      "store_days=1",
      "use_opt_out=true",
      "since=2026-01-01",
    ]);
    expect(await sync(id)).toBeNull();
    expect(await ordersOf(id)).toEqual(["200001"]);
    expect(await order(id, "200001")).toMatchObject({
      customer: { id: "1002", name: "Bo Example", opt_out: true },
    });
    expect(await item(id, "200001", "LAMP-OAK-L")).toMatchObject({
      delivery_date: "2026-01-05",
    });
    expect((await lastRun(id)).counts).toMatchObject({ other_stores: 2, too_old: 1, waiting: 1 });
    // The share omits older files by the hint; rows that it offers anyway are filtered.
    const receiptRequests = fake.requests.filter(({ line }) => line.includes("receiptslatest/query"));
    expect(receiptRequests.map(({ body }) => JSON.parse(body))).toEqual([
      { predicateHints: ["transactionDateTime >= '2025-12-31'"] },
    ]);
    expect(fake.servedFiles).not.toContain(tables.receiptslatest.versions[2]?.added[0]?.id);
    // More stores: skipped receipts are checked again.
    await set(id, ["stores=CITY,WEB"]);
    expect(await sync(id)).toBeNull();
    expect(await ordersOf(id)).toEqual(["100001", "100002", "200001"]);
  });

  it("wait for their contacts and items, in any order", async () => {
    const tables = tenantTables();
    tables.receiptitemslatest.append([anItem()]);
    const { profile } = await aShare(tables);
    const id = await connect(profile);
    expect(await sync(id)).toBeNull();
    tables.receiptslatest.append([aReceipt(), aReceipt({ receiptId: "empty", receiptNumber: "9" })]);
    expect(await sync(id)).toBeNull();
    expect((await lastRun(id)).counts).toMatchObject({ waiting: 2 });
    expect(await ordersOf(id)).toEqual([]);
    tables.contactslatest.append([aContact()]);
    expect(await sync(id)).toBeNull();
    expect(await ordersOf(id)).toEqual(["r-1"]);
    // No article, no store: unknown to the catalog, and bought online.
    expect(await item(id, "r-1", "LAMP-OAK-S")).toMatchObject({
      reviewable: false,
      delivery_date: "2026-01-09",
    });
    tables.receiptitemslatest.append([anItem({ receiptId: "empty", sku: "MUG" })]);
    expect(await sync(id)).toBeNull();
    expect(await ordersOf(id)).toEqual(["empty", "r-1"]);
  });

  it("subtract returns from the previous purchase and keep a date that the customer changed", async () => {
    const tables = tenantTables();
    tables.contactslatest.append([aContact()]);
    tables.articlelatest.append([anArticle()]);
    const days = { transactionDateTime: "2026-01-10T12:00:00Z" };
    tables.receiptslatest.append([aReceipt(), aReceipt({ receiptId: "r-2", ...days })]);
    tables.receiptitemslatest.append([anItem(), anItem({ receiptId: "r-2", quantity: 2, ...days })]);
    const { profile } = await aShare(tables);
    const id = await connect(profile);
    await sync(id);
    await postponeDelivery(id, "r-1", "LAMP-OAK-S", "2026-03-01");
    const back = (receiptId: string, day: string, quantity: number) => {
      const at = { transactionDateTime: `${day}T12:00:00Z` };
      tables.receiptslatest.append([aReceipt({ receiptId, ...at })]);
      tables.receiptitemslatest.append([anItem({ receiptId, type: "RETURN", quantity, ...at })]);
    };
    expect(await item(id, "r-2", "LAMP-OAK-S")).toMatchObject({ returned: false });
    back("back-1", "2026-01-12", 1);
    await sync(id);
    expect(await item(id, "r-2", "LAMP-OAK-S")).toMatchObject({
      reviewable: true,
      returned: true,
    });
    back("back-2", "2026-01-13", 1);
    await sync(id);
    expect(await item(id, "r-2", "LAMP-OAK-S")).toMatchObject({
      reviewable: false,
    });
    expect(await item(id, "r-1", "LAMP-OAK-S")).toMatchObject({
      reviewable: true,
      returned: false,
      delivery_date: "2026-03-01",
    });
    const inviting = await connect(profile, ["invite_returned=true"]);
    await sync(inviting);
    expect(await item(inviting, "r-2", "LAMP-OAK-S")).toMatchObject({ reviewable: true, returned: true });
    // The customer's new email is stored; the moved date stays.
    tables.contactslatest.append([
      aContact({
        email: "ada@new.example",
        import_date_time: "2026-02-01T00:00:00Z",
      }),
    ]);
    await sync(id);
    expect((await order(id, "r-1")).customer.email).toBe("ada@new.example");
    expect(await item(id, "r-1", "LAMP-OAK-S")).toMatchObject({
      delivery_date: "2026-03-01",
    });
    // It isn't overwritten by other changes of the item either.
    tables.articlelatest.append([anArticle({ name: "Oak lamp, shorter", import_date_time: "2026-02-01T00:00:00Z" })]);
    tables.receiptitemslatest.append([anItem({ quantity: 3, import_date_time: "2026-02-01T00:00:00Z" })]);
    await sync(id);
    expect(await item(id, "r-1", "LAMP-OAK-S")).toMatchObject({
      name: "Oak lamp, shorter",
      delivery_date: "2026-03-01",
    });
    // A receipt that the platform revokes.
    tables.receiptslatest.append([
      aReceipt({
        changeType: "DELETE",
        import_date_time: "2026-02-02T00:00:00Z",
      }),
    ]);
    await sync(id);
    await sync(inviting);
    for (const client of [id, inviting])
      expect(await item(client, "r-1", "LAMP-OAK-S")).toMatchObject({ reviewable: false, returned: false });
    expect(await ordersOf(id)).toEqual(["r-1", "r-2"]);
  });

  it("use the version imported last, to the microsecond and in any order", async () => {
    const tables = tenantTables();
    tables.contactslatest.append([
      aContact({
        firstName: "Newest",
        import_date_time: "2026-01-05T04:00:00.000002Z",
      }),
    ]);
    tables.contactslatest.append([
      aContact({
        firstName: "Older",
        import_date_time: "2026-01-05T04:00:00.000001Z",
      }),
    ]);
    tables.receiptslatest.append([aReceipt()]);
    tables.receiptitemslatest.append([anItem()]);
    const { profile } = await aShare(tables);
    const id = await connect(profile);
    await sync(id);
    expect((await order(id, "r-1")).customer.name).toBe("Newest Example");
  });
});

describe("people", () => {
  it("who were erased aren't imported again", async () => {
    const tables = sampleTenant();
    const { profile } = await aShare(tables);
    const id = await connect(profile, ["customer_id=member_number"]);
    await sync(id);
    expect(await erasePersonalData(systemActor, { id }, { by: "customer", id: "1001" })).toBe("deleted");
    expect(await erasePersonalData(systemActor, { id }, { by: "email", email: "bo@example.org" })).toBe("deleted");
    const everything = async () =>
      JSON.stringify([
        await rowsOf("select to_jsonb(s) from share_rows s where client_id = $1 and part <> 'items'", id),
        await rowsOf("select to_jsonb(d) from deliveries d where client_id = $1", id),
        await rowsOf("select to_jsonb(i) from integrations i where client_id = $1", id),
        await rowsOf("select to_jsonb(c) from customers c where client_id = $1", id),
      ]);
    const isDeleted = async () => {
      const text = await everything();
      for (const word of ["c-ada", "ada@example.org", "1001", "c-bo", "bo@example.org", "r-1", "r-2"])
        expect(text).not.toContain(`"${word}"`);
    };
    await isDeleted();
    // Everything is read again, with more of the same people.
    tables.contactslatest.append([aContact({ import_date_time: "2026-05-01T00:00:00Z" })]);
    tables.receiptslatest.append([
      aReceipt({ import_date_time: "2026-05-01T00:00:00Z" }),
      aReceipt({ receiptId: "r-9" }),
    ]);
    tables.receiptitemslatest.append([anItem({ receiptId: "r-9" })]);
    await sync(id);
    expect((await lastRun(id)).counts).toMatchObject({
      erased: expect.any(Number),
    });
    await set(id, ["since=2020-01-01"]); // everything is read again
    await sync(id);
    await isDeleted();
    expect(await ordersOf(id)).toEqual(["r-5"]);
    expect((await listDeliveries({ id }, "share")).deliveries.map(({ subject }) => subject)).toEqual(["r-5"]);
  });

  it.each(["receipt_id", "receipt_number"])(
    "who were erased stay away with lines that only refer to their receipt (order_id: %s)",
    async (order_id) => {
      const tables = tenantTables();
      tables.contactslatest.append([aContact()]);
      tables.receiptslatest.append([aReceipt()]);
      tables.receiptitemslatest.append([anItem()]);
      const { profile } = await aShare(tables);
      const id = await connect(profile, ['columns={"items":{"contact":null}}', `order_id=${order_id}`]);
      await sync(id);
      expect(await ordersOf(id)).toEqual([order_id === "receipt_id" ? "r-1" : "100001"]);
      // A line that arrives before its receipt, whose person is erased in between.
      tables.receiptitemslatest.append([anItem({ receiptId: "r-8" })]);
      await sync(id);
      expect(await erasePersonalData(systemActor, { id }, { by: "customer", id: "c-ada" })).toBe("deleted");
      const newer = { import_date_time: "2026-05-01T00:00:00Z" };
      tables.receiptslatest.append([
        aReceipt({ receiptId: "r-8", receiptNumber: "100008" }),
        aReceipt({ receiptId: "r-9", receiptNumber: "100009" }),
      ]);
      tables.receiptitemslatest.append([anItem({ quantity: 2, ...newer }), anItem({ receiptId: "r-9" })]);
      await sync(id);
      const storedRows = () => rowsOf("select part, id from share_rows where client_id = $1", id);
      expect(await storedRows()).toEqual([]);
      await set(id, ["since=2020-01-01"]); // everything is read again
      await sync(id);
      expect(await storedRows()).toEqual([]);
      expect((await listDeliveries({ id }, "share")).deliveries).toEqual([]);
    },
  );

  it("whose contact hasn't arrived are found by customer id, and aren't imported when it does", async () => {
    const tables = tenantTables();
    tables.receiptslatest.append([aReceipt()]);
    tables.receiptitemslatest.append([anItem()]);
    const { profile } = await aShare(tables);
    const id = await connect(profile);
    const storedRows = () => rowsOf("select part, id from share_rows where client_id = $1", id);
    await sync(id);
    expect(await storedRows()).toHaveLength(2);
    expect(await erasePersonalData(systemActor, { id }, { by: "customer", id: "c-ada" })).toBe("deleted");
    expect(await storedRows()).toEqual([]);
    tables.contactslatest.append([aContact()]);
    tables.receiptslatest.append([aReceipt({ import_date_time: "2026-05-01T00:00:00Z" })]);
    await sync(id);
    expect(await storedRows()).toEqual([]);
    expect(await ordersOf(id)).toEqual([]);
  });

  it("are found by email before their first order", async () => {
    const tables = tenantTables();
    tables.contactslatest.append([aContact({ email: " Ada@Example.org " })]);
    tables.receiptslatest.append([aReceipt()]);
    tables.receiptitemslatest.append([anItem()]);
    const { profile } = await aShare(tables);
    const id = await connect(profile, ["stores=none"]);
    await sync(id);
    const person = { by: "email" as const, email: "ada@example.org" };
    expect(await viewPersonalData({ id }, person)).toMatchObject({ name: "Ada Example", customer_id: "c-ada" });
    await erasePersonalData(systemActor, { id }, person);
    expect(await viewPersonalData({ id }, person)).toMatchObject({ name: null, customer_id: null });
    expect(await rowsOf("select part from share_rows where client_id = $1", id)).toEqual([]);
  });

  it("whom the platform deleted aren't restored by older versions, and are found by an erasure", async () => {
    const tables = tenantTables();
    const at = (day: string) => ({ import_date_time: `2026-${day}T00:00:00Z` });
    tables.contactslatest.append([aContact(at("01-05"))]);
    tables.receiptslatest.append([aReceipt()]);
    tables.receiptitemslatest.append([anItem()]);
    const { profile } = await aShare(tables);
    const id = await connect(profile, ["customer_id=member_number"]);
    await sync(id);
    const deletion = { memberNumber: null, firstName: null, lastName: null, email: null, changeType: "DELETE" };
    tables.contactslatest.append([aContact({ ...deletion, ...at("02-05") })]);
    await sync(id);
    const storedRows = async () =>
      JSON.stringify(await rowsOf("select to_jsonb(s) from share_rows s where client_id = $1", id));
    expect(await storedRows()).not.toMatch(/ada@example|Ada Example/);
    // An older version, and everything again: purchases meanwhile belong to no person.
    tables.contactslatest.append([aContact(at("01-20"))]);
    tables.receiptslatest.append([aReceipt({ receiptId: "r-2" })]);
    tables.receiptitemslatest.append([anItem({ receiptId: "r-2" })]);
    await sync(id);
    await set(id, ["since=2020-01-01"]);
    await sync(id);
    expect(await ordersOf(id)).toEqual(["r-1"]);
    expect(await storedRows()).not.toMatch(/ada@example|Ada Example/);
    // The platform restores them.
    tables.contactslatest.append([aContact(at("03-05"))]);
    await sync(id);
    expect(await ordersOf(id)).toEqual(["r-1", "r-2"]);
    tables.contactslatest.append([aContact({ ...deletion, ...at("04-05") })]);
    await sync(id);
    expect(await viewPersonalData({ id }, { by: "customer", id: "1001" })).toMatchObject({ name: "Ada Example" });
    expect(await erasePersonalData(systemActor, { id }, { by: "customer", id: "1001" })).toBe("deleted");
    expect(await viewPersonalData({ id }, { by: "customer", id: "1001" })).toMatchObject({ customer_id: null });
    expect(await rowsOf("select id from share_rows where client_id = $1 and part <> 'articles'", id)).toEqual([]);
  });

  it("are deleted with all stored rows when the share is disconnected", async () => {
    const { profile } = await aShare(sampleTenant());
    const id = await connect(profile);
    await sync(id);
    await removeIntegration(systemActor, { id }, "share");
    while ((await purgeDisconnectedShares()) > 0);
    expect(await rowsOf("select id from share_rows where client_id = $1", id)).toEqual([]);
    expect(await rowsOf("select file_id from share_files where client_id = $1", id)).toEqual([]);
    expect(await ordersOf(id)).toEqual(["r-1", "r-2", "r-5"]);
  });
});

describe("changes", () => {
  it("are read from new files, and an unchanged table costs one request", async () => {
    const tables = sampleTenant();
    const { fake, profile } = await aShare(tables);
    const id = await connect(profile);
    await sync(id);
    fake.servedFiles.length = 0;
    fake.requests.length = 0;
    const { id: file } = tables.receiptslatest.append([aReceipt({ receiptId: "r-7", receiptNumber: "7" })]);
    const { id: more } = tables.receiptitemslatest.append([anItem({ receiptId: "r-7" })]);
    await sync(id);
    expect(fake.servedFiles).toEqual([file, more]);
    expect(fake.requests.filter(({ line }) => line.includes("/query"))).toHaveLength(2);
    expect(fake.requests.filter(({ line }) => line.includes("contactslatest"))).toHaveLength(1);
    expect(await ordersOf(id)).toContain("r-7");
  });

  it("are read from the change feed if it's shared, and from the whole table if the version is gone", async () => {
    const tables = sampleTenant({ history: true });
    const { fake, profile } = await aShare(tables);
    const id = await connect(profile);
    await sync(id);
    fake.servedFiles.length = 0;
    const change = tables.contactslatest.change([
      {
        ...aContact({ email: "before@example.org" }),
        _change_type: "update_preimage",
      },
      {
        ...aContact({
          email: "after@example.org",
          import_date_time: "2026-02-01T00:00:00Z",
        }),
        _change_type: "update_postimage",
      },
    ]);
    await sync(id);
    expect(fake.servedFiles).toEqual([change.id]);
    expect((await order(id, "r-1")).customer.email).toBe("after@example.org");
    // Several versions later, the first of them is gone.
    tables.contactslatest.append([
      aContact({
        email: "third@example.org",
        import_date_time: "2026-02-02T00:00:00Z",
      }),
    ]);
    tables.contactslatest.append([
      aContact({
        email: "fourth@example.org",
        import_date_time: "2026-02-03T00:00:00Z",
      }),
    ]);
    tables.contactslatest.oldest = tables.contactslatest.version;
    fake.requests.length = 0;
    await sync(id);
    expect(fake.requests.map(({ line }) => line)).toContainEqual(expect.stringMatching(/contactslatest\/query/));
    expect((await order(id, "r-1")).customer.email).toBe("fourth@example.org");
  });

  it("ignore an older version, and start over with a recreated table", async () => {
    const tables = sampleTenant();
    tables.contactslatest.append([aContact({ contactId: "c-more" })]);
    const { fake, profile } = await aShare(tables);
    const id = await connect(profile);
    await sync(id);
    fake.servedFiles.length = 0;
    fake.modes.versionLag = 1;
    expect(await sync(id)).toBeNull();
    expect(fake.servedFiles).toEqual([]);
    fake.modes.versionLag = 0;
    const recreated = new DeltaShareTable("contactslatest", tables.contactslatest.columns);
    recreated.append([
      aContact({
        email: "anew@example.org",
        import_date_time: "2026-06-01T00:00:00Z",
      }),
    ]);
    fake.tables[fake.tables.indexOf(tables.contactslatest)] = recreated;
    expect(await sync(id)).toBeNull();
    expect((await order(id, "r-1")).customer.email).toBe("anew@example.org");
  });

  it("are read from views that are rewritten each time, with unchanged rows left alone", async () => {
    const tables = tenantTables();
    tables.contactslatest.overwrite([aContact()]);
    tables.receiptslatest.overwrite([aReceipt()]);
    tables.receiptitemslatest.overwrite([anItem()]);
    const { profile } = await aShare(tables, { filesPerPage: 1 });
    const id = await connect(profile);
    await sync(id);
    tables.contactslatest.overwrite([aContact(), aContact({ contactId: "c-new" })]);
    tables.receiptslatest.overwrite([aReceipt()]);
    expect(await sync(id)).toBeNull();
    expect((await lastRun(id)).counts).toEqual({
      read: 3,
      files: 2,
      contacts: 1,
    });
    expect(await rowsOf("select count(*)::int from share_files where client_id = $1", id)).toEqual([{ count: 3 }]);
  });
});

describe("tables and columns", () => {
  it("are found in any spelling, or configured; partition columns aren't in the files", async () => {
    const column = (name: string) => ({ name, type: "STRING" as const });
    const place = { share: "Tenant", schema: "Engage_Purchases" };
    const contacts = new DeltaShareTable("Contacts", ["CONTACT_ID", "E_Mail", "first_name"].map(column), {
      share: "Tenant",
      schema: "people",
    });
    contacts.append([{ CONTACT_ID: "c1", E_Mail: "one@example.org", first_name: "One" }]);
    const receipts = new DeltaShareTable("till_receipts", ["Receipt_Id", "contact_id", "day", "shop"].map(column), {
      ...place,
      partition: "shop",
    });
    receipts.append([{ Receipt_Id: "t1", contact_id: "c1", day: "2026-01-02", shop: "Main" }]);
    const lines = new DeltaShareTable(
      "RECEIPT_ITEMS",
      ["receipt_item_id", "receiptid", "art_no", "type"].map(column),
      place,
    );
    lines.append([
      {
        receipt_item_id: "l1",
        receiptid: "t1",
        art_no: "A-1",
        type: "purchase",
      },
    ]);
    const { fake, profile } = await aShare([contacts, receipts, lines], {
      pageSize: 1,
    });
    const id = await connect(profile);
    expect(await sync(id)).toMatch(/no table receiptslatest \(receipts\)/);
    await set(id, ['tables={"receipts":"TILL_receipts"}']);
    expect(await sync(id)).toMatch(/RECEIPT_ITEMS has no column for items\.sku.*art_no/);
    const columns = {
      receipts: { at: "day", store: "shop" },
      items: { sku: "ART_NO" },
      contacts: { email: "e_mail" },
    };
    await set(id, [`columns=${JSON.stringify(columns)}`]);
    const { ok, checks } = await testIntegration({ id }, "share");
    expect(ok).toBe(true);
    expect(checks.map(({ name }) => name)).toEqual([
      "Profile",
      "Tables",
      "Stores",
      "Articles",
      "Contacts",
      "Receipts",
      "Receipt items",
    ]);
    expect(await sync(id)).toBeNull();
    expect(await order(id, "t1")).toMatchObject({
      customer: { email: "one@example.org" },
      items: [{ id: "A-1", delivery_date: "2026-01-07" }],
    });
    const { tables, fault } = await previewShare({ id }, "share");
    expect(fault).toBeNull();
    expect(tables.map(({ table }) => table)).toEqual([
      null,
      null,
      "Tenant.people.Contacts",
      "Tenant.Engage_Purchases.till_receipts",
      "Tenant.Engage_Purchases.RECEIPT_ITEMS",
    ]);
    expect(tables[3]).toMatchObject({
      columns: ["Receipt_Id", "contact_id", "day", "shop"],
      fields: expect.arrayContaining([
        { field: "store", column: "shop", needed: false },
        { field: "number", column: null, needed: false },
      ]),
      rows: [{ id: "t1", contact: "c1", store: "Main", at: "2026-01-02" }],
    });
    await expect(set(id, ['columns={"items":{"colour":"x"}}'])).rejects.toMatchObject({ code: "invalid_field" });
    await expect(set(id, ['tables={"things":"x"}'])).rejects.toMatchObject({
      code: "invalid_field",
    });
    fake.modes.expired = true;
    expect((await previewShare({ id }, "share")).fault).toMatch(/rejected the profile/);
  });

  it("provide articles instead of a feed, if configured", async () => {
    const tables = sampleTenant();
    const { profile } = await aShare(tables);
    const id = await connect(profile, ["catalogue=true"]);
    await sync(id);
    const products = () =>
      rowsOf("select id, family_id, name, brand, deleted from products where client_id = $1 order by id", id);
    expect(await products()).toEqual([
      {
        id: "LAMP-OAK-L",
        family_id: "LAMP-OAK",
        name: "Oak lamp, large",
        brand: "Nordlys",
        deleted: false,
      },
      {
        id: "LAMP-OAK-S",
        family_id: "LAMP-OAK",
        name: "Oak lamp, small",
        brand: "Nordlys",
        deleted: false,
      },
      {
        id: "MUG",
        family_id: "MUG",
        name: "Mug",
        brand: "Fika",
        deleted: false,
      },
    ]);
    tables.articlelatest.append([
      anArticle({
        sku: "MUG",
        number: "MUG",
        name: "Mug, blue",
        brand: "Fika",
        import_date_time: "2026-02-01T00:00:00Z",
      }),
    ]);
    await sync(id);
    expect(await products()).toContainEqual({
      id: "MUG",
      family_id: "MUG",
      name: "Mug, blue",
      brand: "Fika",
      deleted: false,
    });
  });
});

describe("failures", () => {
  it("reports an invalid row with a reason, imports the others, and imports it once fixed", async () => {
    const tables = sampleTenant();
    tables.receiptitemslatest.append([
      anItem({ receiptItemId: "bad", receiptId: "r-5", sku: null }),
      anItem({ receiptItemId: null }),
    ]);
    tables.receiptslatest.append([
      aReceipt({
        receiptId: "r-8",
        receiptNumber: "8",
        transactionDateTime: "yesterday",
      }),
    ]);
    tables.contactslatest.append([aContact({ contactId: null })]);
    const { profile } = await aShare(tables);
    const id = await connect(profile);
    expect(await sync(id)).toBeNull();
    expect(await ordersOf(id)).toEqual(["r-1", "r-2", "r-5"]);
    expect(await failures(id)).toEqual(
      expect.arrayContaining([
        { kind: "order_item_refused", subject: "bad", reason: "The SKU is missing." },
        {
          kind: "order_item_refused",
          subject: expect.stringMatching(/^row 2 of file /),
          reason: "The ID is missing.",
        },
        { kind: "order_refused", subject: "r-8", reason: "The time is invalid." },
        {
          kind: "contact_refused",
          subject: expect.stringMatching(/^row 1 of file /),
          reason: "The ID is missing.",
        },
      ]),
    );
    expect((await lastRun(id)).counts.failed).toBe(4);
    tables.receiptslatest.append([aReceipt({ receiptId: "r-8", receiptNumber: "8" })]);
    tables.receiptitemslatest.append([anItem({ receiptId: "r-8" })]);
    await sync(id);
    expect(await ordersOf(id)).toContain("r-8");
    expect((await failures(id)).map(({ subject }) => subject)).not.toContain("r-8");
  });

  it("reports an id that is too long, and imports the others", async () => {
    const tables = sampleTenant();
    const long = "長".repeat(256);
    tables.contactslatest.append([aContact({ contactId: "c-long", memberNumber: long })]);
    tables.receiptslatest.append([aReceipt({ receiptId: "r-long", contactId: long })]);
    tables.receiptitemslatest.append([
      anItem({ receiptItemId: "i-1", receiptId: long }),
      anItem({ receiptItemId: "i-2", contactId: long }),
    ]);
    const { profile } = await aShare(tables);
    const id = await connect(profile, ["customer_id=member_number"]);
    expect(await sync(id)).toBeNull();
    expect(await ordersOf(id)).toEqual(["r-1", "r-2", "r-5"]);
    const found = await failures(id);
    expect(found).toHaveLength(4);
    expect(found).toEqual(
      expect.arrayContaining([
        { kind: "contact_refused", subject: "c-long", reason: "The customer number is too long." },
        { kind: "order_refused", subject: "r-long", reason: "The contact ID is too long." },
        { kind: "order_item_refused", subject: "i-1", reason: "The receipt ID is too long." },
        { kind: "order_item_refused", subject: "i-2", reason: "The contact ID is too long." },
      ]),
    );
  });

  it("counts all rejected receipts, and reports the first ones individually", async () => {
    const tables = tenantTables();
    const many = Array.from({ length: 230 }, (_, n) => ({ receiptId: `r-${n}`, receiptNumber: null }));
    tables.contactslatest.append([aContact()]);
    tables.receiptslatest.append(many.map((one) => aReceipt(one)));
    tables.receiptitemslatest.append(many.map(({ receiptId }) => anItem({ receiptId })));
    const { profile } = await aShare(tables);
    const id = await connect(profile, ["order_id=receipt_number"]);
    expect(await sync(id)).toBeNull();
    expect((await lastRun(id)).counts).toMatchObject({ failed: 230 });
    expect(await rowsOf("select count(*)::int as n from deliveries where client_id = $1", id)).toEqual([{ n: 200 }]);
  });

  it("ignores other receipts of a shared contact that buys one SKU all day", async () => {
    const { id } = await aClient();
    await pool().query(
      `insert into share_rows (client_id, part, id, receipt_id, contact_id, sku, data)
       select $1, 'items', n::text, 'r-' || n, 'till', case when n > 600 then 'rare' else 'bag' end, '{"quantity": 1}'
         from generate_series(1, 610) n`,
      [id],
    );
    const lines = async (receipts: string[]) =>
      (await selectLines(pool(), id, receipts)).map(({ receipt_id }) => receipt_id);
    expect(await lines(["r-5", "r-6"])).toEqual(["r-5", "r-6"]);
    expect(await lines(["r-605"])).toHaveLength(10);
  });

  it("reports the second receipt with a number, and imports both by their own ids", async () => {
    const tables = sampleTenant();
    tables.receiptslatest.append([aReceipt({ receiptId: "r-twin" })]);
    tables.receiptitemslatest.append([anItem({ receiptId: "r-twin" })]);
    const { profile } = await aShare(tables);
    const id = await connect(profile, ["order_id=receipt_number"]);
    await sync(id);
    expect(await failures(id)).toEqual([
      {
        kind: "order_refused",
        subject: "r-twin",
        reason: expect.stringMatching(/same number/),
      },
    ]);
    await set(id, ["order_id=receipt_id"]);
    await sync(id);
    expect(await ordersOf(id)).toEqual(expect.arrayContaining(["r-1", "r-twin"]));
  });

  it("skips an invalid Parquet file, imports the others, and retries it", async () => {
    const tables = sampleTenant();
    const broken = tables.receiptslatest.appendBroken();
    const { fake, profile } = await aShare(tables);
    const id = await connect(profile);
    expect(await sync(id)).toBeNull();
    expect(await ordersOf(id)).toEqual(["r-1", "r-2", "r-5"]);
    expect(noticeInEnglish(String((await selectIntegration(id, "share"))?.state.warning))).toMatch(
      /file in table receiptslatest was skipped: .*Parquet/,
    );
    fake.servedFiles.length = 0;
    await sync(id);
    expect(fake.servedFiles).toEqual([broken.id]);
  });

  it.each([
    { what: "comes with another length than the share says", said: /has \d+ bytes instead of \d+/ },
    { what: "is gone for good", said: /rejected a download link \(404\)/ },
    { what: "is refused with every address", said: /rejected a download link \(403\)/ },
  ])(
    "skips one file that $what with a warning, and retries it in the next run",
    async ({ what, said: warningText }) => {
      const tables = sampleTenant();
      const bad = tables.receiptslatest.append([aReceipt({ receiptId: "r-late", contactId: "c-1" })]);
      const { fake, profile } = await aShare(tables);
      const id = await connect(profile);
      if (what.includes("length")) fake.modes.wrongSizes = [bad.id];
      else fake.modes.refusedFiles = { [bad.id]: what.includes("gone") ? 404 : 403 };
      const part = await syncShare(id, { ...quick, retryDelays: [5], timeout: 10_000, budget: 60_000 });
      expect(part).toEqual({ nextInSeconds: null, error: null });
      expect(await ordersOf(id)).toEqual(["r-1", "r-2", "r-5"]);
      const { outcome, warning, counts } = await lastRun(id);
      expect({ outcome, failed: counts.failed }).toEqual({ outcome: "done", failed: 1 });
      expect(warning).toMatch(/file in table receiptslatest was skipped/);
      expect(warning).toMatch(warningText);
      expect(noticeInEnglish(String((await selectIntegration(id, "share"))?.state.warning))).toBe(warning);
      // It's requested once per run, however many parts that has, and imported once it's back.
      fake.servedFiles.length = 0;
      Object.assign(fake.modes, { wrongSizes: [], refusedFiles: {} });
      expect(await sync(id)).toBeNull();
      expect(fake.servedFiles).toEqual([bad.id]);
      expect((await lastRun(id)).warning).toBeNull();
    },
  );

  it("continues after a file that was skipped in an earlier part of the run", async () => {
    const tables = sampleTenant();
    const bad = tables.storelatest.append([aStore()]);
    const { fake, profile } = await aShare(tables);
    const id = await connect(profile);
    fake.modes.wrongSizes = [bad.id];
    let parts = 0;
    for (let nextInSeconds: number | null = 0; nextInSeconds !== null && parts < 50; parts++)
      ({ nextInSeconds } = await syncShare(id, { ...quick, retryDelays: [5], timeout: 10_000, budget: 0 }));
    expect(parts).toBeLessThan(50);
    expect(await ordersOf(id)).toEqual(["r-1", "r-2", "r-5"]);
    // Requested twice in a row, since a proxy may have truncated it, and then no more.
    expect(fake.servedFiles.filter((file) => file === bad.id)).toHaveLength(2);
    const { warning, counts } = await lastRun(id);
    expect([warning?.match(/skipped/g)?.length, counts.failed]).toEqual([1, 1]);
  });

  it("waits for a file server that rejects all files, and skips none", async () => {
    const tables = sampleTenant();
    for (let n = 0; n < 12; n++) tables.storelatest.append([aStore({ id: `s-${n}` })]);
    const { fake, profile } = await aShare(tables);
    const id = await connect(profile);
    fake.failureFor = (_, what) => (what === "file" ? "expired" : null);
    const part = await syncShare(id, { ...quick, retryDelays: [5], timeout: 10_000, budget: 60_000 });
    expect([part.nextInSeconds, noticeInEnglish(part.error)]).toEqual([30, expect.stringMatching(/403/)]);
    fake.failureFor = null;
    expect(await sync(id)).toBeNull();
    expect(await lastRun(id)).toMatchObject({ outcome: "done", warning: null });
  });

  it("imports everything after temporary errors (429, 503, truncated, slow or missing responses, expired URLs)", async () => {
    const { fake, profile } = await aShare(sampleTenant(), {
      urlTtl: 3_600,
    });
    const id = await connect(profile);
    fake.failures.push(
      { status: 429, retryAfter: 1 },
      null,
      { status: 503, html: true },
      "cut",
      null,
      "cut in the middle",
      null,
      "slow body",
    );
    fake.fileFailures.push("expired", "cut in the middle", { status: 503 });
    let error: string | null = "";
    for (let part = 0; part < 20; part++) {
      const done = await syncShare(id, {
        ...quick,
        retryDelays: [5, 5],
        timeout: 1_500,
        budget: 60_000,
      });
      error = noticeInEnglish(done.error);
      if (done.nextInSeconds === null) break;
    }
    expect(error).toBeNull();
    expect(await ordersOf(id)).toEqual(["r-1", "r-2", "r-5"]);
  });

  it("reads the current files of a table that is rewritten meanwhile, and loses nothing", async () => {
    const tables = sampleTenant({ history: true });
    const { fake, profile } = await aShare(tables);
    const id = await connect(profile);
    fake.failureFor = (_, what) => {
      if (what !== "file") return null;
      fake.failureFor = null;
      // The same rows in another file, with no change recorded.
      tables.storelatest.overwrite([aStore()]);
      tables.storelatest.versions.at(-1)!.added = [];
      return "expired";
    };
    expect(await sync(id)).toBeNull();
    expect(await order(id, "r-1")).toMatchObject({ store_name: "Web shop" });
  });

  it("waits while the share stays busy, and gives up until the next run", async () => {
    const { fake, profile } = await aShare(sampleTenant());
    const id = await connect(profile);
    fake.failureFor = () => ({ status: 503, html: true });
    const waits: (number | null)[] = [];
    for (let part = 0; part < 6; part++)
      waits.push((await syncShare(id, { ...quick, retryDelays: [], timeout: 10_000 })).nextInSeconds);
    expect(waits).toEqual([30, 60, 120, 300, 600, null]);
    expect((await lastRun(id)).error).toMatch(/is unavailable \(503\)/);
    fake.failureFor = null;
    expect(await sync(id)).toBeNull();
    expect(await ordersOf(id)).toHaveLength(3);
  });

  it("reports an expired profile, and doesn't retry before there is a new one", async () => {
    const { fake, profile } = await aShare(sampleTenant());
    const id = await connect(profile);
    fake.modes.expired = true;
    expect(await sync(id)).toMatch(/rejected the profile \(401\)/);
    const requestsBefore = fake.requests.length;
    expect(await sync(id)).toMatch(/once you enter a new one/);
    expect(fake.requests).toHaveLength(requestsBefore);
    expect(await testIntegration({ id }, "share")).toMatchObject({
      ok: false,
      checks: [{ name: "Profile", ok: false }],
    });
    fake.modes.expired = false;
    expect((await testIntegration({ id }, "share")).ok).toBe(true);
    expect(await sync(id)).toBeNull();
    fake.modes.expired = true;
    await sync(id);
    fake.modes.expired = false;
    await set(id, [], {
      profile: { ...profile, expirationTime: "2099-01-01T00:00:00Z" },
    });
    expect(await sync(id)).toBeNull();
    await expect(set(id, [], { profile: "{" })).rejects.toMatchObject({
      code: "invalid_field",
    });
    await expect(set(id, [], { profile: { ...profile, shareCredentialsVersion: 2 } })).rejects.toMatchObject({
      code: "invalid_field",
    });
  });

  it("stops reading an endless list, and reports what is missing", async () => {
    const { fake, profile } = await aShare(sampleTenant(), { pageSize: 0 });
    const id = await connect(profile);
    expect(await sync(id)).toMatch(/doesn’t give access to any tables/);
    expect(fake.requests).toHaveLength(100);
  });

  it("reads only the beginning of a megabyte-long error", async () => {
    const body = JSON.stringify({ errorCode: "NO", message: "Not like this.", padding: "-".repeat(1024 * 1024) });
    const server = http.createServer((_, response) => void response.writeHead(400).end(body)).listen(0, "127.0.0.1");
    try {
      await once(server, "listening");
      const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const share = new DeltaShareClient({
        profile: { shareCredentialsVersion: 1, endpoint, bearerToken: deltaShareToken },
        retryDelays: [],
      });
      const error = await share.shares().catch((reason: unknown) => reason);
      expect(error).toMatchObject({ kind: "rejected" });
      expect(String(error)).not.toContain("Not like this.");
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it("leaves invalid characters out of reported text", async () => {
    const column = (name: string) => ({ name, type: "STRING" as const });
    const names = ["contact_id\0", "half \ud83d", "first_name", "x".repeat(2_000), ...Array(50).fill("y".repeat(200))];
    const contacts = new DeltaShareTable("contacts", names.map(column));
    const { contactslatest: _, ...others } = sampleTenant();
    const { fake, profile } = await aShare([contacts, ...Object.values(others)]);
    const id = await connect(profile);
    fake.failures.push({ status: 400, message: "No\0t like \ud83d\n this" });
    const refused = "The share rejected the request for shares (400). Response from the share: “Not like \ufffd this”";
    expect(await sync(id)).toBe(refused);
    expect((await lastRun(id)).error).toBe(refused);
    const nameless = await sync(id);
    expect(nameless).toMatch(/^Table contacts has no column for contacts\.id\. .* The table has first_name, yyy/);
    expect(nameless?.length).toBeLessThan(2_000);
    expect((await lastRun(id)).error).toBe(nameless);
  });

  it("rejects a table in Delta format with a clear error", async () => {
    const { profile } = await aShare(sampleTenant({ requiresDeltaFormat: true }));
    const id = await connect(profile);
    expect(await sync(id)).toMatch(/deletion vectors or column mapping/);
    expect((await testIntegration({ id }, "share")).ok).toBe(false);
  });

  it("never reveals the token in logs, errors or rows", async () => {
    const { fake, profile } = await aShare(sampleTenant());
    const id = await connect(profile);
    fake.fileFailures.push("expired", "expired", "expired", "expired");
    await sync(id);
    const storedRows = JSON.stringify([
      await rowsOf(
        "select settings, state, error, encode(secrets, 'escape') from integrations where client_id = $1",
        id,
      ),
      await rowsOf("select to_jsonb(r) from integration_runs r where client_id = $1", id),
      await rowsOf("select to_jsonb(d) from deliveries d where client_id = $1", id),
      await rowsOf("select to_jsonb(f) from share_files f where client_id = $1", id),
    ]);
    expect(storedRows).not.toContain(deltaShareToken);
    expect(storedRows).not.toContain("sig=");
  });
});

it("keeps to the rate limit, and can be paused", async () => {
  const { fake, profile } = await aShare(sampleTenant(), { rate: 10 });
  const id = await connect(profile);
  expect((await syncShare(id, { retryDelays: [5] })).error).toBeNull();
  expect(fake.peakRate).toBeLessThanOrEqual(10);
  const requestsBefore = fake.requests.length;
  expect(requestsBefore).toBeGreaterThan(12);
  await switchIntegration(systemActor, { id }, "share", false);
  await sync(id);
  expect(fake.requests).toHaveLength(requestsBefore);
});
