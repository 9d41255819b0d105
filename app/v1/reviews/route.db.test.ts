import { beforeAll, describe, expect, it } from "vitest";
import * as one from "@/app/v1/reviews/[id]/route";
import * as reviews from "@/app/v1/reviews/route";
import { newReviewId } from "@/lib/platform/ids";
import { call, readAll } from "@/lib/tools/test/call";
import { describeContributionList } from "@/lib/tools/test/contributions";
import { aClient, aResponse, aUser, someReviews, type TestClient } from "@/lib/tools/test/factories";
import { expectIssues, expectList } from "@/lib/tools/test/lists";

const documented =
  "id external_id type author score score_max date extract pros cons lang verified_buyer votes_up votes_down product responses images properties family_ids product_ids order_id customer_id category updated_at accepted accepted_at reject_reason verified_email author_email portal_url".split(
    " ",
  );

let shop: TestClient;
const noon = new Date("2026-03-01T12:00:00.500Z");
const later = new Date("2026-03-02T12:00:00Z");
let ids: string[];

beforeAll(async () => {
  shop = await aClient();
  // Ascending ids, so that rows with the same time have a known order.
  ids = Array.from({ length: 9 }, (_, index) => `00000000000000${index.toString(16).padStart(2, "0")}`);
  await someReviews(
    shop.id,
    ids.map((id, index) => ({
      id,
      accepted: [null, true, false][index % 3] as boolean | null,
      created_at: index < 6 ? noon : later,
      updated_at: index < 6 ? later : noon,
      order_id: index < 4 ? "o-1" : null,
      customer_id: index < 5 ? "c-1" : null,
      author_email: "ada@example.org",
    })),
  );
  await someReviews((await aClient()).id, [{ order_id: "o-1", customer_id: "c-1" }]);
});

const listed = async (query: string): Promise<string[]> =>
  (await readAll(reviews, `/v1/reviews?${query}`, { key: shop.key })).map(({ id }) => id);

