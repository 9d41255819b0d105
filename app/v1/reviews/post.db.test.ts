import { beforeAll, describe, expect, it } from "vitest";
import { POST as uploadImage } from "@/app/uploader/route";
import * as order from "@/app/v1/orders/[id]/route";
import * as one from "@/app/v1/reviews/[id]/route";
import * as reviews from "@/app/v1/reviews/route";
import { verifySummaries } from "@/lib/catalog/summaries/verify-summaries";
import { rejectReasons } from "@/lib/reviews/decisions/schema";
import type { Review } from "@/lib/reviews/reviews/schema";
import { setClient } from "@/lib/settings/set-client";
import { call, withoutImageSignatures } from "@/lib/tools/test/call";
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
beforeAll(async () => {
  shop = await aClient({
    custom_questions: [
      { id: "q1", name: "fit", type: "select", required: true, options: ["small", "large"].map(option), label: {} },
      { id: "q2", name: "uses", type: "select", multiple: true, options: ["day", "night"].map(option), label: {} },
      { id: "comfort", type: "score", label: {} },
      { id: "use", type: "text", label: {} },
    ],
  });
  await someProducts(shop.id, [
    { id: "lamp", family_id: "lamps", name: "Oak lamp", category: "Lamps > Table", url: "https://shop.example/lamp" },
    { id: "desk", family_id: "desks", name: "Desk", category: "Desks" },
  ]);
});
const option = (id: string) => ({ id, label: {} });

const orderInput = (item: Input = { id: "lamp" }, more: Input = {}) => ({ item, ...more });
const reviewInput = (more: Input = {}): Input => ({ order: orderInput(), author: "Ada", score: 4, ...more });
const post = (review: unknown, client = shop) =>
  call(reviews, "POST", "/v1/reviews", { key: client.key, body: { review } });
async function postReview(review: Input, client = shop, status = 201): Promise<Review> {
  const answer = await post(review, client);
  expect({ status: answer.status, errors: answer.json.errors }).toEqual({ status, errors: undefined });
  const read = await call(one, "GET", `/v1/reviews/${answer.json.data.id}`, { key: client.key });
  expect(withoutImageSignatures(read)).toEqual(withoutImageSignatures(answer));
  return answer.json.data;
}
const rowOf = async (id: string) => (await rowsOf("select * from reviews where id = $1", [id]))[0];
const history = (id: string) =>
  rowsOf(
    "select actor_kind, actor_id, action, from_state, to_state, reason, texts from moderation_events where subject_id = $1 order by id",
    [id],
  );
const outboxEvents = (id: string) =>
  rowsOf("select name, data from outbox where data->>'review_id' = $1 order by id", [id]);
const anUpload = (client = shop) => aPicture(uploadImage, client);

