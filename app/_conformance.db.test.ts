import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiDescription } from "@/app/_description";
import { routes } from "@/app/_routes";
import type { Methods } from "@/lib/api/methods";
import { call, type RequestOptions, type TestResponse } from "@/lib/tools/test/call";
import { Coverage, type Member, membersOf, nonNullSchema } from "@/lib/tools/test/coverage";
import { OpenApiDocument, type Operation, type Schema } from "@/lib/tools/test/description";
import {
  aClient,
  aDelegatedInvitation,
  aKey,
  anAnswer,
  aResponse,
  aUser,
  hashDatabase,
  rowsOf,
  someProducts,
  someQuestions,
  someReviews,
  someSellerReviews,
  type TestClient,
  uniqueName,
} from "@/lib/tools/test/factories";
import { type OpenTransport, serverTransport } from "@/lib/tools/test/test-server";

// Calls the management API over HTTP as its OpenAPI description documents it: every operation with every parameter,
// field, limit and error. Anything documented but not covered here fails the last test. The behavior of each operation
// is tested beside its route.

const description = new OpenApiDocument(JSON.parse(JSON.stringify(apiDescription("public"))));
const operations = description.operations.filter(({ path, id }) => path.startsWith("/v1/") && id !== "openapi.get");

/** Documented responses that this suite can't produce, with the place that tests them. */
const testedElsewhere: [point: RegExp, where: string][] = [
  [/ internal$/, "would be our fault; app/_fuzz.soak.test.ts looks for it"],
  [/ unavailable$/, "app/_database-unavailable.test.ts"],
  [/ rate_limited$/, "app/_limits.db.test.ts"],
  [/ conflict$/, "two at the same moment: lib/api/idempotency.db.test.ts"],
  [/^orders\.post leaves data\[0\]\.customer\.id null$/, "who may post sees whose it is"],
  [
    /^personal_data\.delete (answers 202|says data)/,
    "takes thousands of orders: app/v1/personal_data/route.db.test.ts",
  ],
];
const coverage = new Coverage(description, operations, (point) => testedElsewhere.some(([shape]) => shape.test(point)));

let transport: OpenTransport;
let shop: TestClient;
let other: TestClient;
let bothKey: string;

beforeAll(async () => {
  transport = await serverTransport(routes).open();
  const custom_questions = [{ id: "fit", type: "text", label: { en: "Fit" } }];
  shop = await aClient({
    locale: "sv_SE",
    contact_email: "help@shop.example",
    contact_url: "https://shop.example/help",
    quarantine_period: 30,
    min_review_words: 3,
    min_review_words_promoter: 2,
    external_review_locale: "sv_SE",
    external_review_countries: "SE",
    external_user_reviews: true,
    config: { time_zone: "Europe/Stockholm" },
    custom_questions,
  });
  other = await aClient();
  bothKey = (await aKey([shop.id, other.id])).secret;
});
afterAll(() => transport.close());

const operationOf = (id: string): Operation => {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`${id} is not described.`);
  return found;
};

type OperationCall = {
  id?: string;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
  sent?: RequestOptions;
};

/** Calls an operation with the store's key unless `sent` has other credentials. */
async function callOperation(
  operationId: string,
  { id = "none", query = "", body, headers, sent }: OperationCall = {},
): Promise<TestResponse> {
  const operation = operationOf(operationId);
  const path = operation.path.replace("{id}", encodeURIComponent(id)) + (query && `?${query}`);
  const answer = await call(await methodsOf(operation), operation.method as keyof Methods, path, {
    key: sent?.basic || sent?.headers ? undefined : shop.key,
    body,
    headers,
    ...sent,
  });
  coverage.record(operation, { query, headers, json: body }, answer);
  return answer;
}

async function methodsOf({ path }: Operation): Promise<Methods> {
  const route = routes.find((each) => each.path === path);
  if (!route) throw new Error(`${path} is not served.`);
  return transport.methodsOf(route);
}

/** Returns the data of a call that must succeed. */
async function expectData(operationId: string, request: OperationCall = {}, status = 200) {
  const answer = await callOperation(operationId, request);
  expect({ status: answer.status, text: answer.text }).toEqual({ status, text: expect.any(String) });
  return answer.json?.data;
}
const ids = async (operationId: string, query: string): Promise<string[]> =>
  (await expectData(operationId, { query })).map((row: { id: string }) => row.id);

const noon = new Date("2026-03-01T12:00:00Z");
const later = new Date("2026-03-02T12:00:00Z");
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

/** The fields of a row, as documented in the API. */
const membersIn = (row: object): string => Object.keys(row).sort().join(" ");

describe("clients", () => {
  it("are listed with every setting", async () => {
    const rows = await expectData("clients.list", { query: "limit=10", sent: { key: bothKey } });
    for (const row of rows)
      expect(membersIn(row)).toBe(
        "account_name auto_moderate collect_pros_cons collect_questions collect_recommended collect_seller_reviews config contact_email contact_url display_name email_name expand_family external_pro_reviews external_review_countries external_review_locale external_user_reviews id locale min_review_words min_review_words_promoter must_agree_to_terms must_agree_to_terms_web own_moderation quarantine_period require_verification send_emails_after_days send_emails_before_days send_limit",
      );
    // By id, which may end with 10 after 9.
    expect(rows.map(({ id }: { id: string }) => id)).toEqual([shop.id, other.id].sort());
    expect(rows).toContainEqual(
      expect.objectContaining({ id: shop.id, locale: "sv_SE", quarantine_period: 30, external_review_countries: "SE" }),
    );
    expect(rows).toContainEqual(
      expect.objectContaining({
        id: other.id,
        locale: "en_US",
        quarantine_period: null,
        contact_email: null,
        config: {},
      }),
    );
  });
});

