import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";
import { type EditedKind, editToken } from "@/lib/forms/edit/links";
import { openEdit } from "@/lib/forms/edit/open-edit";
import { submitEdit, submitQuestionEdit } from "@/lib/forms/edit/submit-edit";
import { toReviewEditForm } from "@/lib/forms/edit/to-edit-form";
import type { FormState } from "@/lib/forms/schema";
import { reasonText } from "@/lib/moderation/rejections/reason-text";
import { withNow } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { languages } from "@/lib/platform/i18n/languages";
import { rejectReasons } from "@/lib/reviews/decisions/schema";
import { storeUpload } from "@/lib/reviews/uploads/store-upload";
import { emptyDatabase } from "@/lib/tools/test/database";
import {
  aClient,
  countBlockedQueries,
  hashDatabase,
  rowsOf,
  someProducts,
  someQuestions,
  someReviews,
  someSellerReviews,
} from "@/lib/tools/test/factories";

beforeEach(emptyDatabase);

const rejected = {
  accepted: false,
  reject_reason: "price",
  author: "Ada",
  author_email: "ada@x.example",
  email_key: "ada@x.example",
};
const make = { review: someReviews, seller_review: someSellerReviews, question: someQuestions };
const tables = { review: "reviews", seller_review: "seller_reviews", question: "questions" };
const fields: Record<EditedKind, Record<string, string>> = {
  review: { author: "Ada", "items.1.score": "2", "items.1.content": "It flickers, and the cord is short." },
  seller_review: { author: "Ada", "seller.score": "2", "seller.content": "It came late." },
  question: { author: "Ada", question: "Does it dim with a wall switch?", details: "" },
};

/** Creates a rejected item of a kind, with its edit link. */
async function createRejected(
  kind: EditedKind,
  columns: Record<string, unknown> = {},
  settings: Record<string, unknown> = {},
) {
  const shop = await aClient(settings);
  await someProducts(shop.id, [{ id: "lamp", family_id: "lamps", name: "Oak lamp", category: "Lighting" }]);
  const about = kind === "seller_review" ? {} : { product_id: "lamp", family_id: "lamps", product_name: "Oak lamp" };
  const [id = ""] = await make[kind](shop.id, [{ ...rejected, ...about, ...columns }]);
  const row = async () =>
    (await rowsOf(`select * from ${tables[kind]} where client_id = $1 and id = $2`, [shop.id, id]))[0];
  const history = () =>
    rowsOf(
      "select action, actor_kind, from_state, to_state, texts from moderation_events where client_id = $1 and kind <> 'store' order by id",
      [shop.id],
    );
  return { shop, id, token: editToken(shop.id, kind, id, rejected.author_email), row, history };
}

function send(
  kind: EditedKind,
  token: string,
  changes: Record<string, string | string[]> = {},
): Promise<FormState<unknown>> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fields[kind], ...changes }))
    for (const one of [value].flat()) form.append(name, one);
  return kind === "question" ? submitQuestionEdit(token, form, "192.0.2.7") : submitEdit(token, form, "192.0.2.7");
}

