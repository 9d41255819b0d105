import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as image from "@/app/images/[key]/[file]/route";
import { POST as uploadImage } from "@/app/uploader/route";
import * as order from "@/app/v1/orders/[id]/route";
import * as one from "@/app/v1/reviews/[id]/route";
import * as reviews from "@/app/v1/reviews/route";
import { verifySummaries } from "@/lib/catalog/summaries/verify-summaries";
import type { Review } from "@/lib/reviews/reviews/schema";
import { call, pathOf, withoutImageSignatures } from "@/lib/tools/test/call";
import { aPicture } from "@/lib/tools/test/collection-rows";
import {
  aClient,
  anOrder,
  aUser,
  hashDatabase,
  rowsOf,
  someProducts,
  type TestClient,
  uniqueName,
} from "@/lib/tools/test/factories";
import { expectIssues } from "@/lib/tools/test/lists";

type Input = Record<string, unknown>;

let shop: TestClient;
let first: Review;
let review: Input;

beforeAll(async () => {
  shop = await aClient({
    custom_questions: [
      { id: "q1", name: "fit", type: "select", options: [{ id: "small", label: {} }], label: {} },
      { id: "comfort", type: "score", label: {} },
    ],
  });
  await someProducts(shop.id, [
    { id: "lamp", family_id: "lamps", name: "Oak lamp", category: "Lamps" },
    { id: "desk", family_id: "desks", name: "Desk", category: "Desks" },
  ]);
});

const anUpload = () => aPicture(uploadImage, shop);

beforeEach(async () => {
  review = {
    external_id: uniqueName("old"),
    order: {
      id: uniqueName("order"),
      customer: { id: uniqueName("c"), name: "Ada Berg", email: "ada@example.org" },
      item: { id: "lamp", category: "Gifts" },
    },
    author: "Ada",
    score: 4,
    date: "2020-01-01",
    title: "Fine",
    extract: "A fine lamp.",
    pros: ["light"],
    cons: ["cable"],
    recommended: true,
    lang: "sv",
    custom_questions: { fit: "small", comfort: 5 },
  };
  const { json } = await call(reviews, "POST", "/v1/reviews", { key: shop.key, body: { review } });
  first = json.data;
});

const put = (change: unknown, sent: Parameters<typeof call>[3] = { key: shop.key }, id = first.id) =>
  call(one, "PUT", `/v1/reviews/${id}`, { ...sent, body: { review: change } });
async function putReview(change: Input): Promise<Review> {
  const answer = await put(change);
  expect({ status: answer.status, errors: answer.json.errors }).toEqual({ status: 200, errors: undefined });
  const read = await call(one, "GET", `/v1/reviews/${first.id}`, { key: shop.key });
  expect(withoutImageSignatures(read)).toEqual(withoutImageSignatures(answer));
  return answer.json.data;
}
const history = async () =>
  (
    await rowsOf(
      "select actor_kind, actor_id, action, from_state, to_state, reason, texts from moderation_events where subject_id = $1 order by id",
      [first.id],
    )
  ).slice(1);
const outboxEvents = async () =>
  (await rowsOf("select name from outbox where data->>'review_id' = $1 order by id", [first.id]))
    .slice(1)
    .map(({ name }) => name);