describe("products and summaries", () => {
  beforeAll(async () => {
    await someProducts(shop.id, [
      { id: "lamp-s", family_id: "lamp", image_url: "https://shop.example/lamp.jpg" },
      { id: "lamp-x", family_id: "lamp", brand: null, category: null, url: null, deleted: true },
      { id: "bulb", family_id: "bulb" },
    ]);
    await rowsOf(
      `update products set mpn = 'M-1', gtin14s = '{00012345678905}', tags = '{new}', match_status = 'matched',
              properties = '{"colour":"oak"}' where client_id = $1 and id = 'lamp-s'`,
      [shop.id],
    );
    const of = { family_id: "lamp", accepted: true };
    await someReviews(shop.id, [
      { ...of, product_id: "lamp-s", score: 4 },
      { ...of, product_id: "lamp-x", score: 5 },
    ]);
    await rowsOf(
      `insert into external_totals (client_id, product_id, source, kind, locale, country, count, score_dist)
       values ($1, 'lamp-s', 'example', 'user', 'sv_SE', 'SE', 2, '{0,0,0,2,0}')`,
      [shop.id],
    );
  });

  it("list products, one family of them", async () => {
    const rows = await expectData("products.list", { query: "family_id=lamp&limit=5" });
    expect(rows).toEqual([
      {
        id: "lamp-s",
        family_id: "lamp",
        brand: "Lanterna",
        name: "Lamp lamp-s",
        category: "Lamps",
        url: "https://shop.example/lamp-s",
        image_url: "https://shop.example/lamp.jpg",
        mpn: "M-1",
        gtin14s: ["00012345678905"],
        tags: ["new"],
        match_status: "matched",
        deleted: false,
        properties: { colour: "oak" },
        created_at: moment,
        updated_at: moment,
      },
      expect.objectContaining({ id: "lamp-x", brand: null, category: null, url: null, image_url: null, deleted: true }),
    ]);
    expect(await ids("products.list", "family_id=none")).toEqual([]);
  });

  it("list summaries by product and by family", async () => {
    const figures = { pro_review_count: 0, your_review_answers: null };
    expect(await expectData("summaries.list")).toEqual([
      {
        id: "bulb",
        family_id: "bulb",
        title: "Lamp bulb",
        brand: "Lanterna",
        ...figures,
        your_review_count: 0,
        your_avg_score: null,
        user_review_count: 0,
        score: null,
        your_score_dist: [0, 0, 0, 0, 0],
      },
      {
        id: "lamp-s",
        family_id: "lamp",
        title: "Lamp lamp-s",
        brand: "Lanterna",
        ...figures,
        your_review_count: 1,
        your_avg_score: 4,
        user_review_count: 2,
        score: 8,
        your_score_dist: [0, 0, 0, 1, 0],
      },
      expect.objectContaining({ id: "lamp-x", brand: null, your_avg_score: 5, score: 10 }),
    ]);
    for (const yes of ["1", "true"]) {
      const families = await expectData("summaries.list", { query: `by_family=${yes}` });
      expect(families).toEqual([
        { family_id: "bulb" },
        expect.objectContaining({ family_id: "lamp", your_review_count: 2, your_avg_score: 4.5, score: 8.5 }),
      ]);
    }
    expect(await expectData("summaries.list", { query: "by_family=0" })).toHaveLength(3);
  });

  it("sum up the answers to custom questions", async () => {
    const shopWithQuestions = await aClient({
      custom_questions: [
        { id: "comfort", type: "score", label: { en: "Comfort" } },
        { id: "warmth", type: "score", label: { en: "Warmth" } },
        { id: "fit", type: "select", label: { en: "Fit" }, options: [{ id: "small", label: { en: "Small" } }] },
      ],
    });
    await someProducts(shopWithQuestions.id, [{ id: "shoe", family_id: "shoe" }]);
    await someReviews(shopWithQuestions.id, [
      { product_id: "shoe", family_id: "shoe", accepted: true, answers: { comfort: 4, fit: "small" } },
    ]);
    const [{ your_review_answers }] = await expectData("summaries.list", { sent: { key: shopWithQuestions.key } });
    expect(your_review_answers).toEqual([
      { name: "comfort", type: "score", count: 1, avg_score: 4 },
      { name: "warmth", type: "score", count: 0, avg_score: null },
      { name: "fit", type: "select", count: 1, options: [{ value: "small", count: 1 }] },
    ]);
  });
});

