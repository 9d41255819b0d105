import sharp from "sharp";
import { beforeEach, expect, test } from "vitest";
import { getClient } from "@/lib/accounts/stores/get-client";
import type { FormState } from "@/lib/forms/schema";
import { openWebForm, toWebForm, type WebFormLink } from "@/lib/forms/web-form/open-web-form";
import { submitWebForm } from "@/lib/forms/web-form/submit-web-form";
import { pool } from "@/lib/platform/db/pool";
import { receiptToken } from "@/lib/platform/http/honesty-page";
import { languages } from "@/lib/platform/i18n/languages";
import { storeUpload } from "@/lib/reviews/uploads/store-upload";
import { emptyDatabase } from "@/lib/tools/test/database";
import { aClient, someProducts } from "@/lib/tools/test/factories";

// A tenth of the published limits, so that a test can reach them: 12 concurrent submissions.
process.env.RATE_LIMITS = "0.1";

beforeEach(emptyDatabase);

type Fields = Record<string, string | File | (string | File)[]>;
let address = 0;

/** The issues to fix, or null if the review is stored. */
async function send(link: WebFormLink, fields: Fields, from?: string | null) {
  const outcome = await submit(link, fields, from);
  return "state" in outcome ? outcome.state : null;
}

function submit(link: WebFormLink, fields: Fields, from: string | null = `192.0.2.${++address}`) {
  const form = new FormData();
  const allFields: Fields = { "items.1.score": "4", author: "Ada", asked: "1", ...fields };
  for (const [name, value] of Object.entries(allFields)) for (const one of [value].flat()) form.append(name, one);
  return submitWebForm(link, form, from);
}

const photo = async (name = "lamp.png") => {
  const picture = sharp({ create: { width: 60, height: 40, channels: 3, background: "#369" } });
  return new File([new Uint8Array(await picture.png().toBuffer())], name, { type: "image/png" });
};
const reviews = async () => (await pool().query("select * from reviews order by created_at, id")).rows;
const fieldsOf = (state: FormState) => state?.issues.map(({ field }) => field);

/** Creates a client with one product, and a link to its form. */
async function shop(settings: Record<string, unknown> = {}) {
  const { id, client } = await aClient(settings);
  await someProducts(id, [{ id: "lamp", family_id: "lamps", name: "Oak lamp", category: "Lighting > Lamps" }]);
  return { id, client, link: { client_id: id, key: "lamp", lang: "en" } };
}

const fit = {
  id: "fit",
  name: "Fit",
  type: "select",
  multiple: false,
  required: true,
  categories: ["Lighting"],
  options: [{ id: "s", label: { en: "Small" } }],
  label: { en: "Fit?", de: "Passt es?" },
};

test("creates a pending review by an unverified author", async () => {
  const { link } = await shop({ custom_questions: [fit] });
  const state = await send(
    { ...link, name: "Not its name" },
    {
      "items.1.score": "5",
      "items.1.title": " Lovely ",
      "items.1.content": "Warm light\r\nand a long cord. ",
      "items.1.pros": ["Warm", " "],
      "items.1.cons": "Heavy",
      "items.1.recommended": "yes",
      "items.1.answers.fit": "s",
      author: " Ada L. ",
      email: " ada@example.org ",
      "items.2.score": "1",
      "seller.score": "1",
    },
    "192.0.2.7",
  );
  expect(state).toBeNull();
  expect(await reviews()).toMatchObject([
    {
      source: "web",
      product_id: "lamp",
      family_id: "lamps",
      product_name: "Oak lamp",
      category: null,
      score: 5,
      title: "Lovely",
      extract: "Warm light\nand a long cord.",
      pros: ["Warm"],
      cons: ["Heavy"],
      recommended: true,
      answers: { Fit: "s" },
      author: "Ada L.",
      author_email: "ada@example.org",
      author_ip: "192.0.2.7",
      accepted: null,
      verified_buyer: false,
      verified_email: false,
      incentivized: false,
      order_id: null,
      customer_id: null,
      invitation_id: null,
      terms_agreed_at: null,
    },
  ]);
  expect((await pool().query("select from seller_reviews")).rowCount).toBe(0);
});

test("marks a review written while the store offers something", async () => {
  const { link } = await shop({ config: { incentive: "A voucher" } });
  expect(await send(link, { "items.1.score": "2", author: "Ada" }, "192.0.2.7")).toBeNull();
  const [{ incentivized, body }] = await reviews();
  expect([incentivized, JSON.parse(`${body}}`).incentivized]).toEqual([true, true]);
});