describe("PUT /v1/reviews/{id}: review fields", () => {
  const { updated_at: _, ...nothing } = {} as Review;
  it("clears the email verification if the address changes", async () => {
    const confirmed = () => rowsOf("update reviews set verified_email = true where id = $1", [first.id]);
    await confirmed();
    expect(await putReview({ author_email: "ADA@Example.org" })).toMatchObject({ verified_email: true });
    expect(await putReview({ author_email: "bo@example.org" })).toMatchObject({ verified_email: false });
    await confirmed();
    const customer = { id: uniqueName("c"), name: "Cleo", email: "cleo@example.org" };
    expect(await putReview({ order: { customer } })).toMatchObject({
      author_email: "cleo@example.org",
      verified_email: false,
    });
  });

  it.each<[name: string, change: Input, shown: Partial<Review>]>([
    ["external_id", { external_id: "new-id" }, { external_id: "new-id" }],
    ["no external_id", { external_id: null }, { external_id: null }],
    ["author", { author: "Bo 💡" }, { author: "Bo 💡" }],
    ["author_email", { author_email: "Bo@example.org" }, { author_email: "Bo@example.org" }],
    ["no author_email: the customer's", { author_email: "" }, { author_email: "ada@example.org" }],
    ["score", { score: 1 }, { score: 1 }],
    ["date", { date: "2021-12-31" }, { date: "2021-12-31" }],
    ["no date: as it was", { date: null }, {}],
    ["title", { title: "Poor" }, { properties: { title: "Poor", recommended: true, fit: "small", comfort: 5 } }],
    ["no title", { title: null }, { properties: { recommended: true, fit: "small", comfort: 5 } }],
    ["extract", { extract: "It broke." }, { extract: "It broke." }],
    ["no extract", { extract: null }, { extract: "" }],
    ["pros and cons", { pros: [" a ", "", "b"], cons: [] }, { pros: ["a", "b"], cons: [] }],
    ["no pros and cons", { pros: null, cons: null }, { pros: [], cons: [] }],
    [
      "recommended",
      { recommended: false },
      { properties: { ...{ title: "Fine", fit: "small", comfort: 5 }, recommended: false } },
    ],
    ["not recommended either way", { recommended: null }, { properties: { title: "Fine", fit: "small", comfort: 5 } }],
    ["lang", { lang: "fi" }, { lang: "fi" }],
    [
      "custom_questions",
      { custom_questions: { q1: "small" } },
      { properties: { title: "Fine", recommended: true, fit: "small" } },
    ],
    ["no custom_questions", { custom_questions: null }, { properties: { title: "Fine", recommended: true } }],
    ["that its author was offered something", { incentivized: true }, { incentivized: true }],
    ["nothing", {}, nothing],
    [
      "what it says already",
      { author: "Ada", pros: ["light"], custom_questions: { q1: "small", comfort: 5 } },
      nothing,
    ],
    [
      "words of no meaning here",
      { votes_up: 7, verified_email: true, verified_buyer: false, type: "x", id: "y" },
      nothing,
    ],
  ])("changes %s, and nothing else", async (_, change, shown) => {
    const { updated_at, ...after } = await putReview(change);
    const { updated_at: before, ...rest } = first;
    expect(after).toEqual({ ...rest, ...shown });
  });

  it("detects the language of new texts only if requested", async () => {
    const extract = "Eine schöne Lampe, die abends sehr warmes Licht gibt, sagt die ganze Familie.";
    expect((await putReview({ extract, title: null, pros: null, cons: null })).lang).toBe("sv");
    expect((await putReview({ lang: null })).lang).toBe("de");
  });

  it("changes nothing if the values are the same", async () => {
    const before = await hashDatabase();
    await putReview(review);
    await putReview({ lang: "sv", images: [], accepted: null });
    expect(await hashDatabase()).toBe(before);
  });

  it("is no longer verified if its author gets another address", async () => {
    await rowsOf("update reviews set verified_email = true where id = $1", [first.id]);
    expect((await putReview({ author_email: " ADA@example.org" })).verified_email).toBe(true);
    expect((await putReview({ author_email: "bo@example.org" })).verified_email).toBe(false);
  });

  it("moves to another product, with only the catalog's details", async () => {
    expect(await putReview({ order: { item: { id: "desk" } } })).toMatchObject({
      product_ids: ["desk"],
      family_ids: ["desks"],
      product: "Desk",
      category: "Desks",
      order_id: first.order_id,
      verified_buyer: true,
    });
    expect(await putReview({ order: { item: { id: "unknown", name: "A thing" } } })).toMatchObject({
      product_ids: ["unknown"],
      family_ids: ["unknown"],
      product: "A thing",
      category: null,
    });
    expect(await putReview({ order: { item: { id: null, family_id: "things" } } })).toMatchObject({
      product_ids: [],
      family_ids: ["things"],
      product: null,
    });
    expect(await verifySummaries(shop.id)).toEqual([]);
  });

  it("updates the verified buyer with its order: verified only with an order and a customer", async () => {
    expect(await putReview({ order: { id: null } })).toMatchObject({ order_id: null, verified_buyer: false });
    const id = uniqueName("order");
    expect(await putReview({ order: { id } })).toMatchObject({
      order_id: id,
      customer_id: first.customer_id,
      verified_buyer: true,
      category: "Lamps",
    });
    expect(await putReview({ order: { customer: null } })).toMatchObject({ customer_id: null, verified_buyer: false });
    expect(await putReview({ author: "Bo" })).toMatchObject({ order_id: id, customer_id: null, verified_buyer: false });
  });

  it("stores order fields of the review in the order", async () => {
    const item = { category: "Presents", properties: { colour: "oak" } };
    expect(await putReview({ order: { item, store_name: "Main street" } })).toMatchObject({ category: "Presents" });
    const read = async (id: unknown) => (await call(order, "GET", `/v1/orders/${id}`, { key: shop.key })).json.data;
    expect(await read(first.order_id)).toMatchObject({
      store_name: "Main street",
      customer: { id: first.customer_id, name: "Ada Berg", email: "ada@example.org" },
      items: [{ id: "lamp", ...item }],
    });
    const id = uniqueName("order");
    const customer = { id: uniqueName("c"), email: "bo@example.org" };
    expect(await putReview({ order: { id, customer } })).toMatchObject({
      order_id: id,
      customer_id: customer.id,
      author_email: "bo@example.org",
    });
    expect(await read(id)).toMatchObject({ customer, items: [{ id: "lamp" }] });
  });

  it("stores the old texts, who changed them and the resulting state", async () => {
    await putReview({ extract: "It broke.", score: 1, accepted: true });
    await putReview({ date: "2021-01-01" });
    await putReview({ extract: "It broke twice.", accepted: false, reject_reason: "profanity" });
    const by = { actor_kind: "key", actor_id: shop.keyId, reason: null };
    const texts = { author: "Ada", score: 4, title: "Fine", extract: "A fine lamp.", pros: ["light"], cons: ["cable"] };
    expect(await history()).toEqual([
      { ...by, action: "edited", from_state: "pending", to_state: "pending", texts },
      { ...by, action: "decided", from_state: "pending", to_state: "accepted", texts: null },
      { ...by, action: "edited", from_state: "accepted", to_state: "accepted", texts: null },
      {
        ...by,
        action: "edited",
        from_state: "accepted",
        to_state: "accepted",
        texts: { ...texts, score: 1, extract: "It broke." },
      },
      { ...by, action: "decided", from_state: "accepted", to_state: "rejected", reason: "profanity", texts: null },
    ]);
    expect(await outboxEvents()).toEqual([
      "review/updated",
      "review/decided",
      "review/updated",
      "review/updated",
      "review/decided",
    ]);
    expect(await verifySummaries(shop.id)).toEqual([]);
  });

  it("runs the rules on a pending review if its text changes or the API requests it", async () => {
    const moderatedShop = await aClient({ auto_moderate: true });
    const posted = await call(reviews, "POST", "/v1/reviews", {
      key: moderatedShop.key,
      body: { review: { author: "Ada", score: 4, order: { item: { id: "lamp" } } } },
    });
    const { id } = posted.json.data;
    const due = async () =>
      (await rowsOf("select 1 from outbox where name = 'moderation/due' and data->'ids' ? $1", [id])).length;
    const put = async (change: Input, sent: Parameters<typeof call>[3] = { key: moderatedShop.key }) => {
      const answer = await call(one, "PUT", `/v1/reviews/${id}`, { ...sent, body: { review: change } });
      expect(answer.status).toBe(200);
      return due();
    };
    expect(await due()).toBe(1);
    expect(await put({ extract: "New words." })).toBe(2);
    expect(await put({ extract: "New words." })).toBe(2);
    expect(await put({ date: "2020-01-01" })).toBe(2);
    expect(await put({ accepted: null })).toBe(3);
    expect(await put({ accepted: true, extract: "Accepted words." })).toBe(3);
    expect(await put({ extract: "Other words." })).toBe(3);
    expect(await put({ accepted: null, extract: "Pending words." })).toBe(4);
    // Edits and reopened items by people are left for moderation by people.
    const { basic } = await aUser("admin", { clients: [moderatedShop.id] });
    expect(await put({ extract: "A person's words." }, { basic })).toBe(4);
    expect(await put({ accepted: true }, { basic })).toBe(4);
    expect(await put({ accepted: null }, { basic })).toBe(4);
  });
});

