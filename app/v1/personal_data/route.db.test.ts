import { beforeEach, describe, expect, it, vi } from "vitest";
import * as deletion from "@/app/v1/personal_data/delete/route";
import * as view from "@/app/v1/personal_data/route";
import { log } from "@/lib/platform/log";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { call, serverKind, type TestResponse } from "@/lib/tools/test/call";
import { emptyDatabase } from "@/lib/tools/test/database";
import {
  aClient,
  aKey,
  anOrder,
  aUser,
  hashDatabase,
  rowsOf,
  someReviews,
  type TestClient,
} from "@/lib/tools/test/factories";

let shop: TestClient;
beforeEach(async () => {
  await emptyDatabase();
  shop = await aClient();
});

const getPersonalData = (query: Record<string, string>, key = shop.key): Promise<TestResponse> =>
  call(view, "GET", `/v1/personal_data?${new URLSearchParams(query)}`, { key });
const deletePersonalData = (body: unknown, { query = "", key = shop.key } = {}): Promise<TestResponse> =>
  call(deletion, "POST", `/v1/personal_data/delete${query}`, { key, body });

const emptyRecord = { name: null, customer_id: null, email: null, reviews: [], questions: [], seller_reviews: [] };
const issues = ({ status, json }: TestResponse) => [status, json.errors.map(({ field }: { field: string }) => field)];

/** Inserts a question or seller review directly into its table. */
async function insert(table: "questions" | "seller_reviews", row: Record<string, unknown>): Promise<void> {
  const completeRow: Record<string, unknown> = {
    client_id: shop.id,
    source: "collect",
    author: "Ada B.",
    date: "2026-03-01",
    email_key: typeof row.author_email === "string" ? emailKey(row.author_email) : null,
    feedback_token: `${table}-${row.id}`,
    ...(table === "questions" ? { product_id: "lamp" } : { score: 4 }),
    ...row,
  };
  const columns = Object.keys(completeRow);
  await rowsOf(
    `insert into ${table} (${columns.join(", ")}) values (${columns.map((_, index) => `$${index + 1}`).join(", ")})`,
    Object.values(completeRow),
  );
}

