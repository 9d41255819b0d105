import { beforeEach, describe, expect, it } from "vitest";
import { POST as collect, GET as collectGet, OPTIONS as preflight } from "@/app/collect/reviews/route";
import { POST as upload } from "@/app/uploader/route";
import { getClient } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import type { ReviewSubmission } from "@/lib/reviews/reviews/rules";
import { submitReview } from "@/lib/reviews/reviews/submit-review";
import type { UploadResult } from "@/lib/reviews/uploads/schema";
import {
  aPicture,
  countOf,
  makeClient,
  makeProduct,
  postJson,
  statusAndFields,
} from "@/lib/tools/test/collection-rows";
import { emptyDatabase } from "@/lib/tools/test/database";

let shop = "";
let made = 0;
// Each test has its own client, since settings are cached for a second.
const freshShop = async (settings: Record<string, unknown> = {}) => {
  shop = await makeClient(`shop-${++made}.example`, settings);
};
beforeEach(async () => {
  await emptyDatabase();
  await freshShop();
});

const review = (more: Record<string, unknown> = {}) => ({
  client_id: shop,
  api_key: `pk_${shop}`,
  product_id: "P-1",
  author: "Ann",
  score: 4,
  content: "A fine lamp for reading at night.",
  ...more,
});
const post = (body: unknown, headers?: Record<string, string>) => postJson(collect, "/collect/reviews", body, headers);
const rows = async () => (await pool().query("select * from reviews order by created_at, id")).rows;
const uploaded = () => aPicture(upload, { id: shop, publicKey: `pk_${shop}` });

describe("POST /collect/reviews", () => {
  it("stores every field and returns the posted fields without the key", async () => {
    const image = await uploaded();
    const body = review({
      product_site_id: "F-1",
      product_name: "Lamp",
      product_url: "https://shop.example/lamp",
      author_email: " Ann@Example.org ",
      author_ip: "203.0.113.9",
      title: "Bright",
      pros: ["light"],
      cons: ["cable"],
      recommended: true,
      images: [image],
      lang: "en",
      terms: true,
    });
    const response = await post(body);
    const { api_key: _, ...echo } = body as Record<string, unknown>;
    expect([response.status, await response.json()]).toEqual([201, echo]);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const [row] = await rows();
    expect(row).toMatchObject({
      client_id: shop,
      source: "collect",
      product_id: "P-1",
      family_id: "F-1",
      product_name: "Lamp",
      author_email: " Ann@Example.org ",
      email_key: "ann@example.org",
      author_ip: "203.0.113.9",
      score: 4,
      title: "Bright",
      extract: "A fine lamp for reading at night.",
      pros: ["light"],
      cons: ["cable"],
      recommended: true,
      lang: "en",
      category: null,
      order_id: null,
      verified_buyer: false,
      verified_email: false,
      accepted: null,
    });
    expect(row.images).toEqual([expect.objectContaining(image)]);
    expect(row.terms_agreed_at).toBeInstanceOf(Date);
    expect(JSON.parse(`${row.body}}`)).toMatchObject({ extract: body.content, accepted: null });
    expect((await pool().query("select subject_id, action, to_state from moderation_events")).rows).toEqual([
      { subject_id: row.id, action: "submitted", to_state: "pending" },
    ]);
    expect((await pool().query("select client_id, name, data from outbox")).rows).toEqual([
      { client_id: shop, name: "review/submitted", data: { client_id: shop, review_id: row.id } },
    ]);
  });

  it("adds catalog details, with families from the catalog", async () => {
    await makeProduct(shop, "P-1", { family: "F-9", name: "Desk lamp", category: "Lamps" });
    await post(review({ product_site_id: "F-1" }));
    await post(review({ product_name: "My own name", author: "Bo" }));
    expect((await rows()).map((row) => [row.family_id, row.product_name, row.category])).toEqual([
      ["F-9", "Desk lamp", null],
      ["F-9", "My own name", null],
    ]);
  });

  it("detects the language if it is certain", async () => {
    await post(review({ content: "Mycket bra lampa, jag är väldigt nöjd med köpet." }));
    await post(review({ content: "ok", author: "Bo" }));
    expect((await rows()).map((row) => row.lang)).toEqual(["sv", "en"]);
  });

  it("ignores fields the client doesn't collect, and unknown ones", async () => {
    await freshShop({ collect_pros_cons: false, collect_recommended: false });
    const response = await post(review({ pros: ["a"], cons: ["b"], recommended: true, colour: "red" }));
    expect([response.status, await response.json()]).toEqual([201, expect.not.objectContaining({ colour: "red" })]);
    expect((await rows())[0]).toMatchObject({ pros: [], cons: [], recommended: null });
  });

  it("treats null and blank as absent", async () => {
    const blank = {
      product_site_id: "",
      product_name: null,
      product_url: "",
      author_email: "",
      author_ip: null,
      title: " ",
      content: null,
      pros: null,
      images: [],
      custom_questions: null,
    };
    expect((await post(review(blank))).status).toBe(201);
    expect((await rows())[0]).toMatchObject({
      family_id: null,
      author_email: null,
      title: null,
      extract: "",
      pros: [],
    });
  });
});

