import { describe, expect, it } from "vitest";
import * as file from "@/app/portal/api/v1/personal_data/file/route";
import * as register from "@/app/portal/api/v1/personal_data/register/route";
import * as person from "@/app/portal/api/v1/personal_data/route";
import * as deletion from "@/app/v1/personal_data/delete/route";
import { systemActor } from "@/lib/accounts/actor";
import { recordAudit } from "@/lib/accounts/record-audit";
import { pool } from "@/lib/platform/db/pool";
import { erasePersonalData } from "@/lib/privacy/erase-personal-data";
import { openRequest } from "@/lib/privacy/erasure-requests";
import { personOf } from "@/lib/privacy/person";
import { call, pathOf, type RequestOptions } from "@/lib/tools/test/call";
import { aClient, aMember, anOrder, hashDatabase, rowsOf, someReviews, uniqueName } from "@/lib/tools/test/factories";
import { findEverywhere } from "@/lib/tools/test/find-everywhere";
import { createPersonWithData } from "@/lib/tools/test/people";

const PERSON = "/portal/api/v1/personal_data";
const FILE = `${PERSON}/file`;
const REGISTER = `${PERSON}/register`;

const find = (sent: RequestOptions, query: Record<string, string>) =>
  call(person, "GET", `${PERSON}?${new URLSearchParams(query)}`, sent);
const entries = async (sent: RequestOptions) => (await call(register, "GET", REGISTER, sent)).json.data;