test("accepts reviews of a family, and of a product missing from the catalog under the link's name", async () => {
  const { id } = await shop();
  expect(await send({ client_id: id, url_key: "lamps" }, {})).toBeNull();
  expect(await send({ client_id: id, key: "vase", name: "A  <b>vase</b>\n" }, {})).toBeNull();
  expect(await send({ client_id: id, key: "jug" }, {})).toBeNull();
  // A variant that isn't in the catalog yet isn't mistaken for its sibling.
  expect(await send({ client_id: id, key: "brass", url_key: "lamps", name: "Brass lamp" }, {})).toBeNull();
  expect(await reviews()).toMatchObject([
    { product_id: null, family_id: "lamps", product_name: "Oak lamp" },
    { product_id: "vase", product_name: "A <b>vase</b>" },
    { product_id: "jug", product_name: null },
    { product_id: "brass", family_id: "lamps", product_name: "Brass lamp" },
  ]);
});

test("returns all issues at their controls, keeps the input and stores nothing", async () => {
  const { link } = await shop({
    min_review_words: 3,
    require_verification: true,
    must_agree_to_terms_web: true,
    config: { terms_text: { en: "Be honest." } },
    custom_questions: [fit, { ...fit, id: "use", name: "use", type: "text", required: false, options: [] }],
  });
  const bad = {
    "items.1.score": "6",
    "items.1.title": "t".repeat(256),
    "items.1.content": "Too short",
    "items.1.pros": ["fine", "p".repeat(2_001)],
    "items.1.answers.fit": "xxl",
    "items.1.answers.use": "u".repeat(2_001),
    author: " \n",
    email: "",
  };
  const state = await send(link, bad);
  expect(state?.issues).toEqual([
    { field: "items.1.score", message: "Select 1 to 5 stars." },
    { field: "items.1.title", message: "This is too long. Use 255 characters or fewer." },
    { field: "items.1.pros.1", message: "This is too long. Use 2,000 characters or fewer." },
    { field: "items.1.content", message: "Write at least 3 words." },
    { field: "items.1.answers.fit", message: "This isn’t valid. Please check it." },
    { field: "items.1.answers.use", message: "This isn’t valid. Please check it." },
    { field: "author", message: "Enter your name or a nickname." },
    { field: "email", message: "Enter an email address, such as name@example.com." },
    { field: "terms", message: "Check the box to agree to the terms." },
  ]);
  expect(state?.values.items[1]).toMatchObject({ score: "6", content: "Too short", answers: { fit: ["xxl"] } });
  expect(fieldsOf(await send(link, { ...bad, email: "no address", author: "a".repeat(256) }))).toContain("email");
  // Only the client's settings find an issue here, as they would on storage.
  expect(await send({ ...link, lang: "de" }, { terms: "on" })).toMatchObject({
    issues: [
      { field: "items.1.content", message: "Schreiben Sie mindestens 3 Wörter." },
      { field: "items.1.answers.fit", message: "Beantworten Sie diese Frage." },
      { field: "email", message: "Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com." },
    ],
  });
  expect(await reviews()).toEqual([]);
  const good = { "items.1.content": "Good long text", "items.1.answers.fit": "s", email: "a@b.example", terms: "on" };
  expect(await send(link, good)).toBeNull();
  const [stored] = await reviews();
  expect(stored).toMatchObject({ verified_email: false, author_email: "a@b.example" });
  expect(stored.terms_agreed_at).toBeInstanceOf(Date);
  expect(stored.terms_version).toMatch(/^[0-9a-f]{16}$/);
});

test("reports a missing rating, text or name, and a missing address only if the client verifies addresses", async () => {
  const { link } = await shop();
  expect(await submitWebForm(link, new FormData(), null)).toMatchObject({
    state: { issues: [{ field: "items.1.score" }, { field: "author" }] },
  });
  expect(fieldsOf(await send(link, { "items.1.content": "w".repeat(60_001), email: "a b@c" }))).toEqual([
    "items.1.content",
    "email",
  ]);
  expect(await reviews()).toEqual([]);
});

test("drops fields that the client doesn't collect", async () => {
  const { link } = await shop({ collect_pros_cons: false, collect_recommended: false });
  await send(link, { "items.1.pros": "Warm", "items.1.recommended": "no", terms: "on" });
  expect(await reviews()).toMatchObject([{ pros: [], recommended: null, terms_agreed_at: null }]);
});