describe.each(["review", "seller_review", "question"] as const)("a rejected %s", (kind) => {
  test("becomes pending again after an edit, is moderated again, and keeps the old text in its history", async () => {
    const { shop, id, token, row, history } = await createRejected(kind, {}, { auto_moderate: true });
    const old = await row();
    expect(await send(kind, token)).toBeNull();
    expect(await row()).toMatchObject({
      accepted: null,
      accepted_at: null,
      reject_reason: null,
      decided_at: null,
      author_email: "ada@x.example",
      ...(kind === "question" ? { question: fields.question.question } : { score: 2 }),
    });
    const text = kind === "question" ? { question: old?.question } : { extract: old?.extract, score: old?.score };
    expect(await history()).toMatchObject([
      { action: "edited", actor_kind: "author", from_state: "rejected", to_state: "pending", texts: text },
    ]);
    expect(
      await rowsOf("select name, data from outbox where client_id = $1 and name <> 'moderation/changed' order by id", [
        shop.id,
      ]),
    ).toMatchObject([
      { name: `${kind}/submitted`, data: { [`${kind}_id`]: id } },
      { name: "moderation/due", data: { kind, ids: [id] } },
    ]);
  });

  test("is changed once by concurrent submissions, and stays rejected if sent unchanged", async () => {
    const { token, row, history } = await createRejected(kind);
    expect(await Promise.all([1, 2, 3].map(() => send(kind, token)))).toEqual([null, null, null]);
    expect(await history()).toHaveLength(1);
    await pool().query(`update ${tables[kind]} set accepted = false, reject_reason = 'spam'`);
    const before = await hashDatabase();
    expect(await send(kind, token)).toMatchObject({ issues: [{ message: "You haven’t changed anything yet." }] });
    expect(await hashDatabase()).toEqual(before);
    expect(await row()).toMatchObject({ accepted: false, reject_reason: "spam" });
  });

  test("returns all issues and stores nothing", async () => {
    const { token } = await createRejected(kind, { lang: "de" });
    const before = await hashDatabase();
    const invalidState = await send(kind, token, {
      author: " ",
      "items.1.score": "",
      "seller.score": "9",
      question: " ",
    });
    const first = { review: "items.1.score", seller_review: "seller.score", question: "question" }[kind];
    expect(invalidState?.issues.map(({ field }) => field)).toEqual([first, "author"]);
    expect(invalidState?.issues[1]?.message).toBe("Geben Sie Ihren Namen oder einen Spitznamen ein.");
    expect(await hashDatabase()).toEqual(before);
  });

  test("isn't changed by opening the link, which expires after 30 days or when the item is deleted", async () => {
    const { token, shop, id } = await createRejected(kind);
    const before = await hashDatabase();
    expect(await openEdit(token)).toMatchObject({
      state: "open",
      edited: { kind, item: { id, reject_reason: "price" } },
    });
    const later = new Date(Date.now() + 31 * 86_400_000);
    expect(await withNow(later, () => openEdit(token))).toMatchObject({ state: "expired" });
    await expect(withNow(later, () => send(kind, token))).rejects.toMatchObject({ code: "not_found" });
    for (const invalid of [
      "",
      "x",
      editToken(shop.id, kind, "0".repeat(16), "ada@x.example"),
      editToken("another", kind, id, "ada@x.example"),
    ]) {
      expect(await openEdit(invalid)).toEqual({ state: "unknown" });
      await expect(send(kind, invalid)).rejects.toMatchObject({ code: "not_found" });
    }
    // A link for one kind can't change another kind.
    const other = kind === "question" ? "review" : "question";
    await expect(send(other, token)).rejects.toMatchObject({ code: "not_found" });
    expect(await hashDatabase()).toEqual(before);
    await pool().query(`delete from ${tables[kind]}`);
    expect(await openEdit(token)).toEqual({ state: "unknown" });
    await expect(send(kind, token)).rejects.toMatchObject({ code: "not_found" });
  });
});

test.each(["review", "seller_review", "question"] as const)(
  "rejects the edit link of a %s whose address has changed",
  async (kind) => {
    const { token, row } = await createRejected(kind);
    const address = (email: string | null) =>
      pool().query(`update ${tables[kind]} set author_email = $1, email_key = lower($1)`, [email]);
    // The same mailbox in another spelling.
    await address("ADA@x.example");
    expect(await openEdit(token)).toMatchObject({ state: "open" });
    for (const other of ["bo@x.example", null]) {
      await address(other);
      const before = await hashDatabase();
      expect(await openEdit(token)).toEqual({ state: "unknown" });
      await expect(send(kind, token)).rejects.toMatchObject({ code: "not_found" });
      expect(await hashDatabase()).toEqual(before);
    }
    // The address changes while the form is read: the stored row decides.
    await address("ada@x.example");
    const holder = await pool().connect();
    try {
      await holder.query("begin");
      await holder.query(`update ${tables[kind]} set author_email = 'bo@x.example', email_key = 'bo@x.example'`);
      const sent = send(kind, token).then(
        () => "taken",
        (error) => error.code,
      );
      await expect.poll(countBlockedQueries).toBe(1);
      await holder.query("commit");
      expect(await sent).toBe("not_found");
    } finally {
      holder.release();
    }
    expect(await row()).toMatchObject({ accepted: false, author_email: "bo@x.example" });
  },
);