describe("orders", () => {
  const customer = {
    id: "c-1",
    name: "Ada Berg",
    email: "Ada@Example.org",
    phone: "+46 8 1",
    lang: "sv",
    opt_out: true,
  };
  const item = {
    id: "lamp-s",
    delivery_date: "2026-05-08",
    reviewable: false,
    returned: true,
    family_id: "own",
    name: "My lamp",
    category: "Mine",
    url: "https://shop.example/mine",
    image_url: "https://shop.example/mine.jpg",
    properties: { colour: "red" },
  };
  const fullOrder = { id: "o 1/ä", store_name: "North", value: 49.9, customer, items: [item] };

  it("are posted with every field and returned in each response", async () => {
    const stored = {
      ...fullOrder,
      created_at: moment,
      updated_at: moment,
      customer: { ...customer, created_at: moment, updated_at: moment },
      items: [{ ...item, deleted: false, created_at: moment, updated_at: moment }],
    };
    const headers = { "Idempotency-Key": uniqueName("attempt") };
    expect(
      await expectData("orders.post", { body: { order: fullOrder }, headers, query: `client_id=${shop.id}` }),
    ).toEqual([stored]);
    expect(await expectData("orders.get", { id: fullOrder.id, query: `client_id=${shop.id}` })).toEqual(stored);
    expect(await expectData("orders.list", { query: "limit=1" })).toEqual([stored]);
  });

  it("require only ids, and return null for the rest", async () => {
    const order = { id: "o-2", customer: { id: "c-2" }, items: [{ id: "unknown" }] };
    const [stored] = await expectData("orders.post", { body: { order } });
    expect(stored).toMatchObject({
      store_name: null,
      value: null,
      customer: { name: null, email: null, phone: null, lang: null, opt_out: false },
      items: [
        {
          family_id: "unknown",
          name: null,
          category: null,
          delivery_date: null,
          url: null,
          image_url: null,
          reviewable: false,
          returned: null,
        },
      ],
    });
    expect(await expectData("orders.get", { id: "o-2" })).toEqual(stored);
  });

  it("are cancelled and enabled again, item by item", async () => {
    const post = async (reviewable: boolean) => {
      const order = { id: "o-2", customer: { id: "c-2" }, items: [{ id: "unknown", reviewable }] };
      const [{ items }] = await expectData("orders.post", { body: { order } });
      return items.map((each: { reviewable: boolean }) => each.reviewable);
    };
    expect([await post(true), await post(false)]).toEqual([[true], [false]]);
  });

  it("are filtered by each of their filters", async () => {
    expect(await ids("orders.list", "customer_id=c-1")).toEqual(["o 1/ä"]);
    expect(await ids("orders.list", "customer_email=%20ADA@example.org")).toEqual(["o 1/ä"]);
    expect(await ids("orders.list", "created_after=2026-01-01&customer_id=c-2")).toEqual(["o-2"]);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19);
    expect(await ids("orders.list", `created_after=${tomorrow}Z`)).toEqual([]);
  });

  it("hide customers from viewers", async () => {
    const { basic } = await aUser("viewer", { clients: [shop.id] });
    for (const [call, request] of [
      ["orders.list", {}],
      ["orders.get", { id: "o-2" }],
    ] as const) {
      const [order] = [await expectData(call, { ...request, sent: { basic } })].flat();
      expect(order.customer).toMatchObject({ id: null, name: null, email: null, phone: null });
    }
  });
});

describe("external sender", () => {
  it("accept delivery outcomes", async () => {
    const id = await aDelegatedInvitation(shop.id, "handed@x.example");
    const query = `client_id=${shop.id}`;
    for (const outcome of ["delivered", "opened", "clicked", "failed", "bounced", "complained"])
      await expectData("invitations.outcome", { id, query, body: { outcome } }, 204);
    const body = { outcome: "bounced", permanent: false, at: "2026-05-20T08:00:00Z" };
    await expectData(
      "invitations.outcome",
      { id, query, body, headers: { "Idempotency-Key": uniqueName("attempt") } },
      204,
    );
    const [row] = await rowsOf("select delivered_at, bounced_at from invitations where id = $1", [id]);
    expect(row).toEqual({ delivered_at: null, bounced_at: expect.any(Date) });
  });
});

