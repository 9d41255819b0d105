import { beforeEach, describe, expect, it } from "vitest";
import * as questions from "@/app/collect/questions/route";
import { POST as upload } from "@/app/uploader/route";
import { pool } from "@/lib/platform/db/pool";
import {
  aPicture,
  countOf,
  makeClient,
  makeProduct,
  postJson,
  statusAndFields,
} from "@/lib/tools/test/collection-rows";
import { emptyDatabase } from "@/lib/tools/test/database";
import { hashDatabase } from "@/lib/tools/test/factories";

let shop = "";
let made = 0;
// Each test has its own client, since settings are cached for a second.
const freshShop = async (settings: Record<string, unknown> = {}) => {
  shop = await makeClient(`asked-${++made}.example`, settings);
};
beforeEach(async () => {
  await emptyDatabase();
  await freshShop();
});

const question = (more: Record<string, unknown> = {}) => ({
  client_id: shop,
  api_key: `pk_${shop}`,
  product_id: "P-1",
  author: "Bo",
  question: "Can it be dimmed?",
  mail_answer: "false",
  ...more,
});
const post = (body: unknown) => postJson(questions.POST, "/collect/questions", body);
const rows = async () => (await pool().query("select * from questions order by created_at, id")).rows;
const uploaded = () => aPicture(upload, { id: shop, publicKey: `pk_${shop}` });

describe("POST /collect/questions", () => {
  it("stores every field as pending, with history and outbox event, and returns the posted fields without the key", async () => {
    const image = await uploaded();
    const body = question({
      product_site_id: "F-1",
      product_name: "Lamp",
      product_url: "https://shop.example/lamp",
      author_email: " Bo@Example.org ",
      author_ip: "2001:db8::1",
      details: "The bulb says that it may be.",
      mail_answer: "true",
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
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      source: "collect",
      product_id: "P-1",
      family_id: "F-1",
      product_name: "Lamp",
      product_url: "https://shop.example/lamp",
      author: "Bo",
      author_email: " Bo@Example.org ",
      email_key: "bo@example.org",
      author_ip: "2001:db8::1",
      question: "Can it be dimmed?",
      details: "The bulb says that it may be.",
      mail_answer: true,
      verified_email: false,
      lang: "en",
      accepted: null,
      accepted_at: null,
      terms_agreed_at: expect.any(Date),
    });
    expect(row.images).toEqual([expect.objectContaining(image)]);
    expect((await pool().query("select kind, subject_id, action, to_state from moderation_events")).rows).toEqual([
      {
        kind: "question",
        subject_id: row.id,
        action: "submitted",
        to_state: "pending",
      },
    ]);
    expect((await pool().query("select client_id, name, data from outbox")).rows).toEqual([
      {
        client_id: shop,
        name: "question/submitted",
        data: { client_id: shop, question_id: row.id },
      },
    ]);
  });

  it("is queued for the client's rules if they moderate", async () => {
    await freshShop({ auto_moderate: true });
    await post(question());
    const [{ id }] = await rows();
    expect((await pool().query("select data from outbox where name = 'moderation/due'")).rows).toEqual([
      { data: { client_id: shop, kind: "question", ids: [id] } },
    ]);
  });

  it("adds catalog details and detects the language", async () => {
    await makeProduct(shop, "P-1", { family: "F-9", name: "Desk lamp" });
    await post(
      question({
        question: "Går det att dimra lampan när den sitter i taket?",
      }),
    );
    await post(
      question({
        product_name: "My own name",
        author: "Cy",
        details: null,
        product_site_id: "",
      }),
    );
    expect((await rows()).map((row) => [row.family_id, row.product_name, row.lang, row.details])).toEqual([
      ["F-9", "Desk lamp", "sv", ""],
      ["F-9", "My own name", "en", ""],
    ]);
  });

  it("accepts a question about a family without a product", async () => {
    expect((await post(question({ product_id: undefined, product_site_id: "F-1" }))).status).toBe(201);
    expect((await rows())[0]).toMatchObject({
      product_id: null,
      family_id: "F-1",
    });
  });

  it("stores answers to custom questions, requires none, and rejects invalid ones", async () => {
    const use = {
      id: "q1",
      name: "use",
      type: "select",
      multiple: true,
      required: true,
      categories: [],
      label: {},
    };
    await freshShop({
      custom_questions: [{ ...use, options: [{ id: "home", label: {} }] }],
    });
    expect((await post(question())).status).toBe(201);
    expect((await post(question({ author: "Cy", custom_questions: { q1: ["home"] } }))).status).toBe(201);
    expect((await rows()).map((row) => row.answers_given)).toEqual([{}, { use: ["home"] }]);
    const before = await hashDatabase();
    expect(await statusAndFields(await post(question({ custom_questions: { use: "yard", other: 1 } })))).toEqual([
      406,
      ["custom_questions.other", "custom_questions.use"],
    ]);
    expect(await hashDatabase()).toBe(before);
  });

  it("requires an email address if the answer is to be emailed or the store verifies addresses", async () => {
    expect(await statusAndFields(await post(question({ mail_answer: "true" })))).toEqual([406, ["author_email"]]);
    await freshShop({ require_verification: true });
    expect(await statusAndFields(await post(question()))).toEqual([406, ["author_email"]]);
    expect(await countOf("questions")).toBe(0);
    expect((await post(question({ author_email: "bo@example.org" }))).status).toBe(201);
  });

  it("rejects questions if the client doesn't collect any", async () => {
    await freshShop({ collect_questions: false });
    const before = await hashDatabase();
    expect(await statusAndFields(await post(question()))).toEqual([406, ["question"]]);
    expect(await statusAndFields(await post(question({ author: "", mail_answer: "true" })))).toEqual([
      406,
      ["author", "author_email", "question"],
    ]);
    expect(await hashDatabase()).toBe(before);
  });
});

describe("the same question within a minute", () => {
  it("is stored once, even concurrently, and again after a minute", async () => {
    const first = await Promise.all(Array.from({ length: 12 }, () => post(question())));
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([201]));
    expect([await countOf("questions"), await countOf("outbox"), await countOf("moderation_events")]).toEqual([
      1, 1, 1,
    ]);
    for (const other of [{ author: "Cy" }, { details: "More" }, { product_id: "P-2" }, { question: "How tall?" }])
      await post(question(other));
    expect(await countOf("questions")).toBe(5);
    await pool().query("update submissions set created_at = created_at - interval '61 seconds'");
    await post(question());
    expect(await countOf("questions")).toBe(6);
  });

  it("may name the images that the first one claimed", async () => {
    const body = question({ images: [await uploaded()] });
    const statuses = (await Promise.all([post(body), post(body), post(body)])).map(({ status }) => status);
    expect(statuses).toEqual([201, 201, 201]);
    expect(await countOf("questions")).toBe(1);
    expect(await statusAndFields(await post({ ...body, author: "Somebody else" }))).toEqual([406, ["images[0]"]]);
    expect([await countOf("questions"), await countOf("submissions")]).toEqual([1, 1]);
  });
});
