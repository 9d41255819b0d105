import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OAuth1Keys, oauth1Header, queryOf } from "@/lib/integrations/commerce/sign-oauth1";
import { CommerceFake, type CommerceModes, commerceKeys, commerceUser, type Failure } from "@/lib/tools/fakes/commerce";
import { anOrder } from "@/lib/tools/fakes/commerce-orders";
import { type DeltaShareFailure, DeltaShareFake, deltaShareToken } from "@/lib/tools/fakes/delta-share";
import { sampleTenant } from "@/lib/tools/fakes/delta-share-tenant";
import { type EngagementFailure, EngagementFake, engagementKey } from "@/lib/tools/fakes/engagement";

// What the fake servers reject, as the platforms do, and the effect of each switch, called over HTTP without Candor's
// clients. A fake that accepts too much would hide bugs in those clients.

type Answer = { status: number; body: string; headers: Headers };
async function sendRequest(address: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(address, { redirect: "error", ...init });
  return { status: answer.status, body: await answer.text(), headers: answer.headers };
}
/** What a caller sees of a response that may break off or never arrive. */
const connectionResult = (address: string, init: RequestInit, awaited: string) =>
  sendRequest(address, { ...init, signal: AbortSignal.timeout(awaited === "no answer" ? 1_000 : 20_000) }).then(
    ({ status }) => `answered ${status}`,
    (error: Error) => (error.name === "TimeoutError" ? "no answer" : "broken off"),
  );