describe("reviews", () => {
  let own: TestClient;
  const fullReview = () => ({
    external_id: uniqueName("ext"),
    order: {
      id: "r-1",
      store_name: "North",
      customer: { id: "rc-1", name: "Ada", email: "ada@example.org", phone: "1", lang: "en", opt_out: false },
      item: {
        id: "lamp",
        delivery_date: "2026-05-01",
        reviewable: true,
        returned: false,
        family_id: "lamps",
        name: "Lamp",
        category: "Light",
        url: "https://shop.example/lamp",
        image_url: "https://shop.example/lamp.jpg",
        properties: { colour: "red" },
      },
    },
    author: "Ada",
    author_email: "other@example.org",
    score: 4,
    date: "2026-02-03",
    title: "Good",
    extract: "A fine lamp for reading at night.",
    pros: ["light"],
    cons: ["cable"],
    recommended: true,
    lang: "en",
    custom_questions: { fit: "well" },
    incentivized: true,
    accepted: true,
    reject_reason: null,
  });
  let picture: unknown;
  let query: string;
  let sent: RequestOptions;

  beforeAll(async () => {
    own = await aClient({ custom_questions: [{ id: "fit", type: "text", label: { en: "Fit" } }] });
    picture = await upload(own);
    // A key with access to several clients.
    query = `client_id=${own.id}`;
    sent = { key: (await aKey([own.id, other.id])).secret };
  });

  async function upload({ id, publicKey }: TestClient): Promise<unknown> {
    const form = new FormData();
    const image = sharp({ create: { width: 30, height: 20, channels: 3, background: "#c33" } });
    form.set("client_id", id);
    form.set("api_key", publicKey);
    form.set("file", new File([new Uint8Array(await image.png().toBuffer())], "a.png"));
    const answer = await call(await methodsOf({ path: "/uploader" } as Operation), "POST", "/uploader", { body: form });
    expect(answer.status).toBe(200);
    return answer.json;
  }

  it("are posted with every field and return it in every response", async () => {
    const headers = { "Idempotency-Key": uniqueName("attempt") };
    const review = { ...fullReview(), images: [picture] };
    const made = await expectData("reviews.post", { body: { review }, headers, query, sent }, 201);
    const address = expect.stringMatching(/^http:\/\/localhost:3000\/images\/[0-9a-f]{32}\/\w+\.png/);
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      external_id: review.external_id,
      type: "customer",
      author: "Ada",
      score: 4,
      score_max: 5,
      date: "2026-02-03",
      extract: review.extract,
      pros: ["light"],
      cons: ["cable"],
      lang: "en",
      verified_buyer: true,
      incentivized: true,
      votes_up: 0,
      votes_down: 0,
      product: "Lamp",
      responses: [],
      images: [
        {
          ...(picture as object),
          icon: address,
          icon_width: expect.any(Number),
          icon_height: expect.any(Number),
          medium: address,
          medium_width: 30,
          medium_height: 20,
          large: address,
          large_width: 30,
          large_height: 20,
        },
      ],
      properties: { title: "Good", recommended: true, fit: "well" },
      family_ids: ["lamps"],
      product_ids: ["lamp"],
      order_id: "r-1",
      customer_id: "rc-1",
      category: "Light",
      updated_at: moment,
      accepted: true,
      accepted_at: moment,
      reject_reason: null,
      verified_email: false,
      author_email: "other@example.org",
      portal_url: `http://localhost:3000/portal/reviews/${made.id}?client_id=${own.id}`,
    });
    await aResponse(own.id, "review", made.id);
    await aResponse(own.id, "review", made.id, { lang: null });
    const answered = await expectData("reviews.get", { id: made.id, query, sent });
    expect(answered.responses).toEqual(
      ["en", null].map((lang) => ({
        author: "Shop",
        date: "2026-01-16",
        extract: "Thank you.",
        lang,
        updated_at: moment,
      })),
    );
    expect(await expectData("reviews.list", { query, sent })).toEqual([answered]);
    // The same external id updates the same review; omitted fields keep their values.
    const again = await expectData(
      "reviews.post",
      { body: { review: { external_id: review.external_id, score: 5 } }, query, sent },
      200,
    );
    expect(again).toEqual({ ...answered, score: 5, updated_at: moment });
    const { order, custom_questions, images, ...rest } = { ...fullReview(), images: [picture] };
    const all = {
      ...rest,
      order: { ...order, item: { ...order.item, id: "lamp" } },
      custom_questions,
      images,
      notify: true,
    };
    const put = await expectData("reviews.update", { id: made.id, body: { review: all }, query, sent });
    expect(put).toEqual({ ...answered, external_id: rest.external_id, updated_at: moment });
    const rejected = { accepted: false, reject_reason: "price" };
    expect(await expectData("reviews.update", { id: made.id, body: { review: rejected }, query, sent })).toMatchObject(
      rejected,
    );
    expect(await expectData("reviews.get", { id: made.id, query, sent })).toMatchObject(rejected);
    for (const call of ["post", "update"])
      await expectData(`reviews.${call}`, {
        id: made.id,
        body: { review: { external_id: rest.external_id, ...rejected } },
        query,
        sent,
      });
    await expectData("reviews.delete", { id: made.id, query, sent }, 204);
    expect((await callOperation("reviews.delete", { id: made.id, query, sent })).status).toBe(404);
  });

  it("return null for unset fields", async () => {
    const empty = await aClient();
    const sent = { key: empty.key };
    const [id = ""] = await someReviews(empty.id, [{ author: null, product_id: null, product_name: null, lang: null }]);
    const unset = { external_id: null, author: null, lang: null, product: null, order_id: null, customer_id: null };
    const more = { category: null, accepted: null, accepted_at: null, reject_reason: null, author_email: null };
    expect(await expectData("reviews.get", { id, sent })).toMatchObject({ ...unset, ...more });
    expect(await expectData("reviews.list", { sent })).toEqual([expect.objectContaining({ ...unset, ...more })]);
    expect(await expectData("reviews.update", { id, body: { review: { score: 1 } }, sent })).toMatchObject({
      ...unset,
      ...more,
    });
    const bare = { author: "Bo", score: 3, order: { item: { family_id: "f" } } };
    expect(await expectData("reviews.post", { body: { review: bare }, sent }, 201)).toMatchObject({
      product: null,
      category: null,
    });
    const known = await expectData("reviews.post", { body: { review: { ...bare, external_id: "e" } }, sent }, 201);
    expect(
      await expectData("reviews.post", { body: { review: { external_id: "e", score: 1 } }, sent }, 200),
    ).toMatchObject({
      id: known.id,
      score: 1,
      product: null,
    });
    await rowsOf("update reviews set author = null, lang = null where id = $1", [known.id]);
    await expectData("reviews.post", { body: { review: { external_id: "e", score: 2 } }, sent }, 200);
  });

  it("move between all states, by POST and by PUT", async () => {
    const moderated = await aClient();
    const sent = { key: moderated.key };
    const states = [
      { accepted: true, accepted_at: moment, reject_reason: null },
      { accepted: false, accepted_at: null, reject_reason: "unspecified" },
      { accepted: null, accepted_at: null, reject_reason: null },
    ];
    for (const from of states)
      for (const to of states)
        for (const operationName of ["reviews.post", "reviews.update"]) {
          const external_id = uniqueName("state");
          const about = { author: "Ada", score: 5, order: { item: { id: "lamp" } } };
          const made = await expectData(
            "reviews.post",
            { body: { review: { external_id, accepted: from.accepted, ...about } }, sent },
            201,
          );
          expect(made).toMatchObject(from);
          const body = { review: { external_id, accepted: to.accepted } };
          expect(await expectData(operationName, { id: made.id, body, sent })).toMatchObject(to);
        }
  });

  it("are filtered by each of their filters, alone and combined", async () => {
    const listed = await aClient();
    const sent = { key: listed.key };
    const row = { created_at: noon, updated_at: later };
    const [a, b, c] = await someReviews(listed.id, [
      { id: "000000000000000a", ...row, order_id: "o-1", customer_id: "c-1", accepted: true },
      { id: "000000000000000b", ...row, order_id: "o-1", customer_id: "c-2", accepted: false },
      { id: "000000000000000c", created_at: later, updated_at: noon },
    ]);
    const found = async (query: string) =>
      (await expectData("reviews.list", { query, sent })).map((review: { id: string }) => review.id);
    expect(await found("")).toEqual([a, b, c]);
    expect(await found("updated_after=2026-01-01")).toEqual([c, a, b]);
    expect(await found("update_after=2026-03-02T12:00:00Z")).toEqual([a, b]);
    expect(await found("created_after=2026-03-02")).toEqual([c]);
    expect(await found("order_id=o-1")).toEqual([a, b]);
    expect(await found("customer_id=c-2")).toEqual([b]);
    for (const [status, id] of [
      ["accepted", a],
      ["rejected", b],
      ["pending", c],
    ])
      expect(await found(`moderation_status=${status}`)).toEqual([id]);
    expect(await found("moderation_status=accepted&order_id=o-1&updated_after=2026-03-02&customer_id=c-1")).toEqual([
      a,
    ]);
  });
});