describe("POST /v1/reviews: a new review", () => {
  it("requires few fields", async () => {
    const review = await postReview(reviewInput());
    const today = new Date().toISOString().slice(0, 10);
    expect(review).toMatchObject({
      external_id: null,
      type: "customer",
      author: "Ada",
      score: 4,
      score_max: 5,
      date: today,
      extract: "",
      pros: [],
      cons: [],
      lang: "en",
      verified_buyer: false,
      product: "Oak lamp",
      product_ids: ["lamp"],
      family_ids: ["lamps"],
      images: [],
      properties: {},
      responses: [],
      order_id: null,
      customer_id: null,
      category: null,
      accepted: null,
      accepted_at: null,
      reject_reason: null,
      verified_email: false,
      author_email: null,
    });
    expect(await rowOf(review.id)).toMatchObject({ source: "api", product_url: "https://shop.example/lamp" });
  });

  it("stores every field", async () => {
    const image = await anUpload();
    const sent = {
      external_id: "old 1/ä",
      order: {
        id: uniqueName("order"),
        customer: { id: uniqueName("c"), name: "Ada Berg", email: " Ada@Example.org " },
        item: { id: "lamp", family_id: "ignored: the catalog takes precedence", category: "Gifts", name: "My lamp" },
      },
      author: "Ada ✨",
      score: 2,
      date: "2019-02-28",
      title: "Fine",
      extract: "A fine lamp for reading at night, says everybody in my family.\n",
      pros: [" light ", "", "oak"],
      cons: ["cable"],
      recommended: false,
      images: [image],
      custom_questions: { fit: "small", q2: ["day", "night", "day"], comfort: 5, use: "Reading" },
      accepted: false,
      reject_reason: "price",
      unknown: "is left alone",
    };
    const review = await postReview(sent);
    expect(review).toMatchObject({
      external_id: "old 1/ä",
      author: "Ada ✨",
      score: 2,
      date: "2019-02-28",
      extract: sent.extract,
      pros: ["light", "oak"],
      cons: ["cable"],
      lang: "en",
      verified_buyer: true,
      product: "My lamp",
      product_ids: ["lamp"],
      family_ids: ["lamps"],
      properties: {
        title: "Fine",
        recommended: false,
        fit: "small",
        uses: ["day", "night"],
        comfort: 5,
        use: "Reading",
      },
      order_id: sent.order.id,
      customer_id: sent.order.customer.id,
      category: "Gifts",
      accepted: false,
      accepted_at: null,
      reject_reason: "price",
      verified_email: false,
      author_email: " Ada@Example.org ",
    });
    expect(review).not.toHaveProperty("unknown");
    expect(review.images).toMatchObject([{ token: image.token, format: "png", width: 30, height: 20 }]);
    expect(await rowOf(review.id)).toMatchObject({ email_key: "ada@example.org", source: "api" });
  });

  it("has the documented defaults for null or blank fields", async () => {
    const nothing = {
      external_id: null,
      author_email: "",
      date: "",
      title: " ",
      extract: null,
      pros: null,
      cons: null,
    };
    const more = { recommended: null, lang: null, images: null, custom_questions: null, reject_reason: null };
    const {
      id: _,
      updated_at,
      portal_url,
      ...review
    } = await postReview(reviewInput({ ...nothing, ...more, accepted: null }));
    const { id, updated_at: at, portal_url: url, ...minimalReview } = await postReview(reviewInput());
    expect(review).toEqual(minimalReview);
  });

  it.each([
    ["extract", 60_000, (value: string) => ({ extract: value })],
    ["author", 255, (value: string) => ({ author: value })],
    ["title", 255, (value: string) => ({ title: value })],
    ["external_id", 255, (value: string) => ({ external_id: value })],
    ["pros[0]", 2_000, (value: string) => ({ pros: [value] })],
    ["cons[1]", 2_000, (value: string) => ({ cons: ["x", value] })],
    ["custom_questions.use", 2_000, (value: string) => ({ custom_questions: { use: value } })],
    ["order.item.id", 255, (value: string) => ({ order: orderInput({ id: value }) })],
    ["order.item.family_id", 255, (value: string) => ({ order: orderInput({ family_id: value }) })],
    ["order.item.name", 1_000, (value: string) => ({ order: orderInput({ id: "lamp", name: value }) })],
    ["order.item.category", 1_000, (value: string) => ({ order: orderInput({ id: "lamp", category: value }) })],
    ["order.id", 255, (value: string) => ({ order: orderInput({ id: "lamp" }, { id: value }) })],
    ["order.customer.id", 255, (value: string) => ({ order: orderInput({ id: "lamp" }, { customer: { id: value } }) })],
  ])("%s accepts %i characters of any kind, and not one more", async (field, most, review) => {
    for (const character of ["x", "ä", "💡"]) {
      // Ends with unique characters: some of these must be new each time.
      const text = character.repeat(most - 12) + uniqueName("!").padStart(12, "-");
      await postReview(reviewInput(review(text)));
      const before = await hashDatabase();
      expectIssues(await post(reviewInput(review(`${text}💡`))), 422, [`review.${field} invalid_field`]);
      expect(await hashDatabase()).toBe(before);
    }
  });

  it("accepts a family instead of a product, and an unknown product", async () => {
    expect(await postReview(reviewInput({ order: orderInput({ family_id: "lamps" }) }))).toMatchObject({
      product_ids: [],
      family_ids: ["lamps"],
      product: null,
    });
    const unknown = { id: "nobody-knows", name: "A thing", family_id: "things" };
    expect(await postReview(reviewInput({ order: orderInput(unknown) }))).toMatchObject({
      product_ids: ["nobody-knows"],
      family_ids: ["things"],
      product: "A thing",
      category: null,
    });
  });

  it("is from a verified buyer only with an order and a customer", async () => {
    const id = uniqueName("order");
    const buyer = { customer: { id: uniqueName("c") } };
    const seen = async (more: Input) => {
      const { verified_buyer, order_id, customer_id } = await postReview(
        reviewInput({ order: orderInput({ id: "lamp" }, more) }),
      );
      return [verified_buyer, order_id, customer_id];
    };
    expect(await seen({ id, ...buyer })).toEqual([true, id, buyer.customer.id]);
    expect(await seen({ id })).toEqual([false, id, null]);
    expect(await seen(buyer)).toEqual([false, null, buyer.customer.id]);
    const [bo] = [{ id: uniqueName("c"), name: "Bo", email: "bo@example.org" }];
    expect(await seen({ customer: bo })).toEqual([false, null, bo.id]);
    expect(await rowsOf("select id, name, email from customers where id = $1", [bo.id])).toEqual([bo]);
    expect(await seen({ id: " ", customer: null })).toEqual([false, null, null]);
    const claimed = await postReview(reviewInput({ verified_buyer: true, verified_email: true, votes_up: 9 }));
    expect(claimed).toMatchObject({ verified_buyer: false, verified_email: false, votes_up: 0 });
  });

  it("says if its author was offered something, and has the label only then", async () => {
    expect(await postReview(reviewInput({ incentivized: true }))).toMatchObject({ incentivized: true });
    for (const more of [{}, { incentivized: false }])
      expect(await postReview(reviewInput(more))).not.toHaveProperty("incentivized");
    // The store's offer is for its forms.
    const offering = await aClient();
    await setClient(offering.id, { config: { incentive: "A voucher" } });
    expect(await postReview(reviewInput(), offering)).not.toHaveProperty("incentivized");
  });

  it("stores its order like any other, with the item's fields, and sends no invitation", async () => {
    const id = uniqueName("order");
    const customer = {
      id: uniqueName("c"),
      name: "Ada Berg",
      email: "ada@example.org",
      phone: "1",
      lang: "sv",
      opt_out: true,
    };
    const item = { id: "desk", category: "Gifts", properties: { colour: "oak" }, delivery_date: "2026-03-01" };
    const review = await postReview(reviewInput({ order: { id, customer, item, store_name: "Main street" } }));
    const { json } = await call(order, "GET", `/v1/orders/${id}`, { key: shop.key });
    expect(json.data).toMatchObject({ id, customer, store_name: "Main street" });
    expect(json.data.items).toMatchObject([{ ...item, family_id: "desks", name: "Desk", reviewable: true }]);
    expect((await outboxEvents(review.id)).map(({ name }) => name)).toEqual(["review/created"]);
    expect(await rowsOf("select 1 from outbox where data->>'order_id' = $1", [id])).toEqual([]);
    expect(await rowsOf("select 1 from mails")).toEqual([]);
  });

  it("uses existing details of the order and its customer", async () => {
    const buyer = { id: uniqueName("c"), name: "Ada", email: "Ada@Example.org" };
    const stored = await anOrder(shop.id, {
      id: uniqueName("order"),
      customer: buyer,
      items: [{ id: "no-product", name: "Special lamp", category: "Specials", family_id: "specials" }],
    });
    const place = { id: stored.id, customer: { id: buyer.id } };
    expect(await postReview(reviewInput({ order: orderInput({ id: "no-product" }, place) }))).toMatchObject({
      product: "Special lamp",
      category: "Specials",
      family_ids: ["specials"],
      author_email: "Ada@Example.org",
    });
    const own = reviewInput({ order: orderInput({ id: "lamp" }, place), author_email: "own@example.org" });
    expect(await postReview(own)).toMatchObject({ author_email: "own@example.org", category: "Lamps > Table" });
    const { json } = await call(order, "GET", `/v1/orders/${stored.id}`, { key: shop.key });
    expect(json.data.items.map(({ id }: { id: string }) => id)).toEqual(["no-product", "lamp"]);
    expect(json.data.customer).toMatchObject(buyer);
  });

  it("detects the language, or uses the given one", async () => {
    const langOf = async (more: Input) => (await postReview(reviewInput(more))).lang;
    expect(await langOf({ extract: "Eine schöne Lampe, die abends sehr warmes Licht gibt." })).toBe("de");
    expect(await langOf({ pros: ["Une très belle lampe pour lire le soir dans le salon"] })).toBe("fr");
    expect(await langOf({ extract: "Eine schöne Lampe, die abends warmes Licht gibt.", lang: "pt-BR" })).toBe("pt-BR");
    expect(await langOf({ extract: "ok" })).toBe("en");
    const swedish = await aClient({ locale: "sv_SE" });
    expect((await postReview(reviewInput(), swedish)).lang).toBe("sv");
  });

  it("gets the date of the client's time zone, at most tomorrow", async () => {
    for (const zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      const far = await aClient({ config: { time_zone: zone } });
      const day = (ahead: number) =>
        new Date(Date.now() + ahead * 86_400_000).toLocaleDateString("en-CA", { timeZone: zone });
      expect((await postReview(reviewInput(), far)).date).toBe(day(0));
      expect((await postReview(reviewInput({ date: day(1) }), far)).date).toBe(day(1));
      expectIssues(await post(reviewInput({ date: day(2) }), far), 422, ["review.date invalid_field"]);
    }
    expect((await postReview(reviewInput({ date: "0001-01-01" }))).date).toBe("0001-01-01");
  });

  it("accepts answers that the store's forms no longer ask for", async () => {
    const terse = await aClient({
      collect_pros_cons: false,
      collect_recommended: false,
      min_review_words: 50,
      require_verification: true,
    });
    const review = await postReview(reviewInput({ pros: ["a"], recommended: true, extract: "Short." }), terse);
    expect(review).toMatchObject({ pros: ["a"], properties: { recommended: true }, extract: "Short." });
  });

  it("creates a second review if posted again without an external_id", async () => {
    expect((await postReview(reviewInput())).id).not.toBe((await postReview(reviewInput())).id);
  });
});