test("accepts photos with the form or uploaded before it, reports an invalid one, and uses each photo once", async () => {
  const { link, client } = await shop();
  const ahead = await storeUpload(client, await photo());
  const bad = new File(["no image"], "<b>.jpg", { type: "image/jpeg" });
  const first = await send(link, { "items.1.images": ahead.token, "items.1.files": [await photo("two.png"), bad] });
  expect(first?.issues).toEqual([
    { field: "items.1.files", message: "<b>.jpg isn’t a photo we can read. Use JPEG, PNG, WebP or GIF." },
  ]);
  const tokens = first?.values.items[1]?.images ?? [];
  expect(tokens).toHaveLength(2);
  expect(await reviews()).toEqual([]);
  expect(await send(link, { "items.1.images": tokens })).toBeNull();
  // A repeated submission: one review, and no issue about photos the first one used.
  expect(await send(link, { "items.1.images": tokens })).toBeNull();
  expect((await reviews()).map(({ images }) => images.length)).toEqual([2]);
  const again = await send(link, { author: "Somebody else", "items.1.images": tokens });
  expect(again?.issues).toEqual([{ field: "items.1.files", message: "A photo is no longer available. Add it again." }]);
  expect(again?.values.items[1]?.images).toEqual([]);
  const many = await Promise.all(Array.from({ length: 11 }, () => photo()));
  expect(fieldsOf(await send(link, { "items.1.files": many }))).toEqual(["items.1.files"]);
  expect(await reviews()).toHaveLength(1);
});

test("rejects another client's uploads and leaves them unchanged", async () => {
  const { link, client } = await shop();
  const other = await shop();
  const own = await storeUpload(client, await photo());
  const foreign = await storeUpload(other.client, await photo());
  const state = await send(link, { "items.1.images": [foreign.token, own.token, "../../etc/passwd", "x\0"] });
  expect(fieldsOf(state)).toEqual(["items.1.files"]);
  expect(state?.values.items[1]?.images).toEqual([own.token]);
  expect(await reviews()).toEqual([]);
  expect(await send(other.link, { "items.1.images": foreign.token })).toBeNull();
});

test("rate limits one visitor, keeps the input, and doesn't affect others", async () => {
  const { link } = await shop();
  const other = await shop();
  const from = "198.51.100.4";
  for (let count = 0; count < 12; count += 1)
    expect(await send(link, { "items.1.content": `Text ${count}` }, from)).toBeNull();
  const state = await send(link, { "items.1.content": "One too many" }, from);
  expect(state).toMatchObject({
    issues: [{ field: "send", message: expect.stringContaining("is still here") }],
    values: { items: { 1: { content: "One too many" } } },
  });
  expect(await reviews()).toHaveLength(12);
  expect(await send(link, {}, "198.51.100.5")).toBeNull();
  expect(await send(other.link, {}, from)).toBeNull();
});

test("stores concurrent identical submissions once", async () => {
  const { link } = await shop();
  const states = await Promise.all([1, 2, 3, 4].map(() => send(link, { "items.1.content": "Fine lamp." })));
  expect(states).toEqual([null, null, null, null]);
  expect(await reviews()).toHaveLength(1);
});

test("stores hostile input as plain text", async () => {
  const { link } = await shop();
  const text = `<script>alert(1)</script>'; drop table reviews; -- {{ 7 | times: 7 }} \u202e\u0000\ud800 👩‍👩‍👧`;
  expect(
    await send(link, {
      author: "<img src=x onerror=alert(1)>",
      "items.1.title": text,
      "items.1.content": text,
      "items.1.pros": text,
      "items.1.recommended": "maybe",
      "items.1.__proto__": "x",
      "items.1.answers.__proto__": "x",
      __proto__: "x",
    }),
  ).toBeNull();
  const [stored] = await reviews();
  const clean = text.replace("\0", "").toWellFormed();
  expect(stored).toMatchObject({
    author: "<img src=x onerror=alert(1)>",
    title: clean,
    extract: clean,
    pros: [clean],
    recommended: null,
  });
});