describe("seller reviews and questions", () => {
  const row = { created_at: noon, updated_at: later };
  const text = { author: "Ada", author_email: "ada@example.org", lang: "en", accepted: true, customer_id: "c-1" };
  const image = {
    token: "0".repeat(32),
    key: "1".repeat(32),
    format: "jpeg",
    width: 300,
    height: 400,
    sizes: { icon: [100, 100], medium: [300, 400], large: [300, 400] },
  };

  it("return seller reviews with every field, filtered by each filter", async () => {
    const [a = "", b = ""] = await someSellerReviews(shop.id, [
      {
        ...{ ...row, ...text, order_id: "o-1", title: "Quick", images: JSON.stringify([image]), verified_buyer: true },
        incentivized: true,
      },
      { ...row, author: null, lang: null, accepted: false, reject_reason: "spam" },
    ]);
    await aResponse(shop.id, "seller_review", a);
    await aResponse(shop.id, "seller_review", a, { lang: null });
    const rows = await expectData("seller_reviews.list", { query: "limit=5" });
    expect(membersIn(rows.find(({ id }: { id: string }) => id === a))).toBe(
      "accepted accepted_at author author_email customer_id date extract id images incentivized lang order_id portal_url properties responses score score_max updated_at verified_buyer votes_down votes_up",
    );
    expect(rows.map(({ id }: { id: string }) => id).sort()).toEqual([a, b].sort());
    expect(await ids("seller_reviews.list", "updated_after=2026-03-03")).toEqual([a]);
    expect(await ids("seller_reviews.list", "update_after=2027-01-01&limit=1")).toEqual([]);
    expect(await ids("seller_reviews.list", "created_after=2026-03-02")).toEqual([]);
  });

  it("return questions with every field, filtered by each filter", async () => {
    const [a = "", b = ""] = await someQuestions(shop.id, [
      {
        ...row,
        author: "Bo",
        author_email: "bo@example.org",
        lang: "en",
        accepted: true,
        details: "More.",
        mail_answer: true,
        images: JSON.stringify([image]),
        answers_given: { room: "hall" },
      },
      {
        created_at: later,
        updated_at: noon,
        author: null,
        lang: null,
        product_id: null,
        product_name: null,
        accepted: false,
        reject_reason: "spam",
      },
    ]);
    await anAnswer(shop.id, a);
    await anAnswer(shop.id, a, { lang: null });
    for (const id of [a, b])
      expect(await expectData("questions.get", { id, query: `client_id=${shop.id}` })).toMatchObject({ id });
    const rows = await expectData("questions.list");
    expect(membersIn(rows[0])).toBe(
      "accepted accepted_at answers author author_email date details family_ids id images lang mail_answer portal_url product product_ids properties question reject_reason updated_at",
    );
    expect(rows.map(({ id }: { id: string }) => id)).toEqual([a, b]);
    expect(await ids("questions.list", "moderation_status=rejected")).toEqual([b]);
    expect(await ids("questions.list", "updated_after=2026-01-01")).toHaveLength(2);
    expect(await ids("questions.list", "update_after=2028-01-01")).toEqual([]);
    expect(await ids("questions.list", "created_after=2026-03-02")).toEqual([b]);
    const [pending = ""] = await someQuestions(other.id, [{}]);
    expect(await expectData("questions.get", { id: pending, sent: { key: other.key } })).toMatchObject({
      accepted: null,
    });
    expect(await expectData("questions.list", { sent: { key: other.key } })).toMatchObject([{ accepted: null }]);
    expect(await expectData("seller_reviews.list", { sent: { key: other.key } })).toEqual([]);
    await someSellerReviews(other.id, [{}]);
    expect(await expectData("seller_reviews.list", { sent: { key: other.key } })).toMatchObject([{ accepted: null }]);
  });
});