describe("POST /v1/reviews: states", () => {
  const by = { actor_kind: "key", texts: null };
  it.each([
    [{}, { accepted: null, reject_reason: null }],
    [{ accepted: null }, { accepted: null, reject_reason: null }],
    [{ accepted: true }, { accepted: true, reject_reason: null }],
    [
      { accepted: true, reject_reason: null },
      { accepted: true, reject_reason: null },
    ],
    [{ accepted: false }, { accepted: false, reject_reason: "unspecified" }],
    [
      { accepted: false, reject_reason: "spam" },
      { accepted: false, reject_reason: "spam" },
    ],
  ])("%j results in %j", async (sent, shown) => {
    const review = await postReview(reviewInput(sent));
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(review).toMatchObject({ ...shown, accepted_at: shown.accepted ? moment : null });
    expect((await rowOf(review.id)).decided_at !== null).toBe(shown.accepted !== null);
    const actor_id = shop.keyId;
    const to = shown.accepted === null ? null : shown.accepted ? "accepted" : "rejected";
    const decided = {
      ...by,
      actor_id,
      action: "decided",
      from_state: "pending",
      to_state: to,
      reason: shown.reject_reason,
    };
    expect(await history(review.id)).toEqual([
      { ...by, actor_id, action: "submitted", from_state: null, to_state: "pending", reason: null },
      ...(to ? [decided] : []),
    ]);
    const ids = { client_id: shop.id, review_id: review.id };
    expect(await outboxEvents(review.id)).toEqual([
      { name: "review/created", data: ids },
      ...(to ? [{ name: "review/decided", data: { ...ids, from: "pending", to, notify: false } }] : []),
    ]);
  });

  it.each(rejectReasons)("accepts the reason %s", async (reject_reason) => {
    expect((await postReview(reviewInput({ accepted: false, reject_reason }))).reject_reason).toBe(reject_reason);
  });

  it("runs the client's rules on pending reviews only", async () => {
    const ruled = await aClient({ auto_moderate: true });
    const { id } = await postReview(reviewInput(), ruled);
    await postReview(reviewInput({ accepted: true }), ruled);
    await postReview(reviewInput({ accepted: false }), ruled);
    const due = await rowsOf("select data from outbox where name = 'moderation/due' and client_id = $1", [ruled.id]);
    expect(due).toEqual([{ data: { client_id: ruled.id, kind: "review", ids: [id] } }]);
  });

  it("counts accepted reviews only", async () => {
    const own = await aClient();
    for (const accepted of [true, false, null, true])
      await postReview(reviewInput({ accepted, order: orderInput({ id: "x" }) }), own);
    expect(await rowsOf("select count, sum from product_summaries where client_id = $1", [own.id])).toEqual([
      { count: 2, sum: 8 },
    ]);
    expect(await verifySummaries(own.id)).toEqual([]);
  });
});