describe("reviews over the API", () => {
  it("returns every documented field", async () => {
    const own = await aClient();
    const words = 'Warm "light",\n\\ \u2028 灯 💡 ","updated_at":"2001-01-01T00:00:00Z';
    await someReviews(own.id, [
      {
        id: "00000000000000aa",
        external_id: "ext-1",
        author: words,
        author_email: "Ada@Example.org",
        score: 4,
        title: "Good",
        extract: words,
        pros: ["bright", words],
        cons: ["warm"],
        recommended: true,
        answers: { size: "m", tags: ["a", "b"], updated_at: "x" },
        lang: "sv",
        date: "2026-02-03",
        order_id: "o-1",
        customer_id: "c-1",
        category: "Light",
        verified_buyer: true,
        verified_email: true,
        votes_up: 3,
        votes_down: 1,
        product_id: "lamp",
        family_id: "lamps",
        product_name: "Lamp",
        accepted: false,
        reject_reason: "spam",
        updated_at: later,
      },
    ]);
    const { json, status } = await call(reviews, "GET", "/v1/reviews", { key: own.key });
    expect(status).toBe(200);
    expect(Object.keys(json.data[0]).sort()).toEqual([...documented].sort());
    expect(json.data[0]).toEqual({
      id: "00000000000000aa",
      external_id: "ext-1",
      type: "customer",
      author: words,
      score: 4,
      score_max: 5,
      date: "2026-02-03",
      extract: words,
      pros: ["bright", words],
      cons: ["warm"],
      lang: "sv",
      verified_buyer: true,
      votes_up: 3,
      votes_down: 1,
      product: "Lamp",
      responses: [],
      images: [],
      properties: { size: "m", tags: ["a", "b"], updated_at: "x", title: "Good", recommended: true },
      family_ids: ["lamps"],
      product_ids: ["lamp"],
      order_id: "o-1",
      customer_id: "c-1",
      category: "Light",
      updated_at: "2026-03-02T12:00:00Z",
      accepted: false,
      accepted_at: null,
      reject_reason: "spam",
      verified_email: true,
      author_email: "Ada@Example.org",
      portal_url: `http://localhost:3000/portal/reviews/00000000000000aa?client_id=${own.id}`,
    });
    const single = await call(one, "GET", "/v1/reviews/00000000000000aa", { key: own.key });
    expect(single.json).toEqual({ data: json.data[0] });
  });

  it("returns null for unset fields, never omits a field", async () => {
    const own = await aClient();
    await someReviews(own.id, [{ product_id: null, product_name: null, author: null, extract: "" }]);
    const { json } = await call(reviews, "GET", "/v1/reviews", { key: own.key });
    expect(Object.keys(json.data[0]).sort()).toEqual([...documented].sort());
    expect(json.data[0]).toMatchObject({
      external_id: null,
      author: null,
      extract: "",
      pros: [],
      cons: [],
      lang: null,
      product: null,
      properties: {},
      product_ids: [],
      family_ids: ["sku-1"],
      order_id: null,
      customer_id: null,
      category: null,
      accepted: null,
      accepted_at: null,
      reject_reason: null,
      author_email: null,
    });
  });

  it("returns the store's replies, oldest first", async () => {
    const own = await aClient();
    const [id = ""] = await someReviews(own.id, [{ updated_at: noon }]);
    await aResponse(own.id, "review", id, { extract: "second", date: "2026-03-01", created_at: later });
    await aResponse(own.id, "review", id, { extract: "first", date: "2026-03-01", created_at: noon });
    const { json } = await call(one, "GET", `/v1/reviews/${id}`, { key: own.key });
    expect(json.data.responses).toEqual(
      ["first", "second"].map((extract) => ({
        author: "Shop",
        date: "2026-03-01",
        extract,
        lang: "en",
        updated_at: expect.stringMatching(/Z$/),
      })),
    );
    expect(json.data.updated_at > "2026-03-02").toBe(true);
  });

  it("returns both of two replies that are written concurrently", async () => {
    const own = await aClient();
    const [id = ""] = await someReviews(own.id, [{}]);
    const texts = Array.from({ length: 12 }, (_, index) => `reply ${index}`);
    await Promise.all(texts.map((extract) => aResponse(own.id, "review", id, { extract })));
    const { responses } = (await call(one, "GET", `/v1/reviews/${id}`, { key: own.key })).json.data;
    expect(responses.map(({ extract }: { extract: string }) => extract).sort()).toEqual(texts.sort());
  });

  it("filters by order and customer, combined with all other filters", async () => {
    await expectList(reviews, "/v1/reviews?order_id=o-1", shop.key, ids.slice(0, 4));
    await expectList(reviews, "/v1/reviews?customer_id=c-1", shop.key, ids.slice(0, 5));
    await expectList(reviews, "/v1/reviews?customer_id=c-1&updated_after=2026-01-01", shop.key, ids.slice(0, 5));
    expect(await listed("moderation_status=accepted&customer_id=c-1&order_id=o-1&created_after=2026-03-01")).toEqual([
      ids[1],
    ]);
    expect(await listed("moderation_status=accepted&customer_id=c-1&created_after=2026-03-02")).toEqual([]);
    expect(await listed("moderation_status=pending&order_id=o-1&updated_after=2026-03-02")).toEqual([ids[0], ids[3]]);
    expect(await listed("order_id=O-1")).toEqual([]);
    expect(await listed("order_id=")).toEqual([]);
    expectIssues(await call(reviews, "GET", "/v1/reviews?order_id=a%00b", { key: shop.key }), 400, [
      "order_id invalid_parameter",
    ]);
  });

  it("hides people from viewers, also in single reviews, and doesn't let them filter by people", async () => {
    const { basic } = await aUser("viewer", { clients: [shop.id] });
    const { json, text } = await call(one, "GET", `/v1/reviews/${ids[0]}`, { basic });
    expect(Object.keys(json.data).sort()).toEqual([...documented].sort());
    expect(json.data).toMatchObject({ author: "Ada", author_email: null, customer_id: null, order_id: "o-1" });
    expect(text).not.toContain("ada@example.org");
    expectIssues(await call(reviews, "GET", "/v1/reviews?customer_id=c-1", { basic }), 403, ["customer_id forbidden"]);
  });
});

describeContributionList("reviews", reviews, someReviews, (client, id, turn) =>
  call(one, "PUT", `/v1/reviews/${id}`, {
    key: client.key,
    body: { review: { accepted: [true, false, null][turn % 3] } },
  }),
);

it("creates ids of 16 lowercase hex digits", () => {
  for (let index = 0; index < 100; index += 1) expect(newReviewId()).toMatch(/^[0-9a-f]{16}$/);
});