describe("engagement platform", () => {
  let fake: EngagementFake;
  let origin = "";
  let contact = "";
  beforeEach(async () => {
    fake = new EngagementFake();
    origin = `${await fake.listen()}/api/v3`;
    contact = fake.addContact({ email: "ada@x.example", attributes: { reviewLatestValue: 4 } }).id;
  });
  afterEach(() => fake.close());

  const validHeaders = { "Content-Type": "application/json", apikey: engagementKey, "User-Agent": "Candor/1.0" };
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = validHeaders) =>
    sendRequest(`${origin}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const without = (name: keyof typeof validHeaders) => ({ ...validHeaders, [name]: "" });
  const properties = {
    productSku: { type: "string", displayName: "Sku", showInContactCard: "true", addToSegmentation: "true" },
    rating: { type: "integer", displayName: "Rating", showInContactCard: "true" },
  };
  const schema = (id: string, more: object = {}) => ({
    id,
    displayName: "Completed review",
    jsonSchema: { type: "object", properties: { ...properties, ...more }, required: ["rating"] },
  });
  const post = (payload: unknown, more: object = {}) =>
    call("POST", "/interactions", { schemaId: "rated", contactId: contact, payload, ...more });

  it.each([
    ["no content type", { ...validHeaders, "Content-Type": "text/plain" }, 500, "An error has occurred"],
    ["no key", without("apikey"), 401, "Unauthorized"],
    ["another key", { ...validHeaders, apikey: "another" }, 401, "Unauthorized"],
    ["a User-Agent without a version", { ...validHeaders, "User-Agent": "candor" }, 400, "InvalidUserAgent"],
  ])("rejects a call with %s, reads included", async (_, headers, status, expectedText) => {
    for (const [method, path] of [
      ["GET", "/contacts/count"],
      ["PATCH", `/contacts/${contact}`],
      ["POST", "/interactions"],
    ] as const)
      expect(await call(method, path, method === "GET" ? undefined : {}, headers)).toMatchObject({
        status,
        body: expect.stringContaining(expectedText),
      });
    expect([...fake.contacts.values()].map(({ attributes }) => attributes)).toEqual([{ reviewLatestValue: 4 }]);
  });

  it("looks up a contact like the platform", async () => {
    expect(await call("GET", "/contacts/id?email=ADA%40x.example")).toMatchObject({
      status: 200,
      body: JSON.stringify(contact),
    });
    const other = fake.addContact({ email: "ada@x.example", type: "Contact" }).id;
    for (const [query, status, expectedText] of [
      ["email=bo%40x.example", 404, "ContactNotFound"],
      ["email=bo", 400, "InvalidEmailAddress"],
      ["any=ada", 400, "InvalidSearchQuery"],
      ["", 400, "InvalidSearchQuery"],
    ] as const)
      expect(await call("GET", `/contacts/id?${query}`)).toMatchObject({
        status,
        body: expect.stringContaining(expectedText),
      });
    const { status, body } = await call("GET", "/contacts/id?email=ada%40x.example");
    expect([status, JSON.parse(body)]).toEqual([
      409,
      expect.objectContaining({
        errorCode: "MultipleMatches",
        messageDetails: { multipleMatchesFound: [contact, other] },
      }),
    ]);
    expect((await call("GET", "/contacts/id?email=ada%40x.example&contactType=Contact")).body).toBe(
      JSON.stringify(other),
    );
  });

  it("clears attributes with null and ignores unknown attributes", async () => {
    const { status } = await call("PATCH", `/contacts/${contact}`, { reviewLatestValue: null, shoeSize: 42 });
    expect([status, fake.contacts.get(contact)?.attributes]).toEqual([200, { reviewLatestValue: null }]);
    expect((await call("PATCH", "/contacts/none", {})).status).toBe(404);
  });

  it.each([
    ["an id of other letters", () => schema("a b"), 400, "InvalidSchemaId"],
    ["a name that is none", () => ({ ...schema("x"), displayName: 1 }), 400, "displayName"],
    [
      "a flag that is no text",
      () => schema("x", { comment: { type: "string", showInContactCard: true } }),
      400,
      "showInContactCard",
    ],
    [
      "seven properties to segment by",
      () =>
        schema(
          "x",
          Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`p${n}`, { type: "string", addToSegmentation: "true" }])),
        ),
      400,
      "six",
    ],
    ["an id that is taken", () => schema("rated"), 409, "InteractionSchemaAlreadyExists"],
  ])("rejects a schema with %s", async (_, schemaOf, status, expectedText) => {
    await call("POST", "/interactionschemas", schema("rated"));
    expect(await call("POST", "/interactionschemas", schemaOf())).toMatchObject({
      status,
      body: expect.stringContaining(expectedText),
    });
    expect([...fake.schemas.keys()]).toEqual(["rated"]);
  });

  it("allows fifteen schemas, and deletes the interactions with their schema", async () => {
    await call("POST", "/interactionschemas", schema("rated"));
    for (let n = 1; n < 15; n++) expect((await call("POST", "/interactionschemas", schema(`s${n}`))).status).toBe(201);
    expect((await call("POST", "/interactionschemas", schema("one-more"))).status).toBe(400);
    expect((await post({ productSku: "P-1", rating: 5 })).status).toBe(201);
    expect((await call("DELETE", "/interactionschemas/rated")).status).toBe(204);
    expect(fake.interactions.size).toBe(0);
    expect((await call("DELETE", "/interactionschemas/rated")).status).toBe(404);
  });

  it.each([
    ["a payload of another type", { payload: { rating: "five" } }, 400, "InvalidPayload"],
    ["a payload that lacks something", { payload: { productSku: "P-1" } }, 400, "InvalidPayload"],
    ["an unknown schema", { schemaId: "none" }, 404, "InteractionSchemaNotFound"],
    ["an unknown contact", { contactId: "none" }, 404, "ContactNotFound"],
    ["a moment that is none", { createdDate: "soon" }, 400, "InvalidCreatedDate"],
  ])("rejects an interaction with %s", async (_, more, status, expectedText) => {
    await call("POST", "/interactionschemas", schema("rated"));
    expect(await post({ rating: 5 }, more)).toMatchObject({ status, body: expect.stringContaining(expectedText) });
    expect(fake.interactions.size).toBe(0);
  });

  it("creates an interaction for each POST, lists pages of fifty, and requires both ids", async () => {
    await call("POST", "/interactionschemas", schema("rated"));
    for (let n = 0; n < 51; n++) await post({ rating: 5 });
    expect(fake.interactions.size).toBe(51);
    const list = `/interactions?contactId=${contact}&schemaId=rated`;
    const first = JSON.parse((await call("GET", list)).body);
    expect(first.items).toHaveLength(50);
    const next = first.links.find(({ rel }: { rel: string }) => rel === "next").href as string;
    expect(
      JSON.parse((await sendRequest(new URL(next, origin).href, { headers: validHeaders })).body).items,
    ).toHaveLength(1);
    expect((await call("GET", `/interactions?contactId=${contact}`)).status).toBe(400);
    expect((await call("GET", "/interactions?schemaId=rated")).status).toBe(400);
    expect((await call("PUT", `/interactions/${first.items[0].id}`, {})).status).toBe(404);
  });

  it("rejects interactions when not enabled, and limits calls per second", async () => {
    fake.modes.interactions = false;
    expect((await call("GET", "/interactionschemas")).status).toBe(403);
    fake.modes.rate = 0;
    expect((await call("GET", "/contacts/count")).status).toBe(429);
  });

  const failures: [string, EngagementFailure, number | string, number][] = [
    ["429 with when to come again", { status: 429, retryAfter: 7 }, 429, 0],
    ["a page of a proxy", { status: 502, html: true }, 502, 0],
    ["a 5xx before the work", { status: 500 }, 500, 0],
    ["a 5xx after the work", { status: 500, after: true }, 500, 1],
    ["a late answer", { slow: 50 }, 201, 1],
    ["a slow body", "slow body", 201, 1],
    ["a cut before the work", "cut", "broken off", 0],
    ["a cut after the work", "cut after", "broken off", 1],
    ["work without an answer", "never answer", "no answer", 1],
  ];
  it.each(failures)("simulates: %s", async (_, failure, result, expectedCount) => {
    await call("POST", "/interactionschemas", schema("rated"));
    fake.failures.push(failure);
    const body = JSON.stringify({ schemaId: "rated", contactId: contact, payload: { rating: 5 } });
    const init = { method: "POST", headers: validHeaders, body };
    if (typeof result === "string") expect(await connectionResult(`${origin}/interactions`, init, result)).toBe(result);
    else {
      const answer = await sendRequest(`${origin}/interactions`, init);
      expect(answer.status).toBe(result);
      if (typeof failure === "object" && "retryAfter" in failure) expect(answer.headers.get("retry-after")).toBe("7");
    }
    await expect.poll(() => fake.interactions.size).toBe(expectedCount);
  });

  it("returns the configured status for creations", async () => {
    fake.modes.createdStatus = 200;
    expect((await call("POST", "/interactionschemas", schema("rated"))).status).toBe(200);
    expect((await post({ rating: 5 })).status).toBe(200);
  });
});

describe("e-commerce platform", () => {
  let fake: CommerceFake;
  let orders = "";
  beforeEach(async () => {
    fake = new CommerceFake({ orders: [1, 2, 3].map((entity_id) => anOrder({ entity_id, store_id: 1 })) });
    orders = await fake.listen();
  });
  afterEach(() => fake.close());
  const firstPage = [
    ["searchCriteria[pageSize]", "2"],
    ["searchCriteria[currentPage]", "1"],
  ] as const;
  const bearer = { Authorization: `Bearer ${commerceKeys.access_token}` };
  const signed = (
    given: {
      keys?: Partial<OAuth1Keys>;
      timestamp?: number;
      nonce?: string;
      pairs?: readonly (readonly [string, string])[];
    } = {},
  ) => {
    const { keys, pairs = firstPage, ...own } = given;
    const stated = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
    return { Authorization: oauth1Header({ ...commerceKeys, ...keys }, "GET", new URL(orders), pairs, stated) };
  };
  const list = (headers: Record<string, string>, pairs: readonly (readonly [string, string])[] = firstPage) =>
    sendRequest(`${orders}?${queryOf(pairs)}`, { headers });

  it("accepts a signature once", async () => {
    const headers = signed({ nonce: "n-1" });
    expect((await list(headers)).status).toBe(200);
    expect(await list(headers)).toMatchObject({ status: 401, body: expect.stringContaining("nonce") });
  });

  it.each([
    [
      "another method",
      () => ({ Authorization: signed().Authorization.replace("HMAC-SHA256", "HMAC-SHA1") }),
      400,
      "HMAC-SHA1",
    ],
    ["a time to come", () => signed({ timestamp: Math.floor(Date.now() / 1000) + 3_600 }), 400, "timestamp"],
    ["an unknown consumer", () => signed({ keys: { consumer_key: "x" } }), 401, "consumer"],
    ["an unknown token", () => signed({ keys: { access_token: "x" } }), 401, "token"],
    ["a secret that is not the one", () => signed({ keys: { token_secret: "x" } }), 401, "signature is invalid"],
    ["a query that was not signed along", () => signed({ pairs: [] }), 401, "signature is invalid"],
    ["nothing", () => ({}), 401, "Magento_Sales::actions_view"],
    ["a token that is none", () => ({ Authorization: "Bearer x" }), 401, "Magento_Sales::actions_view"],
  ] as [string, () => Record<string, string>, number, string][])(
    "rejects authentication with %s",
    async (_, headers, status, expectedText) => {
      expect(await list(headers())).toMatchObject({ status, body: expect.stringContaining(expectedText) });
    },
  );

  const logIn = (body: object, type = "application/json") =>
    sendRequest(orders.replace("/orders", "/integration/admin/token"), {
      method: "POST",
      headers: { "Content-Type": type },
      body: JSON.stringify(body),
    });

  it("returns a token that expires", async () => {
    const { status, body } = await logIn(commerceUser);
    const token = JSON.parse(body) as string;
    expect([status, token.split(".").length]).toEqual([200, 3]);
    const headers = { Authorization: `Bearer ${token}` };
    expect((await list(headers)).status).toBe(200);
    fake.expireTokens();
    expect((await list(headers)).status).toBe(401);
    fake.modes.token = "opaque";
    expect((await logIn(commerceUser)).body).toMatch(/^"[0-9a-f]{32}"$/);
    expect((await logIn(commerceUser, "text/plain")).status).toBe(400);
  });

  it("locks a user out after six wrong passwords", async () => {
    for (let n = 0; n < 6; n++) expect((await logIn({ ...commerceUser, password: "x" })).status).toBe(401);
    expect((await logIn(commerceUser)).status).toBe(401);
  });

  it.each([
    ["no criteria", [] as [string, string][], 400, "searchCriteria"],
    [
      "a field in camels",
      [["searchCriteria[filter_groups][0][filters][0][field]", "customerId"]] as [string, string][],
      500,
      "Internal Error",
    ],
  ])("rejects a list request with %s, with message parameters unfilled", async (_, pairs, status, expectedText) => {
    expect(await list(bearer, pairs)).toMatchObject({ status, body: expect.stringContaining(expectedText) });
  });

  const filter = (group: number, one: number, field: string, condition_type: string, value: string) =>
    Object.entries({ field, condition_type, value }).map(
      ([name, text]) => [`searchCriteria[filter_groups][${group}][filters][${one}][${name}]`, text] as const,
    );
  it.each([
    [
      "of one group: either",
      [...filter(0, 0, "entity_id", "eq", "1"), ...filter(0, 1, "entity_id", "eq", "3")],
      [3, 1],
    ],
    [
      "of two groups: both",
      [...filter(0, 0, "entity_id", "gteq", "2"), ...filter(1, 0, "entity_id", "lteq", "2")],
      [2],
    ],
    ["in a list", filter(0, 0, "entity_id", "in", "1,2"), [2, 1]],
    ["in no list", filter(0, 0, "entity_id", "nin", "1,2"), [3]],
  ])("applies filters %s", async (_, filters, ids) => {
    const sort = [["searchCriteria[sortOrders][0][field]", "entity_id"]] as const; // descending by default
    const { body } = await list(bearer, [...filters, ...sort]);
    expect(JSON.parse(body).items.map(({ entity_id }: { entity_id: number }) => entity_id)).toEqual(ids);
  });

  const modeCases: [string, Partial<CommerceModes>, readonly (readonly [string, string])[], number, string | RegExp][] =
    [
      [
        "a page beyond the last: empty",
        {},
        [
          ["searchCriteria[pageSize]", "2"],
          ["searchCriteria[currentPage]", "9"],
        ],
        200,
        '"items":[]',
      ],
      [
        "a page beyond the last: the last again",
        { pagingClamp: true },
        [
          ["searchCriteria[pageSize]", "2"],
          ["searchCriteria[currentPage]", "9"],
        ],
        200,
        /"items":\[\{/,
      ],
      ["a limit of pages", { inputLimit: true }, [["searchCriteria[pageSize]", "301"]], 400, "%max"],
      ["a token of an integration that is not taken", { bearerIntegration: false }, firstPage, 401, "resources"],
      ["what the role may not read", { forbidden: ["orders"] }, firstPage, 401, "resources"],
      ["an order that breaks its page", { brokenOrderIds: [1] }, [["searchCriteria[pageSize]", "3"]], 500, "Report ID"],
      [
        "an error that says it went well",
        { brokenOrderIds: [1], errorsAsSuccess: true },
        [["searchCriteria[pageSize]", "3"]],
        200,
        "Report ID",
      ],
      [
        "a developer's trace",
        { brokenOrderIds: [1], developer: true },
        [["searchCriteria[pageSize]", "3"]],
        500,
        "trace",
      ],
      [
        "filters that are not heeded",
        { ignoresFilters: true },
        filter(0, 0, "entity_id", "eq", "1"),
        200,
        '"total_count":3',
      ],
      ["too many calls", { rate: 0 }, firstPage, 429, "html"],
    ];
  it.each(modeCases)("supports the switch: %s", async (_, set, pairs, status, expectedText) => {
    Object.assign(fake.modes, set);
    const answer = await list(bearer, pairs);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatch(
      typeof expectedText === "string" ? new RegExp(expectedText.replace(/[[\]%]/g, "\\$&")) : expectedText,
    );
  });

  it("simulates two-factor authentication and broken signatures", async () => {
    fake.modes.twoFactor = "google";
    expect(await logIn(commerceUser)).toMatchObject({ status: 401, body: expect.stringContaining("active_providers") });
    fake.modes.twoFactor = "unset";
    expect(await logIn(commerceUser)).toMatchObject({ status: 400, body: expect.stringContaining("Two-Factor") });
    fake.modes.brokenSignatures = true;
    const dated = [...firstPage, ...filter(0, 0, "updated_at", "gteq", "2026-01-02 03:04:05")];
    expect((await list(signed({ pairs: dated }), dated)).status).toBe(401);
    expect((await list(signed())).status).toBe(200);
  });

  it.each([
    ["503 with when to come again", { status: 503, retryAfter: 5, html: true }, 503],
    ["a body of another shape", { status: 500, body: { messages: { error: [] } } }, 500],
    ["a cut", "cut", "broken off"],
    ["a cut in the middle", "cut in the middle", "broken off"],
    ["no answer", "never answer", "no answer"],
    ["a slow body", "slow body", "answered 200"],
  ] as [string, Failure, number | string][])("simulates the failure: %s", async (_, failure, seen) => {
    fake.failures.push(failure);
    const address = `${orders}?${queryOf(firstPage)}`;
    const expected = typeof seen === "number" ? `answered ${seen}` : seen;
    expect(await connectionResult(address, { headers: bearer }, expected)).toBe(expected);
  });
});

describe("Delta Share", () => {
  let fake: DeltaShareFake;
  let endpoint = "";
  let tables = "";
  const bearer = { Authorization: `Bearer ${deltaShareToken}` };
  beforeEach(async () => {
    fake = new DeltaShareFake(Object.values(sampleTenant()), { rate: 100 });
    endpoint = String((await fake.listen()).endpoint);
    const { share, schema } = fake.tables[0] as { share: string; schema: string };
    tables = `${endpoint}/shares/${share}/schemas/${schema}/tables`;
  });
  afterEach(() => fake.close());
  const table = () => `${tables}/${fake.tables[0]?.name}`;
  const query = (headers: Record<string, string> = bearer, body: string | null = "{}") =>
    sendRequest(`${table()}/query`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body,
    });
  const fileOf = ({ body }: Answer): string =>
    body
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).file?.url)
      .find((url) => url !== undefined);

  it.each([
    ["no token", {}],
    ["another token", { Authorization: "Bearer x" }],
  ])("rejects %s", async (_, headers) => {
    for (const address of [`${endpoint}/shares`, tables, `${table()}/version`])
      expect((await sendRequest(address, { headers })).status).toBe(401);
    expect((await query(headers as Record<string, string>)).status).toBe(401);
  });

  it("matches names case-insensitively", async () => {
    expect(
      (
        await sendRequest(
          tables
            .toUpperCase()
            .replace(/^.*?\/SHARES/, `${endpoint}/shares`)
            .replace("/SCHEMAS/", "/schemas/")
            .replace(/\/TABLES$/, "/tables"),
          { headers: bearer },
        )
      ).status,
    ).toBe(200);
    for (const address of [`${endpoint}/nothing`, `${endpoint}/shares/none/schemas`, `${tables}/none/version`])
      expect((await sendRequest(address, { headers: bearer })).status).toBe(404);
    expect((await sendRequest(`${table()}/version`, { headers: bearer })).headers.get("delta-table-version")).toMatch(
      /^\d+$/,
    );
    expect((await sendRequest(`${table()}/version`, { method: "POST", headers: bearer })).status).toBe(404);
    expect((await query(bearer, "no json")).status).toBe(400);
  });

  it("serves files only for a valid, unexpired signed URL without a token", async () => {
    const url = fileOf(await query());
    expect((await sendRequest(url)).status).toBe(200);
    expect((await sendRequest(url, { headers: bearer })).status).toBe(400);
    expect((await sendRequest(url.replace(/sig=.{4}/, "sig=0000"))).status).toBe(403);
    fake.modes.urlTtl = -1;
    expect((await sendRequest(fileOf(await query()))).status).toBe(403);
  });

  it("supports switches for an expired credential, a version lag, page sizes and a rate", async () => {
    const version = async () =>
      Number((await sendRequest(`${table()}/version`, { headers: bearer })).headers.get("delta-table-version"));
    const now = await version();
    fake.modes.versionLag = 1;
    expect(await version()).toBe(Math.max(0, now - 1));
    fake.modes.pageSize = 1;
    expect(JSON.parse((await sendRequest(tables, { headers: bearer })).body)).toMatchObject({
      items: [expect.anything()],
      nextPageToken: expect.any(String),
    });
    fake.modes.expired = true;
    expect((await query()).status).toBe(401);
    fake.modes.rate = 0;
    expect((await query()).status).toBe(429);
  });

  it.each([
    ["429 with when to come again", { status: 429, retryAfter: 3 }, "answered 429"],
    ["a page of a proxy", { status: 503, html: true }, "answered 503"],
    ["a cut", "cut", "broken off"],
    ["a cut in the middle", "cut in the middle", "broken off"],
    ["no answer", "never answer", "no answer"],
    ["a slow body", "slow body", "answered 200"],
  ] as [string, DeltaShareFailure, string][])("simulates failures of calls and files: %s", async (_, failure, seen) => {
    const url = fileOf(await query());
    fake.failures.push(failure);
    expect(await connectionResult(`${endpoint}/shares`, { headers: bearer }, seen)).toBe(seen);
    fake.fileFailures.push(failure);
    expect(await connectionResult(url, {}, seen)).toBe(seen);
    fake.fileFailures.push("expired");
    expect(await connectionResult(url, {}, "answered 403")).toBe("answered 403");
  });
});