describe("POST /v1/reviews: an existing external_id", () => {
  it("updates that review and keeps omitted fields", async () => {
    const external_id = uniqueName("old");
    const customer = { id: uniqueName("c"), email: "ada@example.org" };
    const full = {
      external_id,
      order: { id: uniqueName("order"), customer, item: { id: "lamp", category: "Gifts" } },
      title: "Fine",
      extract: "A fine lamp.",
      pros: ["light"],
      cons: ["cable"],
      recommended: true,
      lang: "sv",
      date: "2020-01-01",
      custom_questions: { comfort: 4 },
      images: [await anUpload()],
      accepted: true,
    };
    const first = await postReview(reviewInput(full));
    expect(await postReview({ external_id }, shop, 200)).toEqual(first);
    const { updated_at, ...second } = await postReview({ external_id, score: 1 }, shop, 200);
    expect({ ...second, updated_at: first.updated_at }).toEqual({ ...first, score: 1 });
    expect(await postReview({ external_id, extract: null, pros: [], recommended: null }, shop, 200)).toMatchObject({
      extract: "",
      pros: [],
      cons: ["cable"],
      properties: { title: "Fine", comfort: 4 },
      accepted: true,
    });
    expect(await rowsOf("select 1 from reviews where external_id = $1", [external_id])).toHaveLength(1);
  });

  it("changes nothing if the same review is posted again, with images too", async () => {
    const review = reviewInput({
      external_id: uniqueName("old"),
      extract: "Good.",
      pros: ["light "],
      images: [await anUpload(), await anUpload()],
      custom_questions: { q1: "small", q2: ["day"] },
      accepted: true,
      order: {
        id: uniqueName("order"),
        customer: { id: uniqueName("c"), email: "a@example.org" },
        item: { id: "lamp" },
      },
    });
    const first = await postReview(review);
    const before = await hashDatabase();
    expect(await postReview(review, shop, 200)).toEqual(first);
    expect(await hashDatabase()).toBe(before);
  });

  it("creates another review for another client", async () => {
    const other = await aClient();
    const external_id = uniqueName("old");
    const first = await postReview(reviewInput({ external_id }));
    const second = await postReview(reviewInput({ external_id }), other);
    expect(second.id).not.toBe(first.id);
    await postReview({ external_id, score: 1 }, other, 200);
    const read = await call(one, "GET", `/v1/reviews/${first.id}`, { key: shop.key });
    expect(read.json.data.score).toBe(4);
  });

  it("stores the old texts and who changed them", async () => {
    const external_id = uniqueName("old");
    const { id } = await postReview(reviewInput({ external_id, extract: "Before.", pros: ["a"] }));
    await postReview({ external_id, extract: "After.", accepted: true }, shop, 200);
    await postReview({ external_id, date: "2020-01-01" }, shop, 200);
    const texts = { author: "Ada", score: 4, title: null, extract: "Before.", pros: ["a"], cons: [] };
    const edited = { actor_kind: "key", actor_id: shop.keyId, action: "edited", reason: null };
    expect((await history(id)).slice(1)).toEqual([
      { ...edited, from_state: "pending", to_state: "pending", texts },
      { ...edited, action: "decided", from_state: "pending", to_state: "accepted", texts: null },
      { ...edited, from_state: "accepted", to_state: "accepted", texts: null },
    ]);
    expect((await outboxEvents(id)).map(({ name }) => name)).toEqual([
      "review/created",
      "review/updated",
      "review/decided",
      "review/updated",
    ]);
  });

  it("creates one review for concurrent posts", async () => {
    for (let round = 0; round < 5; round += 1) {
      const external_id = uniqueName("old");
      const order = { id: uniqueName("order"), customer: { id: uniqueName("c") }, item: { id: "lamp" } };
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) => post(reviewInput({ external_id, score: 1 + (index % 5), order }))),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(11).fill(200), 201]);
      expect(new Set(answers.map(({ json }) => json.data.id)).size).toBe(1);
      answers.forEach(({ json }, index) => {
        expect(json.data.score).toBe(1 + (index % 5));
      });
      const rows = await rowsOf("select score from reviews where client_id = $1 and external_id = $2", [
        shop.id,
        external_id,
      ]);
      expect(rows).toHaveLength(1);
    }
  });

  it("stores each of many concurrent reviews, with shared customers and orders", async () => {
    const own = await aClient();
    await someProducts(
      own.id,
      Array.from({ length: 5 }, (_, index) => ({ id: `p${index}` })),
    );
    const at = (index: number) => ({
      order: {
        id: `o${index % 7}`,
        customer: { id: `c${index % 7}`, name: `Name ${index % 7}`, email: `c${index % 7}@example.org` },
        item: { id: `p${index % 5}` },
      },
      external_id: `e${index % 50}`,
      accepted: index % 2 === 0,
    });
    const answers = await Promise.all(Array.from({ length: 70 }, (_, index) => post(reviewInput(at(index)), own)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(20).fill(200), ...Array(50).fill(201)]);
    answers.forEach(({ json }, index) => {
      const { order, external_id } = at(index);
      const shown = { external_id, order_id: order.id, customer_id: order.customer.id, product_ids: [order.item.id] };
      expect(json.data).toMatchObject({ ...shown, verified_buyer: true, author_email: order.customer.email });
    });
    const [{ orders, items, customers }] = await rowsOf(
      `select (select count(*)::int from orders where client_id = $1) as orders,
              (select count(*)::int from order_items where client_id = $1) as items,
              (select count(*)::int from customers where client_id = $1) as customers`,
      [own.id],
    );
    expect({ orders, items, customers }).toEqual({ orders: 7, items: 35, customers: 7 });
    expect(await verifySummaries(own.id)).toEqual([]);
  });

  it("creates one review per Idempotency-Key, also among other concurrent posts", async () => {
    const again = (key: string, review: Input) =>
      call(reviews, "POST", "/v1/reviews", { key: shop.key, headers: { "Idempotency-Key": key }, body: { review } });
    const order = { id: uniqueName("order"), customer: { id: uniqueName("c") }, item: { id: "lamp" } };
    const review = reviewInput({ order, images: [await anUpload()] });
    const key = uniqueName("key");
    const first = await again(key, review);
    const second = await again(key, review);
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    expect((await again(key, { ...review, score: 1 })).status).toBe(422);
    const external_id = uniqueName("old");
    const answers = await Promise.all(
      [0, 1, 2].map((index) => again(uniqueName("key"), reviewInput({ external_id, score: index + 1, order }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect((await again(uniqueName("key"), reviewInput({ score: 9 }))).status).toBe(422);
  });

  it("succeeds during concurrent deletions and updates of the same review", async () => {
    const own = await aClient();
    const external_id = uniqueName("old");
    const find = async () => (await rowsOf("select id from reviews where external_id = $1", [external_id]))[0]?.id;
    const hand = async (index: number) => {
      for (let turn = 0; turn < 8; turn += 1) {
        if (index % 3 === 0) {
          const { status } = await post(reviewInput({ external_id, score: 1 + (turn % 5), accepted: true }), own);
          expect([200, 201]).toContain(status);
        } else {
          const [method, body] = index % 3 === 1 ? (["DELETE"] as const) : (["PUT", { review: { score: 3 } }] as const);
          const { status } = await call(one, method, `/v1/reviews/${(await find()) ?? "none"}`, { key: own.key, body });
          expect([method === "PUT" ? 200 : 204, 404]).toContain(status);
        }
      }
    };
    await Promise.all(Array.from({ length: 6 }, (_, index) => hand(index)));
    expect(await verifySummaries(own.id)).toEqual([]);
    const left = await rowsOf("select id from reviews where client_id = $1", [own.id]);
    const last = await rowsOf(
      `select distinct on (subject_id) subject_id, action from moderation_events where client_id = $1 and kind <> 'store' order by subject_id, id desc`,
      [own.id],
    );
    expect(last.filter(({ action }) => action !== "deleted").map(({ subject_id }) => subject_id)).toEqual(
      left.map(({ id }) => id),
    );
  });
});

describe("POST /v1/reviews: images", () => {
  it("claims each upload once", async () => {
    const image = await anUpload();
    const first = await postReview(reviewInput({ images: [{ token: image.token }] }));
    expect(first.images).toHaveLength(1);
    const before = await hashDatabase();
    expectIssues(await post(reviewInput({ images: [image] })), 422, ["review.images[0] invalid_field"]);
    expect(await hashDatabase()).toBe(before);
    const many = await anUpload();
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(reviewInput({ images: [many] }))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422]);
  });

  it("rejects tokens that aren't the client's, are repeated, or are too many", async () => {
    const foreign = await anUpload(await aClient());
    const image = await anUpload();
    const before = await hashDatabase();
    expectIssues(await post(reviewInput({ images: [foreign, image, image, { token: "none" }] })), 422, [
      "review.images[0] invalid_field",
      "review.images[2] invalid_field",
      "review.images[3] invalid_field",
    ]);
    expectIssues(await post(reviewInput({ images: Array(11).fill(image) })), 422, ["review.images invalid_field"]);
    expectIssues(await post(reviewInput({ images: [image.token, {}, { token: 1 }] })), 422, [
      "review.images[0] invalid_field",
      "review.images[1].token invalid_field",
      "review.images[2].token invalid_field",
    ]);
    expect(await hashDatabase()).toBe(before);
    expect((await postReview(reviewInput({ images: [image] }))).images).toHaveLength(1);
  });
});