describe("personal data", () => {
  it("is returned and deleted by customer or email address", async () => {
    const own = await aClient();
    const sent = { key: own.key };
    const order = { id: "o-1", customer: { id: "c-1", name: "Ada", email: "ada@example.org" } };
    await expectData("orders.post", { body: { order }, sent });
    const of = { customer_id: "c-1", author: "Ada" };
    await someReviews(own.id, [{ ...of, title: "Good", extract: "Fine." }]);
    await someSellerReviews(own.id, [{ ...of, title: "Quick", extract: "Soon." }]);
    await someQuestions(own.id, [
      {
        author: "Ada",
        author_email: "ada@example.org",
        email_key: "ada@example.org",
        question: "Which?",
        details: "Now.",
      },
    ]);
    const record = {
      name: "Ada",
      customer_id: "c-1",
      email: "ada@example.org",
      reviews: [{ author_nick: "Ada", title: "Good", content: "Fine." }],
      questions: [{ author_nick: "Ada", title: "Which?", content: "Now." }],
      seller_reviews: [{ author_nick: "Ada", title: "Quick", content: "Soon." }],
    };
    for (const query of ["customer_id=c-1", "email=%20Ada@example.org", `client_id=${own.id}&customer_id=c-1`])
      expect(await expectData("personal_data.get", { query, sent })).toEqual(record);
    await expectData("personal_data.delete", { body: { customer_id: "c-1" }, sent, query: `client_id=${own.id}` }, 204);
    await expectData("personal_data.delete", { body: { email: "ada@example.org", client_id: own.id }, sent }, 204);
    await expectData(
      "personal_data.delete",
      { body: { email: "nobody@example.org" }, sent, headers: { "Idempotency-Key": uniqueName("attempt") } },
      204,
    );
    const nothing = { name: null, customer_id: null, email: null, reviews: [], questions: [], seller_reviews: [] };
    expect(await expectData("personal_data.get", { query: "customer_id=c-1", sent })).toEqual(nothing);
  });
});

const lists = operations.filter(({ parameters }) => parameters.some(({ name }) => name === "limit"));