describe("PUT /v1/reviews/{id}: images", () => {
  it("replaces the list: remaining images stay valid, removed ones are deleted", async () => {
    const [a, b, c] = [await anUpload(), await anUpload(), await anUpload()];
    const tokens = async (images: unknown) => (await putReview({ images })).images.map(({ token }) => token);
    expect(await tokens([a, b])).toEqual([a.token, b.token]);
    const { images } = await putReview({ author: "Bo" });
    expect(images).toHaveLength(2);
    expect(await tokens([{ token: b.token }, c])).toEqual([b.token, c.token]);
    const status = async (at: string) => (await call(image, "GET", pathOf(at))).status;
    expect(await Promise.all(images.map(({ icon }) => status(icon)))).toEqual([404, 200]);
    // A removed image can't be claimed again.
    expectIssues(await put({ images: [a] }), 422, ["review.images[0] invalid_field"]);
    expect(await tokens([c, b])).toEqual([c.token, b.token]);
    expect(await tokens(null)).toEqual([]);
    expect(await status(images[1]!.icon)).toBe(404);
    expect((await history()).map(({ action, texts }) => [action, texts?.author ?? null])).toEqual([
      ["edited", null],
      ["edited", "Ada"],
      ...Array(3).fill(["edited", null]),
    ]);
  });

  it("gives an upload to only one of two reviews that claim it concurrently", async () => {
    const upload = await anUpload();
    const others = await Promise.all(
      Array.from({ length: 5 }, () =>
        call(reviews, "POST", "/v1/reviews", {
          key: shop.key,
          body: { review: { author: "Bo", score: 3, order: { item: { id: "lamp" } } } },
        }),
      ),
    );
    const answers = await Promise.all(others.map(({ json }) => put({ images: [upload] }, undefined, json.data.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422]);
    for (const { status, json } of answers)
      if (status === 422)
        expect(json.errors.map(({ field }: { field: string }) => field)).toEqual(["review.images[0]"]);
  });
});

describe("PUT /v1/reviews/{id}: errors", () => {
  const f = (...fields: string[]) => fields.map((field) => `review.${field} invalid_field`);
  it.each<[name: string, change: Input, issues: string[]]>([
    ["nothing for an author", { author: null }, f("author")],
    ["a blank author", { author: " " }, f("author")],
    ["no stars", { score: null }, f("score")],
    ["no order at all", { order: null }, f("order")],
    ["nothing to be about", { order: { item: { id: null, family_id: null } } }, f("order.item.id")],
    ["a day to come", { date: "9999-12-31" }, f("date")],
    ["a language that is none", { lang: "x" }, f("lang")],
    ["an answer to nothing", { custom_questions: { nope: 1 } }, f("custom_questions.nope")],
    ["an upload of nobody", { images: [{ token: "none" }] }, f("images[0]")],
    ["a reason for a review that waits", { reject_reason: "spam" }, f("reject_reason")],
    ["a wish that is none", { notify: "yes" }, f("notify")],
    [
      "issues of every kind at once",
      {
        author: 1,
        date: "9999-12-31",
        custom_questions: { nope: 1 },
        images: [{ token: "none" }],
        reject_reason: "spam",
        order: { item: { id: null, family_id: null } },
      },
      f("author", "date", "custom_questions.nope", "images[0]", "reject_reason", "order.item.id"),
    ],
  ])("%s: reports every issue and changes nothing", async (_, change, issues) => {
    const before = await hashDatabase();
    expectIssues(await put({ extract: "Changed.", accepted: undefined, ...change }), 422, issues);
    expect(await hashDatabase()).toBe(before);
  });

  it("rejects another review's external_id, also concurrently", async () => {
    const other = uniqueName("old");
    const post = () =>
      call(reviews, "POST", "/v1/reviews", {
        key: shop.key,
        body: { review: { author: "Bo", score: 3, order: { item: { id: "lamp" } }, external_id: other } },
      });
    await post();
    const before = await hashDatabase();
    expectIssues(await put({ external_id: other, date: "9999-12-31" }), 422, f("external_id", "date"));
    expect(await hashDatabase()).toBe(before);

    const wanted = uniqueName("old");
    const { id } = (await post()).json.data;
    const answers = await Promise.all([put({ external_id: wanted }), put({ external_id: wanted }, undefined, id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expectIssues(answers.find(({ status }) => status === 422)!, 422, f("external_id"));
    // Ids of another client don't conflict.
    const elsewhere = await aClient();
    const { json } = await call(reviews, "POST", "/v1/reviews", {
      key: elsewhere.key,
      body: { review: { author: "Bo", score: 3, order: { item: { id: "lamp" } } } },
    });
    expect((await put({ external_id: wanted }, { key: elsewhere.key }, json.data.id)).status).toBe(200);
  });

  it("returns only issues of the body for a missing review", async () => {
    expectIssues(await put({ score: 9 }, undefined, "none"), 422, f("score"));
    expectIssues(await put({ score: 5 }, undefined, "none"), 404, ["null not_found"]);
    const stranger = await aClient();
    const before = await hashDatabase();
    expectIssues(await put({ score: 5 }, { key: stranger.key }), 404, ["null not_found"]);
    expect(await hashDatabase()).toBe(before);
  });

  it("lets moderators decide, but not edit", async () => {
    const { basic } = await aUser("moderator", { clients: [shop.id] });
    const before = await hashDatabase();
    for (const change of [{ extract: "Mine." }, { accepted: true, score: 5 }, { images: [] }, { external_id: null }])
      expectIssues(await put(change, { basic }), 403, ["null forbidden"]);
    expect(await hashDatabase()).toBe(before);
    expect((await put({ accepted: false, reject_reason: "spam", notify: true }, { basic })).status).toBe(200);
    const admin = await aUser("admin", { clients: [shop.id] });
    expect((await put({ extract: "Ours." }, { basic: admin.basic })).status).toBe(200);
  });
});

it("keeps an order's customer if it has changed", async () => {
  const customer = { id: uniqueName("c"), name: "Bo", email: "bo@example.org" };
  await anOrder(shop.id, { id: first.order_id as string, customer, items: [] });
  await putReview({ order: { item: { category: "Presents" } } });
  const { json } = await call(order, "GET", `/v1/orders/${first.order_id}`, { key: shop.key });
  expect(json.data.customer).toMatchObject(customer);
});