describe("a person in the portal", () => {
  it("is found by address in any spelling and by id, with texts and orders, newest first", async () => {
    const shop = await aClient();
    const admin = await aMember(shop, "admin");
    const ada = { id: "c-1", name: "Ada Berg", email: "Ada@Customers.example" };
    const first = await anOrder(shop.id, { customer: ada });
    const second = await anOrder(shop.id, { customer: { ...ada, email: "ada.berg@new.example" } });
    await anOrder(shop.id, { customer: { id: "c-2", name: "Bo", email: "bo@customers.example" } });
    await someReviews(shop.id, [{ customer_id: "c-1", title: "Fine", extract: "Good light." }]);
    for (const query of [
      { customer_id: "c-1" },
      { email: " ADA.berg@New.example " },
      { email: "ada@customers.example" }, // A past address.
    ] as Record<string, string>[]) {
      const { status, json } = await find(admin, query);
      expect(status).toBe(200);
      expect(json.data).toMatchObject({
        person: { name: "Ada Berg", customer_id: "c-1", reviews: [{ title: "Fine", content: "Good light." }] },
        more_orders: false,
        removal: null,
      });
      expect(json.data.orders.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
    }
    const nobody = (await find(admin, { email: "nobody@x.example" })).json.data;
    expect(nobody).toEqual({
      person: { name: null, customer_id: null, email: null, reviews: [], questions: [], seller_reviews: [] },
      orders: [],
      more_orders: false,
      removal: null,
    });
    for (const query of [{}, { email: "x@y.example", customer_id: "c-1" }, { email: "no address" }])
      expect((await find(admin, query as Record<string, string>)).json.errors[0].code).toBe("invalid_field");
  });

  it("shows twenty orders and says that there are more", async () => {
    const shop = await aClient();
    const { customer } = await anOrder(shop.id, { id: "the-first" });
    await rowsOf(
      `insert into orders (client_id, id, customer_id, created_at)
       select $1, 'n' || n, $2, now() + make_interval(secs => n) from generate_series(1, 30) n`,
      [shop.id, customer.id],
    );
    const { data } = (await find(await aMember(shop, "admin"), { customer_id: customer.id as string })).json;
    expect([data.orders.length, data.more_orders, data.orders[0].id]).toEqual([20, true, "n30"]);
  });

  it("isn't found at another client or without the admin role", async () => {
    const [ownClient, otherClient] = [await aClient(), await aClient()];
    await anOrder(otherClient.id, { customer: { id: "c-1", name: "Ada", email: "ada@theirs.example" } });
    const admin = await aMember(ownClient, "admin");
    for (const query of [{ customer_id: "c-1" }, { email: "ada@theirs.example" }] as Record<string, string>[]) {
      expect((await find(admin, query)).json.data).toMatchObject({ person: { name: null }, orders: [] });
      expect((await find(admin, { ...query, client_id: otherClient.id })).status).toBe(403);
    }
    const before = await hashDatabase();
    for (const role of ["viewer", "moderator"] as const) {
      const member = await aMember(ownClient, role);
      expect((await find(member, { customer_id: "c-1" })).status).toBe(403);
      expect((await call(file, "POST", FILE, { ...member, body: { customer_id: "c-1" } })).status).toBe(403);
      expect((await call(register, "GET", REGISTER, member)).status).toBe(403);
      const response = await call(deletion, "POST", "/v1/personal_data/delete", {
        ...member,
        body: { customer_id: "c-1" },
      });
      expect(response.status).toBe(403);
    }
    expect(await rowsOf("select from audit_entries where client_id = $1", [ownClient.id])).toEqual([]);
    expect(before).not.toBe("");
  });
});

describe("the file for a person", () => {
  it("has the API's view and every order, and is recorded in the audit without the person", async () => {
    const shop = await aClient();
    const admin = await aMember(shop, "admin");
    const one = await createPersonWithData(shop, uniqueName("filed").replaceAll("-", ""));
    await anOrder(shop.id, {
      id: one.orderId,
      value: 129.9,
      customer: { id: one.customerId },
      items: [{ id: "returned", returned: true }],
    });
    const before = await rowsOf("select count(*)::int from audit_entries where client_id = $1", [shop.id]);
    const answer = await call(file, "POST", FILE, { ...admin, body: { email: one.email } });
    expect(answer.status, answer.text).toBe(200);
    const { data } = answer.json;
    expect(data).toMatchObject({
      client: shop.client.display_name,
      personal_data: { name: one.name, customer_id: one.customerId },
      orders_left_out: false,
    });
    expect(data.notes).toMatchObject([{ about: "review", text: expect.stringContaining("called us about this") }]);
    expect(data.personal_data.reviews.length).toBeGreaterThan(0);
    expect(data.orders).toMatchObject([
      { id: one.orderId, value: 129.9, customer: { email: one.email }, items: [{}, {}, { returned: true }] },
    ]);
    const auditEntries = await rowsOf(
      "select action, detail::text from audit_entries where client_id = $1 order by id",
      [shop.id],
    );
    expect(auditEntries.length).toBe(before[0].count + 1);
    expect(auditEntries.at(-1)).toMatchObject({ action: "personal_data.copied" });
    expect(JSON.stringify(auditEntries)).not.toContain(one.customerId);
    expect((await entries(admin))[0]).toMatchObject({
      kind: "copy",
      state: "done",
      by_key: false,
      counts: { orders: 1, questions: 1, seller_reviews: 1 },
    });
    // The audit entry outlives the person, so it must not contain their data.
    expect(await erasePersonalData(systemActor, shop, personOf({ email: one.email }))).toBe("deleted");
    expect(Object.values(await findEverywhere(one.personalTexts)).flat()).toEqual([]);
    expect(await entries(admin)).toMatchObject([{ kind: "removal" }, { kind: "copy" }]);
  });

  it("is limited in size, and says so", async () => {
    const shop = await aClient();
    const { customer } = await anOrder(shop.id, { customer: { id: "guest", name: "Guest" } });
    await rowsOf(
      `insert into orders (client_id, id, customer_id, created_at)
       select $1, 'g' || n, $2, now() - make_interval(secs => n) from generate_series(1, 2100) n`,
      [shop.id, customer.id],
    );
    const answer = await call(file, "POST", FILE, {
      ...(await aMember(shop, "admin")),
      body: { customer_id: "guest" },
    });
    expect([answer.json.data.orders.length, answer.json.data.orders_left_out]).toEqual([2_000, true]);
  });
});

describe("the register", () => {
  it("lists pending and completed erasures by requester, without the person", async () => {
    const shop = await aClient();
    const admin = await aMember(shop, "admin");
    expect(await entries(admin)).toEqual([]);
    await anOrder(shop.id, { customer: { id: "gone-1", name: "Ada", email: "ada@gone.example" } });
    await anOrder(shop.id, { customer: { id: "gone-2", name: "Bo", email: "bo@gone.example" } });
    const erase = (sent: RequestOptions, body: object) =>
      call(deletion, "POST", "/v1/personal_data/delete", { ...sent, body });
    expect((await erase(admin, { email: "ada@gone.example" })).status).toBe(204);
    expect((await erase({ key: shop.key }, { customer_id: "gone-2" })).status).toBe(204);
    // No entry for a person without stored data.
    expect((await erase(admin, { customer_id: "never-there" })).status).toBe(204);
    const since = new Date(Date.now() - 60_000);
    const client = await pool().connect();
    const request = { id: "erasure_x", person: personOf({ customer_id: "slow" }), requester: systemActor, since };
    await client.query("begin");
    await openRequest(client, shop.id, { ...request, removed: { orders: 900 } });
    await client.query("commit");
    client.release();
    const listed = await entries(admin);
    expect(listed).toMatchObject([
      { id: "erasure_x", kind: "removal", state: "under_way", done_at: null, counts: { orders: 900 } },
      { kind: "removal", state: "done", by_key: true, counts: { customers: 1, orders: 1 } },
      { kind: "removal", state: "done", by_key: false, by: expect.stringContaining("admin"), counts: { orders: 1 } },
    ]);
    for (const { requested_at } of listed) expect(Date.parse(requested_at)).toBeGreaterThan(Date.now() - 120_000);
    expect(JSON.stringify(listed)).not.toMatch(/gone|slow|\bada\b|bo@/);
    expect((await find(admin, { customer_id: "slow" })).json.data.removal).toMatchObject({ removed: { orders: 900 } });
    expect(await entries(await aMember(await aClient(), "admin"))).toEqual([]);
  });

  it("pages through all entries once, even with equal timestamps", async () => {
    const shop = await aClient();
    const admin = await aMember(shop, "admin");
    for (let n = 0; n < 120; n += 1)
      await recordAudit(pool(), {
        clientId: shop.id,
        actor: systemActor,
        action: n % 4 === 3 ? "key.created" : "personal_data.deleted",
        subject: `erasure_${n}`,
        detail: { removed: { orders: n + 1 } },
      });
    await rowsOf("update audit_entries set at = date_trunc('second', at) where client_id = $1", [shop.id]);
    const seen: string[] = [];
    for (let path: string | undefined = REGISTER; path !== undefined; ) {
      const { json } = await call(register, "GET", path, admin);
      seen.push(...json.data.map(({ id }: { id: string }) => id));
      path = json.links.next && pathOf(json.links.next);
    }
    expect(seen).toHaveLength(90);
    expect(new Set(seen).size).toBe(90);
    expect(seen[0]).toBe("erasure_118");
    const other = await call(register, "GET", `${REGISTER}?after=nonsense`, admin);
    expect(other.json.errors[0].code).toBe("invalid_cursor");
  });
});