describe("a rejected submission changes nothing", () => {
  const nothing = async () => {
    expect([
      await countOf("reviews"),
      await countOf("submissions"),
      await countOf("outbox"),
      await countOf("moderation_events"),
    ]).toEqual([0, 0, 0, 0]);
  };

  it("checks credentials first: 403", async () => {
    for (const wrong of [
      {},
      [],
      null,
      `"text"`,
      { ...review(), client_id: undefined },
      { ...review(), api_key: undefined },
      { ...review(), api_key: "pk_wrong" },
      { ...review(), client_id: "nobody" },
      { ...review(), client_id: 7 },
      { ...review(), client_id: "a\0b" },
      { client_id: shop, api_key: "pk_wrong", score: 99, author: "\0" },
    ]) {
      expect((await post(wrong)).status, JSON.stringify(wrong)).toBe(403);
    }
    await nothing();
  });

  it("returns 400 for invalid JSON, 415 for another content type, 413 if too large, 405 for another method", async () => {
    expect((await post("{broken")).status).toBe(400);
    expect((await post("")).status).toBe(400);
    expect((await post(review(), { "content-type": "text/plain" })).status).toBe(415);
    expect((await post(review(), { "content-type": "application/x-www-form-urlencoded" })).status).toBe(415);
    expect((await post(review({ content: "x".repeat(1024 * 1024) }))).status).toBe(413);
    const wrong = await collectGet(new Request("http://localhost/collect/reviews"));
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "OPTIONS, POST"]);
    await nothing();
  });

  it("returns 406 for a lone surrogate, which can't be stored", async () => {
    const body = JSON.stringify(review({ content: "x" })).replace('"x"', '"half \\ud800 pair"');
    expect(await statusAndFields(await post(body))).toEqual([406, ["content"]]);
    await nothing();
  });

  // Single fields are tested in conformance.db.test.ts; this tests their combinations.
  it.each<[string, Record<string, unknown>, string[]]>([
    ["blank product and family", { product_id: " ", product_site_id: "" }, ["product_id"]],
    ["a long family alone", { product_id: undefined, product_site_id: "x".repeat(256) }, ["product_site_id"]],
    ["an image without a token", { images: [{}] }, ["images[0].token"]],
    ["eleven images", { images: Array.from({ length: 11 }, () => ({ token: "x" })) }, ["images"]],
    ["an unknown custom question", { custom_questions: { nope: 1 } }, ["custom_questions.nope"]],
    ["NUL in a list", { content: "a\0b", pros: ["\0"] }, ["content", "pros[0]"]],
    ["NUL in what is looked up", { product_id: "\0", images: [{ token: "\0" }] }, ["images[0].token", "product_id"]],
    ["names that every object has", { score: 9, toString: 1, constructor: { name: 1 } }, ["score"]],
    [
      "everything at once",
      {
        product_id: undefined,
        score: 9,
        author: "",
        images: [{ token: "x" }],
        custom_questions: { nope: 1 },
        title: 5,
      },
      ["author", "custom_questions.nope", "images[0]", "product_id", "score", "title"],
    ],
  ])("%s: 406", async (_, wrong, fields) => {
    expect(await statusAndFields(await post(review(wrong)))).toEqual([406, fields]);
    await nothing();
  });

  it("short texts if the client requires a number of words", async () => {
    await freshShop({ min_review_words: 8 });
    expect(await statusAndFields(await post(review()))).toEqual([406, ["content"]]);
    expect(await statusAndFields(await post(review({ content: undefined, score: 0 })))).toEqual([
      406,
      ["content", "score"],
    ]);
    await nothing();
    expect((await post(review({ content: "One two three four five six seven, eight!" }))).status).toBe(201);
  });

  it("no address if the client verifies addresses", async () => {
    await freshShop({ require_verification: true });
    expect(await statusAndFields(await post(review()))).toEqual([406, ["author_email"]]);
    expect((await post(review({ author_email: "ann@example.org" }))).status).toBe(201);
    expect((await rows())[0]).toMatchObject({ accepted: null, verified_email: false });
  });

  it("answers that don't match the client's questions", async () => {
    const fit = {
      id: "q1",
      name: "fit",
      type: "select",
      multiple: false,
      required: true,
      categories: ["Shoes"],
      options: [{ id: "small", label: {} }],
      label: {},
    };
    await freshShop({ custom_questions: [fit] });
    await makeProduct(shop, "shoe", { category: "Shoes > Running" });
    const answered = (answers: unknown) => post(review({ product_id: "shoe", custom_questions: answers }));
    expect(await statusAndFields(await answered({}))).toEqual([406, ["custom_questions.fit"]]);
    expect(await statusAndFields(await answered({ q1: "huge", score: 1 }))).toEqual([
      406,
      ["custom_questions.q1", "custom_questions.score"],
    ]);
    await nothing();
    expect((await answered({ q1: "small" })).status).toBe(201);
    expect((await rows())[0].answers).toEqual({ fit: "small" });
    expect(JSON.parse(`${(await rows())[0].body}}`).properties).toEqual({ fit: "small" });
    expect((await post(review())).status).toBe(201); // A question of another category.
  });

  it("another origin than the client's", async () => {
    await freshShop({ allowed_origins: ["https://shop.example"] });
    expect((await post(review(), { origin: "https://evil.example" })).status).toBe(403);
    await nothing();
    expect((await post(review(), { origin: "https://shop.example" })).status).toBe(201);
    expect((await post(review({ author: "A server" }))).status).toBe(201);
  });

  it("preflights succeed for every origin", async () => {
    const response = await preflight(new Request("http://localhost/collect/reviews", { method: "OPTIONS" }));
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });
});