describe("GET /v1/personal_data", () => {
  it("returns the documented record: name, id, email address and texts, oldest first", async () => {
    await anOrder(shop.id, { id: "o1", customer: { id: "c-1", name: "Ada Berg", email: "Ada@Example.org" } });
    const ada = { customer_id: "c-1", author_email: "ada@example.org", email_key: "ada@example.org" };
    await someReviews(shop.id, [
      { ...ada, author: "Ada", title: "Second", extract: "Still warm.", created_at: new Date("2026-02-02") },
      { ...ada, author: "Ada", title: "First", extract: "Warm.", created_at: new Date("2026-02-01"), accepted: false },
      { ...ada, customer_id: null, author: "Anon", title: null, extract: "", created_at: new Date("2026-02-03") },
    ]);
    await insert("questions", { id: "q1", customer_id: "c-1", question: "LED?", details: "Any watt." });
    await insert("questions", {
      id: "q2",
      author_email: "ADA@example.org",
      question: "Dim?",
      created_at: "2027-01-01",
    });
    await insert("seller_reviews", { id: "s1", customer_id: "c-1", extract: "Fast.", author: null });
    await anOrder(shop.id, { id: "o2", customer: { id: "c-2", name: "Bo", email: "bo@example.org" } });
    await someReviews(shop.id, [{ customer_id: "c-2", email_key: "bo@example.org" }]);

    const record = {
      name: "Ada Berg",
      customer_id: "c-1",
      email: "Ada@Example.org",
      reviews: [
        { author_nick: "Ada", title: "First", content: "Warm." },
        { author_nick: "Ada", title: "Second", content: "Still warm." },
        { author_nick: "Anon", title: "", content: "" },
      ],
      questions: [
        { author_nick: "Ada B.", title: "LED?", content: "Any watt." },
        { author_nick: "Ada B.", title: "Dim?", content: "" },
      ],
      seller_reviews: [{ author_nick: "", title: "", content: "Fast." }],
    };
    const before = await hashDatabase();
    const queries: Record<string, string>[] = [
      { customer_id: "c-1" },
      { email: "ada@example.org" },
      { email: "  ADA@EXAMPLE.ORG " },
    ];
    for (const query of queries)
      expect([query, (await getPersonalData(query)).json]).toEqual([query, { data: record }]);
    expect(await hashDatabase()).toBe(before);
  });

  it("finds customers by past addresses and returns their current one, never another customer's texts", async () => {
    for (const [id, email] of [
      ["c-1", "old@x.example"],
      ["c-1", "new@x.example"],
      ["c-2", "new@x.example"],
    ])
      await anOrder(shop.id, { id: `o-${id}`, customer: { id, name: `Name ${id}`, email } });
    await someReviews(shop.id, [
      { customer_id: "c-2", email_key: "new@x.example", extract: "theirs" },
      { customer_id: null, email_key: "old@x.example", extract: "nobody's, old" },
      { customer_id: null, email_key: "new@x.example", extract: "nobody's, new" },
    ]);
    const texts = async (query: Record<string, string>) => {
      const { data } = (await getPersonalData(query)).json;
      return [data.customer_id, data.email, data.reviews.map(({ content }: { content: string }) => content).sort()];
    };
    const both = ["nobody's, new", "nobody's, old"];
    expect(await texts({ customer_id: "c-1" })).toEqual(["c-1", "new@x.example", both]);
    expect(await texts({ email: "old@x.example" })).toEqual(["c-1", "new@x.example", both]);
    expect(await texts({ customer_id: "c-2" })).toEqual(["c-2", "new@x.example", ["nobody's, new", "theirs"]]);
    // Both customers have this address; what c-1 wrote under the old address is theirs too.
    const [, , all] = await texts({ email: "NEW@x.example" });
    expect(all).toEqual([...both, "theirs"]);
  });

  it("returns the address without a name for a person who only wrote texts", async () => {
    await someReviews(shop.id, [{ author_email: "Web@x.example", email_key: "web@x.example", author: "Webby" }]);
    await someReviews(shop.id, [{ customer_id: "gone", author_email: null, author: "Left" }]);
    expect((await getPersonalData({ email: "web@x.example" })).json.data).toMatchObject({
      name: null,
      customer_id: null,
      email: "Web@x.example",
      reviews: [{ author_nick: "Webby" }],
    });
    expect((await getPersonalData({ customer_id: "gone" })).json.data).toMatchObject({
      name: null,
      customer_id: "gone",
      email: null,
    });
  });

  it("returns nulls and empty lists for an unknown person, and compares ids exactly", async () => {
    await anOrder(shop.id, { customer: { id: "c-1", email: "ada@example.org" } });
    const otherClient = await aClient();
    await anOrder(otherClient.id, { customer: { id: "c-9", email: "nine@example.org" } });
    const unknown: Record<string, string>[] = [
      { customer_id: "C-1" },
      { customer_id: "c-9" },
      { email: "nine@example.org" },
      { email: "a@b" },
    ];
    for (const query of unknown) expect((await getPersonalData(query)).json).toEqual({ data: emptyRecord });
  });

  it("requires exactly one of the two parameters", async () => {
    expect(issues(await getPersonalData({}))).toEqual([422, ["customer_id"]]);
    expect(issues(await getPersonalData({ customer_id: "c-1", email: "ada@example.org" }))).toEqual([
      422,
      ["customer_id"],
    ]);
    expect(issues(await getPersonalData({ customer_id: "" }))).toEqual([422, ["customer_id"]]);
    expect(issues(await getPersonalData({ email: "no address" }))).toEqual([422, ["email"]]);
    expect(issues(await getPersonalData({ email: "" }))).toEqual([422, ["email"]]);
    expect((await getPersonalData({})).json.errors).toMatchObject([
      { reason: "required_or_email", message: "customer_id or email is required." },
    ]);
    expect((await getPersonalData({ customer_id: "c-1", email: "ada@example.org" })).json.errors).toMatchObject([
      { reason: "not_with_email", message: "customer_id can’t be used together with email." },
    ]);
  });

  it("requires an admin or a key with the scope, and does not log the person searched for", async () => {
    for (const [role, status] of [
      ["viewer", 403],
      ["moderator", 403],
      ["admin", 200],
      ["operator", 200],
    ] as const) {
      const { basic } = await aUser(role, role === "operator" ? {} : { clients: [shop.id] });
      const path = `/v1/personal_data?client_id=${shop.id}&email=ada@example.org`;
      expect([role, (await call(view, "GET", path, { basic })).status]).toEqual([role, status]);
    }
    const { secret } = await aKey([shop.id], ["privacy"]);
    const lines: string[] = [];
    const spy = vi.spyOn(log, "info").mockImplementation((line: unknown) => void lines.push(JSON.stringify(line)));
    expect((await getPersonalData({ email: "ada@example.org" }, secret)).status).toBe(200);
    expect((await getPersonalData({ customer_id: "c-secret" }, secret)).status).toBe(200);
    spy.mockRestore();
    // Over HTTP the server logs in its own process.
    expect(lines).toHaveLength(serverKind === null ? 2 : 0);
    expect(lines.join()).not.toMatch(/\bada\b|example|secret/);
  });
});