describe("test stores", () => {
  it("show their clock, and advance it", async () => {
    const test = await aClient({}, { test: true });
    const request = { query: `client_id=${test.id}`, sent: { key: test.key } };
    const before = await expectData("test_clock.get", request);
    expect(before.days).toBe(0);
    const after = await expectData("test_clock.advance", { ...request, body: { advance: "2d" } });
    expect(after).toMatchObject({ days: 2, advanced_days: 2, emails: 0 });
    expect(Date.parse(after.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(2 * 86_400_000);
    expect(await expectData("test_clock.advance", { ...request, body: { advance: "next" } })).toMatchObject({
      days: 2,
    });
  });
});

describe("limit", () => {
  let largeClient: TestClient;
  let basic: RequestOptions["basic"];
  beforeAll(async () => {
    largeClient = await aClient();
    // Inserts 1,001 rows of each kind directly into the tables.
    const fill = (into: string, values: string) =>
      rowsOf(`insert into ${into} select ${values} from generate_series(1, 1001) n`, [largeClient.id]);
    await fill("products (client_id, id, family_id, name)", "$1, 'p' || n, 'f' || n, 'Lamp'");
    await rowsOf("insert into customers (client_id, id, id_hash) values ($1, 'c', 'h')", [largeClient.id]);
    await fill("orders (client_id, id, customer_id)", "$1, 'o' || n, 'c'");
    const written = "source, score, date, feedback_token)";
    await fill(
      `reviews (client_id, id, product_id, ${written}`,
      "$1, 'r' || n, 'p', 'web', 5, '2026-01-01', $1 || 'r' || n",
    );
    await fill(
      `seller_reviews (client_id, id, ${written}`,
      "$1, 's' || n, 'invitation', 5, '2026-01-01', $1 || 's' || n",
    );
    await fill(
      "questions (client_id, id, product_id, source, question, date, feedback_token)",
      "$1, 'q' || n, 'p', 'web', 'Which?', '2026-01-01', $1 || 'q' || n",
    );
    await fill(
      "clients (id, account_id, display_name, email_name, public_key)",
      `$1 || '-' || n, '${largeClient.accountId}', 'x', 'x', 'pk_' || $1 || n`,
    );
    basic = (await aUser("admin", { accountId: largeClient.accountId })).basic;
  });

  it.each(lists.map(({ id }) => id))(
    "%s: default 100, maximum 1,000, minimum 1; links.next returns the rest",
    async (id) => {
      const client = id === "clients.list" ? "" : `&client_id=${largeClient.id}`;
      const page = (query: string) => callOperation(id, { query: query + client, sent: { basic } });
      const first = await page("x=1");
      expect(first.json.data).toHaveLength(100);
      for (const [limit, rows] of [
        ["1", 1],
        ["1000", 1_000],
        ["1001", 1_000],
        ["99999999999999999999", 1_000],
      ] as const)
        expect((await page(`limit=${limit}`)).json.data).toHaveLength(rows);
      for (const limit of ["0", "-1", "1.5", "ten", ""]) {
        const { status, json } = await page(`limit=${limit}`);
        expect([status, json.errors]).toEqual([
          400,
          [expect.objectContaining({ code: "invalid_parameter", field: "limit" })],
        ]);
      }
      const next = new URL(first.json.links.next);
      const second = await page(next.search.slice(1));
      const names = (answer: TestResponse) => answer.json.data.map((row: { id: string }) => row.id);
      expect(new Set([...names(first), ...names(second)]).size).toBe(200);
      const last = await page("limit=1000");
      const end = await page(new URL(last.json.links.next).search.slice(1));
      expect(end.json.data.length).toBeLessThan(5);
      expect(end.json.links).toEqual({});
    },
  );
});

const withBody = operations.filter(({ body }) => body !== null);

/** Builds a body with every field; `leaf` makes the values. */
function bodyOf(given: Schema, leaf: (schema: Schema, path: string) => unknown, at = ""): unknown {
  const schema = nonNullSchema(description, given);
  if (schema.type === "array" && schema.items) {
    const made = leaf(schema, at);
    return made === undefined ? [bodyOf(schema.items, leaf, `${at}[0]`)] : made;
  }
  if (!schema.properties) return leaf(schema, at);
  return Object.fromEntries(
    Object.entries(schema.properties as Record<string, Schema>).map(([name, each]) => [
      name,
      bodyOf(each, leaf, at ? `${at}.${name}` : name),
    ]),
  );
}

/** Issues by field; several issues of one field are joined. */
function issuesOf({ json }: TestResponse): Record<string, string> {
  const issues: Record<string, string> = {};
  for (const { field, message } of json?.errors ?? []) issues[field] = [issues[field], message].join(" ");
  return issues;
}
const bodyMembers = ({ body }: Operation): Member[] => (body ? membersOf(description, body.schema) : []);

describe.each(withBody.map((operation) => [operation.id, operation] as const))("the body of %s", (id, operation) => {
  const leaves = bodyMembers(operation).filter(({ schema }) => !nonNullSchema(description, schema).properties);
  const send = (body: unknown) => callOperation(id, { body });

  it("is rejected with wrong types, reporting every field", async () => {
    const typed = leaves.filter(({ schema }) => nonNullSchema(description, schema).type !== undefined);
    const before = await hashDatabase();
    const wrong = bodyOf(operation.body?.schema as Schema, ({ type }) =>
      type === "array" ? undefined : ({ boolean: "x", string: 1.5 }[type as "string"] ?? "x"),
    );
    const answer = await send(wrong);
    expect(answer.status).toBe(422);
    const expected = typed
      .filter(({ schema }) => nonNullSchema(description, schema).type !== "array")
      .map(({ path }) => path);
    expect(Object.keys(issuesOf(answer))).toEqual(expect.arrayContaining(expected));
    for (const { path } of bodyMembers(operation).filter(({ schema }) =>
      ["array", "object"].includes(nonNullSchema(description, schema).type),
    )) {
      const broken = bodyOf(operation.body?.schema as Schema, () => undefined) as Schema;
      setAtPath(broken, path, "x");
      expect(Object.keys(issuesOf(await send(broken)))).toContain(path);
    }
    expect(await hashDatabase()).toBe(before);
  });

  const bounded = bodyMembers(operation).filter(({ schema }) => Object.keys(boundsOf(schema)).length > 0);
  if (bounded.length > 0)
    it.each(["of single values", "of lists"])(
      "enforces every documented limit %s, and accepts values at the limit",
      async (kind) => {
        const lists = kind === "of lists";
        const body = (beyond: 0 | 1) =>
          bodyOf(operation.body?.schema as Schema, (schema, path) =>
            (schema.type === "array") === lists ? atLimit(schema, path, beyond) : undefined,
          );
        const before = await hashDatabase();
        const [allowed, refused] = [await send(body(0)), await send(body(1))];
        expect(refused.status).toBe(422);
        for (const { path } of bounded.filter(
          ({ schema }) => (nonNullSchema(description, schema).type === "array") === lists,
        )) {
          expect({ path, said: issuesOf(refused)[path] ?? "nothing" }).toEqual({
            path,
            said: expect.stringMatching(limitError),
          });
          expect({ path, said: issuesOf(allowed)[path] ?? "nothing" }).toEqual({
            path,
            said: expect.not.stringMatching(limitError),
          });
        }
        if (allowed.status >= 400) expect(await hashDatabase()).toBe(before);
      },
    );
});

const limitError = /at most|at least|one of/;

function boundsOf(given: Schema): Schema {
  const { maxLength, maxItems, maximum } = nonNullSchema(description, given);
  return Object.fromEntries(
    Object.entries({ maxLength, maxItems, maximum }).filter(([, value]) => value !== undefined),
  );
}

/** A value at its documented limit, or one more. Text length is counted in characters; emails contain only ASCII. */
function atLimit(schema: Schema, path: string, beyond: 0 | 1): unknown {
  const { maxLength, maxItems, maximum } = boundsOf(schema);
  if (maxItems !== undefined) return Array.from({ length: maxItems + beyond }, () => ({ id: "x", token: "x" }));
  if (maximum !== undefined) return maximum + beyond;
  if (schema.enum) return beyond ? "x" : schema.enum[0];
  if (maxLength !== undefined) return (path.endsWith("email") ? "x" : "💡").repeat(maxLength + beyond);
  return schema.type === "boolean" ? true : undefined;
}

/** Sets the value at a field's path. */
function setAtPath(body: Schema, path: string, value: unknown): void {
  const parts = path.replaceAll("[0]", ".0").split(".");
  const name = parts.pop() as string;
  const holder = parts.reduce<Schema>((inner, part) => (inner[part] ??= {}), body);
  holder[name] = value;
}

describe.each(operations.map((operation) => [operation.id, operation] as const))(
  "the errors of %s",
  (id, operation) => {
    const body = operation.body && {};
    const expectRefused = async (status: number, code: string, request: OperationCall) => {
      const answer = await callOperation(id, { body: body ?? undefined, ...request });
      expect({ status: answer.status, code: answer.json?.errors?.[0]?.code }).toEqual({ status, code });
      return answer;
    };
    const documented = (status: number, code: string) =>
      code in (operation.responses[status]?.content?.["application/json"]?.examples ?? {});
    const cases: [status: number, code: string, ask: () => Promise<OperationCall>][] = [
      [401, "unauthorized", async () => ({ sent: { key: "sk_wrong" } })],
      [403, "forbidden", async () => ({ sent: { key: (await aKey([shop.id], [])).secret } })],
      [403, "client_forbidden", async () => ({ query: "client_id=nobody" })],
      [400, "client_id_required", async () => ({ sent: { key: bothKey } })],
      [400, "invalid_parameter", async () => ({ query: "x=%00" })],
      [400, "invalid_cursor", async () => ({ query: "after=x" })],
      [400, "invalid_json", async () => ({ body: "{" })],
      [415, "unsupported_media_type", async () => ({ headers: { "Content-Type": "text/plain" } })],
      [413, "too_large", async () => ({ body: "x".repeat(1024 * 1024 + 1) })],
      [
        404,
        "not_found",
        async () => ({ id: "none", body: operation.body ? { review: {}, outcome: "opened" } : undefined }),
      ],
      [422, "invalid_field", async () => ({})],
    ];
    it.each(cases.filter(([status, code]) => documented(status, code)))("%i %s", async (status, code, request) => {
      await expectRefused(status, code, await request());
    });

    if (documented(422, "idempotency_key_reused"))
      it("422 idempotency_key_reused", async () => {
        const headers = { "Idempotency-Key": uniqueName("attempt") };
        const order = (n: string) => ({ order: { id: n, customer: { id: n } } });
        const review = (n: string) => ({ review: { author: n, score: 5, order: { item: { id: n } } } });
        const person = (n: string) => ({ customer_id: n });
        const outcome = (n: string) => ({ outcome: n === "a" ? "opened" : "clicked" });
        const make = {
          "orders.post": order,
          "reviews.post": review,
          "personal_data.delete": person,
          "invitations.outcome": outcome,
          "test_clock.advance": (n: string) => ({ advance: n === "a" ? "1d" : "2d" }),
        }[id];
        if (!make) throw new Error(`Say here what ${id} takes.`);
        const about = operation.path.includes("{id}") ? { id: await aDelegatedInvitation(shop.id) } : {};
        if (id === "test_clock.advance")
          Object.assign(about, { sent: { key: (await aClient({}, { test: true })).key } });
        expect((await callOperation(id, { ...about, body: make("a"), headers })).status).toBeLessThan(300);
        await expectRefused(422, "idempotency_key_reused", { ...about, body: make("b"), headers });
      });

    const checkedParameters = operation.parameters.filter(
      ({ in: where, name, schema }) =>
        where === "query" && name !== "after" && (schema.enum || schema.pattern || schema.type === "integer"),
    );
    if (checkedParameters.length > 0)
      it("reports all invalid parameters together", async () => {
        const answer = await callOperation(id, { query: checkedParameters.map(({ name }) => `${name}=x`).join("&") });
        expect(answer.status).toBe(400);
        expect(Object.keys(issuesOf(answer)).sort()).toEqual(checkedParameters.map(({ name }) => name).sort());
      });
  },
);

describe("the description", () => {
  it("matches every response", () => expect(coverage.issues).toEqual([]));

  it("has nothing untested", () => expect(coverage.missing()).toEqual([]));
});