describe("the same submission within a minute", () => {
  it("is stored once, even concurrently", async () => {
    const first = await Promise.all(Array.from({ length: 20 }, () => post(review())));
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([201]));
    expect((await post(review())).status).toBe(201);
    expect([await countOf("reviews"), await countOf("outbox"), await countOf("moderation_events")]).toEqual([1, 1, 1]);
    for (const other of [
      { author: "Bo" },
      { score: 5 },
      { content: "Other" },
      { product_id: "P-2" },
      { author_email: "a@b.example" },
    ]) {
      await post(review(other));
    }
    expect(await countOf("reviews")).toBe(6);
  });

  it("is stored again after a minute", async () => {
    await post(review());
    await pool().query("update submissions set created_at = created_at - interval '61 seconds'");
    await post(review());
    expect(await countOf("reviews")).toBe(2);
  });

  it("may name the images that the first one claimed", async () => {
    const body = review({ images: [await uploaded()] });
    const statuses = (await Promise.all([post(body), post(body), post(body)])).map(({ status }) => status);
    expect(statuses).toEqual([201, 201, 201]);
    expect((await post(body)).status).toBe(201);
    expect(await countOf("reviews")).toBe(1);
    expect(await statusAndFields(await post({ ...body, author: "Somebody else" }))).toEqual([406, ["images[0]"]]);
    expect([await countOf("reviews"), await countOf("submissions")]).toEqual([1, 1]);
  });
});