describe("POST /v1/personal_data/delete", () => {
  it("returns 204 without a body, on every call", async () => {
    await anOrder(shop.id, { customer: { id: "c-1", name: "Ada", email: "ada@example.org" } });
    for (const body of [
      { customer_id: "c-1" },
      { customer_id: "c-1" },
      { email: "ada@example.org" },
      { email: "a@b" },
    ]) {
      const answer = await deletePersonalData(body);
      expect([answer.status, answer.text]).toEqual([204, ""]);
    }
    expect(await rowsOf("select from customers")).toEqual([]);
  });

  it("accepts the client in the query or the body, and requires it if there are several", async () => {
    const other = await aClient();
    const { secret: key } = await aKey([shop.id, other.id]);
    const stored = async () => (await rowsOf("select client_id from customers order by 1")).map((row) => row.client_id);
    for (const { id } of [shop, other]) await anOrder(id, { customer: { id: "c-1", email: "ada@example.org" } });
    const both = await stored();

    const refused = [
      await deletePersonalData({ customer_id: "c-1" }, { key }),
      await deletePersonalData({ customer_id: "c-1", client_id: 7 }, { key }),
      await deletePersonalData({ customer_id: "c-1", client_id: "nobody" }, { key }),
      await deletePersonalData({ customer_id: "c-1", client_id: other.id }),
      await deletePersonalData({ customer_id: "c-1", client_id: shop.id }, { key, query: `?client_id=${other.id}` }),
      await deletePersonalData({ customer_id: "c-1", client_id: 7 }),
    ];
    expect(refused.map(({ status, json }) => [status, json.errors[0].code])).toEqual([
      [400, "client_id_required"],
      [400, "client_id_required"],
      [403, "client_forbidden"],
      [403, "client_forbidden"],
      [422, "invalid_field"],
      [422, "invalid_field"],
    ]);
    expect(await stored()).toEqual(both);

    expect((await deletePersonalData({ customer_id: "c-1", client_id: shop.id }, { key })).status).toBe(204);
    expect(await stored()).toEqual([other.id]);
    const named = { key, query: `?client_id=${other.id}` };
    expect((await deletePersonalData({ customer_id: "c-1", client_id: other.id }, named)).status).toBe(204);
    expect(await stored()).toEqual([]);
  });

  it("requires exactly one of the two parameters, and changes nothing else", async () => {
    await anOrder(shop.id, { customer: { id: "c-1", email: "ada@example.org" } });
    const before = await hashDatabase();
    const wrong: [unknown, string[] | [null]][] = [
      [{}, ["customer_id"]],
      [{ customer_id: null, email: null }, ["customer_id"]],
      [{ customer_id: "c-1", email: "ada@example.org" }, ["customer_id"]],
      [{ customer_id: 1 }, ["customer_id"]],
      [{ customer_id: " " }, ["customer_id"]],
      [{ email: ["ada@example.org"] }, ["email"]],
      [{ email: "ada" }, ["email"]],
      [{ customer_id: "c\u0000" }, ["customer_id"]],
    ];
    for (const [body, fields] of wrong)
      expect([body, ...issues(await deletePersonalData(body))]).toEqual([body, 422, fields]);
    for (const body of ["[]", "null", '"c-1"', "7"]) expect((await deletePersonalData(body)).status).toBe(422);
    expect(await hashDatabase()).toBe(before);
    expect((await deletePersonalData({ customer_id: "c-1", email: null })).status).toBe(204);
  });

  it("stores no personal data for an Idempotency-Key", async () => {
    await anOrder(shop.id, { customer: { id: "c-1", email: "ada@example.org" } });
    const send = (body: unknown) =>
      call(deletion, "POST", "/v1/personal_data/delete", {
        key: shop.key,
        body,
        headers: { "Idempotency-Key": "k-1" },
      });
    expect((await send({ email: "ada@example.org" })).status).toBe(204);
    expect((await send({ email: "ada@example.org" })).status).toBe(204);
    expect((await send({ email: "bo@example.org" })).status).toBe(422);
    expect(await rowsOf("select people, answer from idempotency_keys")).toEqual([{ people: [], answer: null }]);
  });
});