test("applies the store's rules for reviews to edits: minimum words, questions and collected fields", async () => {
  const fit = {
    id: "fit",
    name: "Fit",
    type: "select",
    multiple: false,
    required: true,
    categories: ["Lighting"],
    options: [{ id: "s", label: { en: "Small" } }],
    label: { en: "Fit?" },
  };
  const { token, row } = await createRejected(
    "review",
    { answers: JSON.stringify({ Fit: "s" }), pros: ["Warm"] },
    { min_review_words: 4, custom_questions: [fit], collect_pros_cons: false },
  );
  const open = await openEdit(token);
  if (open.state !== "open") throw new Error(open.state);
  expect(await toReviewEditForm(open)).toMatchObject({
    items: [{ name: "Oak lamp", questions: [{ id: "fit" }], fewest_words: { promoter: 4, others: 4 } }],
    values: { items: { 1: { answers: { fit: ["s"] }, content: "Warm light." } } },
    asks: { email: null, seller: false },
    terms: null,
  });
  const issues = (await send("review", token, { "items.1.content": "Too short" }))?.issues;
  expect(issues?.map(({ field }) => field)).toEqual(["items.1.content", "items.1.answers.fit"]);
  expect(await send("review", token, { "items.1.answers.fit": "s", "items.1.pros": "Warm" })).toBeNull();
  expect(await row()).toMatchObject({ answers: { Fit: "s" }, pros: [] });
});

test("keeps, removes and adds photos, and rejects another store's uploads", async () => {
  const { shop, token, row } = await createRejected("review");
  const png = await sharp({ create: { width: 60, height: 40, channels: 3, background: "#369" } })
    .png()
    .toBuffer();
  const photo = () => new File([new Uint8Array(png)], "lamp.png", { type: "image/png" });
  const [one, two] = [await storeUpload(shop.client, photo()), await storeUpload(shop.client, photo())];
  const held = async () => (await row())?.images.map((image: { token: string }) => image.token);
  expect(await send("review", token, { "items.1.images": [one.token, two.token] })).toBeNull();
  expect(await held()).toEqual([one.token, two.token]);
  expect(await send("review", token, { "items.1.images": [two.token] })).toBeNull();
  expect(await held()).toEqual([two.token]);
  const foreign = await storeUpload((await aClient()).client, photo());
  const state = await send("review", token, { "items.1.images": [two.token, foreign.token] });
  expect(state?.issues.map(({ field }) => field)).toEqual(["items.1.files"]);
  expect(await held()).toEqual([two.token]);
});

test("confirms the address of an author who uses the emailed link, even if the store requires verification", async () => {
  for (const kind of ["review", "question"] as const) {
    const { token, row, history } = await createRejected(
      kind,
      { verification: "mailed" },
      { require_verification: true },
    );
    expect(await send(kind, token)).toBeNull();
    expect(await row()).toMatchObject({ verified_email: true, verification: null });
    expect((await history()).map(({ action }) => action)).toEqual(["edited", "verified"]);
  }
});

test("has a text for every reason in every language", () => {
  for (const language of languages) {
    const reasonTexts = rejectReasons.map((reason) => reasonText(language, reason));
    expect(new Set(reasonTexts).size).toBe(rejectReasons.length);
    expect(reasonText(language, "made_up")).toBe(reasonText(language, "unspecified"));
  }
});