test("writes nothing when opened, and shows the client's questions about this product", async () => {
  const { id, link } = await shop({
    min_review_words: 4,
    min_review_words_promoter: 1,
    custom_questions: [fit, { ...fit, id: "other", name: "other", categories: ["Garden"] }],
  });
  await pool().query("update products set image_url = 'https://cdn.example/lamp.jpg', url = 'javascript:alert(1)'");
  const state = async () =>
    (
      await pool().query(
        "select (select count(*) from reviews) as reviews, xmin::text, ctid from clients where id = $1",
        [id],
      )
    ).rows;
  const before = await state();
  const open = await openWebForm({ ...link, lang: "de-AT", name: "Ignored" });
  if (open.state !== "open") throw new Error(open.state);
  expect(open.language).toBe("de");
  expect(open.subject.url).toBeNull();
  const form = toWebForm(open);
  expect(form.items).toMatchObject([
    {
      name: "Oak lamp",
      image_url: "https://cdn.example/lamp.jpg",
      questions: [{ id: "fit", label: "Passt es?" }],
      fewest_words: { promoter: 4, others: 4 },
    },
  ]);
  expect(form).toMatchObject({ skippable: false, asks: { seller: false, email: "optional" }, terms: null });
  expect(await state()).toEqual(before);
});

test("resolves every link: a form, a page that asks for the product, or not found", async () => {
  const { id } = await shop({ locale: "sv_SE" });
  const stateOf = async (link: unknown) => (await openWebForm(link as WebFormLink)).state;
  for (const link of [{}, null, 7, "x", [], { client_id: "" }, { client_id: "nobody" }, { client_id: `${id}\0` }])
    expect(await stateOf(link)).toBe("unknown");
  expect(await stateOf({ client_id: { id } })).toBe("unknown");
  for (const key of [undefined, "", " ", "a\0b", "\ud800", "k".repeat(256), 7, null])
    expect(await openWebForm({ client_id: id, key } as WebFormLink)).toMatchObject({
      state: "no_product",
      language: "sv",
    });
  expect(await stateOf({ client_id: id, key: "k".repeat(256), url_key: "lamps" })).toBe("open");
  expect(await stateOf({ client_id: id, key: "' or 1=1 --" })).toBe("open");
  for (const lang of languages)
    expect(await openWebForm({ client_id: id, key: "lamp", lang })).toMatchObject({ language: lang });
  expect(await openWebForm({ client_id: id, key: "lamp", lang: "xx" })).toMatchObject({ language: "sv" });
  const named = await openWebForm({ client_id: id, key: "vase", name: `${"👩".repeat(300)}\0` });
  expect(named.state === "open" && [...(named.subject.name ?? "")]).toHaveLength(255);
  for (const link of [{ client_id: "nobody", key: "lamp" }, { client_id: id }]) {
    await expect(send(link, {})).rejects.toMatchObject({ code: "not_found" });
  }
  expect(await getClient(id)).not.toBeNull();
  expect(await reviews()).toEqual([]);
});

test("asks once for a missing text, and requires it if a minimum word count is set", async () => {
  const { link } = await shop();
  const form = new FormData();
  for (const [name, value] of [
    ["items.1.score", "4"],
    ["author", "Ada"],
  ] as const)
    form.append(name, value);
  const ask = (to = link) => submitWebForm(to, form, "192.0.2.201");
  expect(await ask()).toMatchObject({
    state: { warned: true, issues: [{ field: "items.1.content" }], values: { author: "Ada" } },
  });
  expect(await reviews()).toEqual([]);
  form.append("asked", "1");
  expect(await ask()).toEqual({ receipt: expect.any(String) });
  expect(await reviews()).toHaveLength(1);
  form.delete("asked");
  const needed = await ask((await shop({ min_review_words: 3 })).link);
  expect(needed).toMatchObject({
    state: { issues: [{ field: "items.1.content", message: expect.stringContaining("3") }] },
  });
  expect(needed).not.toHaveProperty("state.warned");
});

test("a stored review has a receipt, and the same again if it is sent twice", async () => {
  const { id, link } = await shop();
  const first = await submit(link, { "items.1.content": "Fine lamp." });
  const [{ id: review }] = await reviews();
  const { rows } = await pool().query("select salt from moderation_events where client_id = $1 and subject_id = $2", [
    id,
    review,
  ]);
  expect(rows).toHaveLength(1);
  expect(first).toEqual({ receipt: receiptToken("review", review, rows[0].salt) });
  expect(await submit(link, { "items.1.content": "Fine lamp." })).toEqual(first);
});