describe("concurrent submissions", () => {
  const submission = (more: Partial<ReviewSubmission> = {}): ReviewSubmission => ({
    source: "web",
    productId: "hot",
    familyId: null,
    productName: null,
    productUrl: null,
    category: null,
    author: "Ann",
    authorEmail: null,
    authorIp: null,
    score: 5,
    title: null,
    content: "Good.",
    pros: [],
    cons: [],
    recommended: null,
    answers: {},
    images: [],
    lang: "en",
    order: null,
    termsAgreed: false,
    ...more,
  });

  it("are all stored once, each under its own id", async () => {
    const client = (await getClient(shop))!;
    const stored = await Promise.all(
      Array.from({ length: 500 }, (_, n) => submitReview(client, submission({ author: `Author ${n % 400}` }))),
    );
    expect(stored.filter(({ duplicate }) => duplicate)).toHaveLength(100);
    expect(new Set(stored.map(({ id }) => id)).size).toBe(400);
    const ids = (await rows()).map((row) => row.id);
    expect(new Set(stored.map(({ id }) => id))).toEqual(new Set(ids));
    expect([await countOf("outbox"), await countOf("moderation_events")]).toEqual([400, 400]);
  });

  it("aren't affected by a failing one", async () => {
    const client = (await getClient(shop))!;
    const deletedClient = { ...client, id: "gone.example" }; // Just deleted, so there is no client for its rows.
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, n) =>
        submitReview(n === 30 ? deletedClient : client, submission({ author: `Author ${n}` })),
      ),
    );
    expect(outcomes.flatMap(({ status }, n) => (status === "rejected" ? [n] : []))).toEqual([30]);
    expect([await countOf("reviews"), await countOf("outbox")]).toEqual([59, 59]);
  });

  it("edits the review that an invited customer wrote before", async () => {
    const client = (await getClient(shop))!;
    const order = { orderId: "o", customerId: "c", invitationId: "i" };
    await pool().query("insert into invitations (client_id, id, status, day) values ($1, 'i', 'sent', '2026-01-01')", [
      shop,
    ]);
    const image = await uploaded();
    const given = submission({
      source: "invitation",
      authorEmail: "c@example.org",
      order,
      category: "Lamps",
      images: [image.token],
    });
    const first = await submitReview(client, given);
    expect((await rows())[0]).toMatchObject({
      verified_buyer: true,
      verified_email: true,
      category: "Lamps",
      customer_id: "c",
    });
    await pool().query("update reviews set accepted = true, accepted_at = now()");
    expect(await submitReview(client, given)).toMatchObject({ id: first.id, duplicate: true });
    expect((await rows())[0].accepted).toBe(true);

    const again = await uploaded();
    const edits = await Promise.all([
      submitReview(client, { ...given, content: "Broke after a week.", score: 2, images: [again.token, image.token] }),
      submitReview(client, { ...given, productId: "another item" }).catch((error) => error.issues),
    ]);
    expect(edits[0]).toMatchObject({ id: first.id, duplicate: false });
    expect(edits[1]).toEqual([expect.objectContaining({ field: "images[0]" })]);
    const [row] = await rows();
    expect(row).toMatchObject({
      id: first.id,
      score: 2,
      extract: "Broke after a week.",
      accepted: null,
      accepted_at: null,
    });
    expect(row.images.map(({ token }: UploadResult) => token)).toEqual([again.token, image.token]);
    expect((await pool().query("select action, from_state, texts from moderation_events order by id")).rows).toEqual([
      { action: "submitted", from_state: null, texts: null },
      { action: "edited", from_state: "accepted", texts: expect.objectContaining({ extract: "Good.", score: 5 }) },
    ]);
    expect(await countOf("outbox")).toBe(2);

    await submitReview(client, { ...given, content: "Fine now.", images: [image.token] });
    expect((await pool().query("select claimed_at from uploads where token = $1", [again.token])).rows).toEqual([
      { claimed_at: null },
    ]);
  });

  it("concurrent submissions from one invitation create one review", async () => {
    const client = (await getClient(shop))!;
    const order = { orderId: "o", customerId: "c", invitationId: "i" };
    await pool().query("insert into invitations (client_id, id, status, day) values ($1, 'i', 'sent', '2026-01-01')", [
      shop,
    ]);
    const ids = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        submitReview(client, submission({ source: "invitation", order, content: `Text ${n}` })),
      ),
    );
    expect(new Set(ids.map(({ id }) => id)).size).toBe(1);
    expect(await countOf("reviews")).toBe(1);
  });
});