describe("POST /v1/reviews: bad input", () => {
  const f = (...fields: string[]) => fields.map((field) => `${field} invalid_field`);
  const requiredFields = ["review.order", "review.author", "review.score"];
  const table: [name: string, body: unknown, issues: string[]][] = [
    ["nothing", null, f("null")],
    ["a list", [], f("null")],
    ["no review", {}, f("review")],
    ["a review that is none", { review: "x" }, f("review")],
    ["an empty review", { review: {} }, f(...requiredFields)],
    ["an external_id that is new, and nothing else", { review: { external_id: "brand-new" } }, f(...requiredFields)],
    ["nulls for what a review must have", { review: { order: null, author: null, score: null } }, f(...requiredFields)],
    ["an order without an item", { review: reviewInput({ order: {} }) }, f("review.order.item")],
    ["an item without an id", { review: reviewInput({ order: orderInput({ id: " " }) }) }, f("review.order.item.id")],
    [
      "an order that is none",
      { review: reviewInput({ order: { id: 1.5, customer: {}, item: [], store_name: {} } }) },
      f("review.order.id", "review.order.customer.id", "review.order.item", "review.order.store_name"),
    ],
    [
      "wrong types in the item",
      {
        review: reviewInput({
          order: orderInput({
            id: 1.5,
            family_id: 2.5,
            name: 3,
            category: 4,
            url: "x",
            image_url: 5,
            delivery_date: "2026-02-30",
            reviewable: "yes",
            properties: [],
          }),
        }),
      },
      f(
        ..."id family_id name category url image_url delivery_date reviewable properties"
          .split(" ")
          .map((name) => `review.order.item.${name}`),
      ),
    ],
    [
      "wrong types of the customer",
      {
        review: reviewInput({
          order: orderInput(
            { id: "lamp" },
            { customer: { id: 1.5, name: 2, email: "ada", phone: 3, lang: 4, opt_out: 5 } },
          ),
        }),
      },
      f(..."id name email phone lang opt_out".split(" ").map((name) => `review.order.customer.${name}`)),
    ],
    [
      "wrong types",
      {
        review: reviewInput({
          external_id: 1,
          author: 2,
          author_email: "ada",
          score: "5",
          date: 3,
          title: [],
          extract: {},
          pros: "light",
          cons: [1, null],
          recommended: "yes",
          lang: "english please",
          images: {},
          custom_questions: [],
          accepted: "true",
          reject_reason: 1,
        }),
      },
      f(
        ..."external_id author author_email score date title extract pros cons[0] cons[1] recommended lang images custom_questions accepted reject_reason"
          .split(" ")
          .map((name) => `review.${name}`),
      ),
    ],
    ["a blank author", { review: reviewInput({ author: " \n" }) }, f("review.author")],
    [
      "too many points",
      { review: reviewInput({ pros: Array(101).fill("x"), cons: Array(101).fill("x") }) },
      f("review.pros", "review.cons"),
    ],
    ["a day that does not exist", { review: reviewInput({ date: "2025-02-29" }) }, f("review.date")],
    ["a day to come", { review: reviewInput({ date: "9999-12-31" }) }, f("review.date")],
    ["a reason for nothing", { review: reviewInput({ reject_reason: "spam" }) }, f("review.reject_reason")],
    [
      "a reason for accepting",
      { review: reviewInput({ accepted: true, reject_reason: "spam" }) },
      f("review.reject_reason"),
    ],
    [
      "a reason for waiting",
      { review: reviewInput({ accepted: null, reject_reason: "spam" }) },
      f("review.reject_reason"),
    ],
    [
      "a reason of one's own",
      { review: reviewInput({ accepted: false, reject_reason: "because" }) },
      f("review.reject_reason"),
    ],
    [
      "answers to nothing",
      {
        review: reviewInput({
          custom_questions: { nope: 1, fit: "medium", q2: ["day", 1], comfort: 6, use: 7, __proto__: 1, toString: 2 },
        }),
      },
      f(..."nope fit q2 comfort use toString".split(" ").map((name) => `review.custom_questions.${name}`)),
    ],
    [
      "an answer given twice",
      { review: reviewInput({ custom_questions: { q1: "small", fit: "large" } }) },
      f("review.custom_questions.fit"),
    ],
    [
      "issues of every kind at once",
      {
        review: {
          external_id: "brand-new",
          author: 1,
          date: "9999-12-31",
          custom_questions: { nope: 1 },
          images: [{ token: "none" }],
          reject_reason: "spam",
        },
      },
      f(
        "review.author",
        "review.order",
        "review.score",
        "review.date",
        "review.custom_questions.nope",
        "review.images[0]",
        "review.reject_reason",
      ),
    ],
    [
      "what the database cannot keep",
      '{"review":{"author":"a\\u0000","score":5,"extract":"\\ud83d","title":1,"order":{"item":{"id":"x"}}}}',
      f("review.author", "review.extract", "review.title"),
    ],
  ];
  for (const score of [0, 6, -1, 4.5, true, [5], 1e9])
    table.push([`${JSON.stringify(score)} stars`, { review: reviewInput({ score }) }, f("review.score")]);

  it.each(table)("%s: reports every issue and changes nothing", async (_, body, issues) => {
    const before = await hashDatabase();
    expectIssues(
      await call(reviews, "POST", "/v1/reviews", { key: shop.key, body: body === null ? "null" : body }),
      422,
      issues,
    );
    expect(await hashDatabase()).toBe(before);
  });

  it("considers stored values when reporting the issues of an update", async () => {
    const external_id = uniqueName("old");
    const image = await anUpload();
    await postReview(reviewInput({ external_id, images: [image] }));
    const before = await hashDatabase();
    const bad = { external_id, date: "9999-12-31", images: [image, { token: "none" }], reject_reason: "spam" };
    expectIssues(await post(bad), 422, f("review.date", "review.images[1]", "review.reject_reason"));
    expectIssues(await post({ ...bad, score: 9, order: { item: { id: null, family_id: null } } }), 422, [
      ...f("review.date", "review.images[1]", "review.reject_reason", "review.score", "review.order.item.id"),
    ]);
    expect(await hashDatabase()).toBe(before);
  });

  it("requires an admin", async () => {
    for (const role of ["viewer", "moderator"] as const) {
      const { basic } = await aUser(role, { clients: [shop.id] });
      const before = await hashDatabase();
      const answer = await call(reviews, "POST", "/v1/reviews", { basic, body: { review: reviewInput() } });
      expectIssues(answer, 403, ["null forbidden"]);
      expect(await hashDatabase()).toBe(before);
    }
    const { basic } = await aUser("admin", { clients: [shop.id] });
    expect((await call(reviews, "POST", "/v1/reviews", { basic, body: { review: reviewInput() } })).status).toBe(201);
  });
});
