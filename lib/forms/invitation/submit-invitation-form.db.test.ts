import sharp from "sharp";
import { beforeEach, expect, test } from "vitest";
import { openInvitation, toInvitationForm } from "@/lib/forms/invitation/open-invitation";
import { receiptsOfInvitation } from "@/lib/forms/invitation/receipts-of-invitation";
import { submitInvitationForm } from "@/lib/forms/invitation/submit-invitation-form";
import { appendEntries } from "@/lib/honesty/append-entries";
import { readEntries, readHead } from "@/lib/honesty/read-log";
import { verifyOwnLog } from "@/lib/honesty/verify-own-log";
import { claimInvitations } from "@/lib/invitations/claim-invitations";
import { invitationToken } from "@/lib/invitations/links";
import { previewNextRun } from "@/lib/invitations/preview-next-run";
import { sendInvitation } from "@/lib/invitations/send-invitation";
import { withNow } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { receiptToken } from "@/lib/platform/http/honesty-page";
import { storeUpload } from "@/lib/reviews/uploads/store-upload";
import { setClient } from "@/lib/settings/set-client";
import { emptyDatabase } from "@/lib/tools/test/database";
import { makeClient, makeCustomer, makeOrder } from "@/lib/tools/test/invitation-rows";

beforeEach(emptyDatabase);

const at = <T>(date: string, work: () => T): T => withNow(new Date(`${date}T09:00:00Z`), work);
let shops = 0;

/** Creates a customer with two orders and one sent invitation for all three items. */
async function createInvitation(settings: Record<string, unknown> = {}) {
  const client = await makeClient(`form-${++shops}`, settings);
  await makeCustomer(client, { id: "k1", email: "Anna@x.example", name: "anna-lena karlsson" });
  await makeCustomer(client, { id: "k2", email: "anna@X.example" });
  // The newest customer row provides the name; both may have been written within a millisecond.
  await pool().query("update customers set updated_at = updated_at + interval '1 second' where id = 'k2'");
  await makeOrder(client, "o1", "k1", [
    { id: "p1", delivery_date: "2026-03-01", name: "Lamp" },
    { id: "p2", delivery_date: "2026-03-02", name: "Bulb" },
  ]);
  await makeOrder(client, "o2", "k2", [{ id: "p1", delivery_date: "2026-03-03", name: "Lamp again" }]);
  const [id = ""] = await at("2026-03-10", () => claimInvitations(client));
  await at("2026-03-10", () => sendInvitation(client, id));
  return { client, id, token: invitationToken(client, id) };
}

const form = (fields: Record<string, string | File | (string | File)[]>): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries({ author: "Anna-Lena K.", asked: "1", ...fields }))
    for (const one of [value].flat()) data.append(name, one);
  return data;
};
const send = (token: string, fields: Parameters<typeof form>[0], date = "2026-03-12") =>
  at(date, () => submitInvitationForm(token, form(fields), "192.0.2.7"));
const photo = async (name = "lamp.png") =>
  new File(
    [
      new Uint8Array(
        await sharp({ create: { width: 60, height: 40, channels: 3, background: "#369" } })
          .png()
          .toBuffer(),
      ),
    ],
    name,
    { type: "image/png" },
  );
const reviews = async () => (await pool().query("select * from reviews order by order_id, product_id")).rows;
const issuesOf = (outcome: Awaited<ReturnType<typeof send>>) =>
  outcome.outcome === "issues" ? outcome.state.issues.map(({ field }) => field) : [];

test("stores rated items as reviews of a verified buyer, each with its own order and customer", async () => {
  const { client, id, token } = await createInvitation();
  const outcome = await send(token, {
    "items.1.score": "5",
    "items.1.content": "Warm light\r\nand a long cord. ",
    "items.1.title": " Lovely ",
    "items.1.pros": ["Warm", " ", "Long cord"],
    "items.1.cons": ["", "Heavy"],
    "items.1.recommended": "yes",
    "items.3.score": "2",
    "items.3.content": "The second one hums.",
    "items.2.later": "on",
    "seller.score": "4",
    "seller.content": "Fast.",
  });
  expect(outcome).toEqual({ outcome: "stored", reviews: 3 });
  expect(await reviews()).toMatchObject([
    {
      source: "invitation",
      order_id: "o1",
      customer_id: "k1",
      invitation_id: id,
      product_id: "p1",
      product_name: "Lamp",
      author: "Anna-Lena K.",
      author_email: "anna@X.example",
      author_ip: "192.0.2.7",
      score: 5,
      title: "Lovely",
      extract: "Warm light\nand a long cord.",
      pros: ["Warm", "Long cord"],
      cons: ["Heavy"],
      recommended: true,
      verified_buyer: true,
      verified_email: true,
      accepted: null,
      date: "2026-03-12",
    },
    { order_id: "o2", customer_id: "k2", product_id: "p1", product_name: "Lamp again", score: 2 },
  ]);
  const { rows: sellers } = await pool().query("select * from seller_reviews");
  expect(sellers).toMatchObject([
    { score: 4, extract: "Fast.", verified_buyer: true, order_id: "o1", customer_id: "k1", accepted: null },
  ]);
  // An item marked as not received is no longer delivered and doesn't cause a second email.
  const { rows: postponed } = await pool().query("select delivery_date from order_items where id = 'p2'");
  expect(postponed).toEqual([{ delivery_date: "2026-03-13" }]);
  const preview = await at("2026-04-20", () => previewNextRun(client));
  expect(preview.send).toEqual([]);
});

test("edits the reviews on a second submission: pending again, old text in the history", async () => {
  const { token } = await createInvitation({ collect_seller_reviews: true });
  await send(token, { "items.1.score": "5", "items.1.content": "Fine lamp.", "seller.score": "5" });
  await pool().query("update reviews set accepted = true, accepted_at = now()");
  await pool().query("update seller_reviews set accepted = true, accepted_at = now()");
  const again = await at("2026-03-13", () => openInvitation(token));
  if (again.state !== "open") throw new Error("not open");
  expect(toInvitationForm(again, {}).values).toMatchObject({
    author: "Anna-Lena K.",
    items: { 1: { score: "5", content: "Fine lamp." } },
    seller: { score: "5" },
  });
  // An unchanged submission has no effect.
  await send(token, { "items.1.score": "5", "items.1.content": "Fine lamp.", "seller.score": "5" });
  expect(await reviews()).toMatchObject([{ accepted: true }]);
  await send(token, { "items.1.score": "1", "items.1.content": "It broke.", "seller.score": "3" });
  expect(await reviews()).toMatchObject([{ accepted: null, accepted_at: null, score: 1, extract: "It broke." }]);
  const { rows } = await pool().query(
    "select kind, action, from_state, to_state, texts from moderation_events where action = 'edited' order by kind",
  );
  expect(rows).toMatchObject([
    { kind: "review", from_state: "accepted", to_state: "pending", texts: { extract: "Fine lamp.", score: 5 } },
    { kind: "seller_review", from_state: "accepted", to_state: "pending", texts: { score: 5 } },
  ]);
  const { rows: sellers } = await pool().query("select score, accepted from seller_reviews");
  expect(sellers).toEqual([{ score: 3, accepted: null }]);
});

test("marks what is written or edited while the store offers something, and never removes the mark", async () => {
  const { client, token } = await createInvitation();
  const offer = (config: object) => setClient(client, { config });
  const marks = async () => [
    ...(await reviews()).map(({ incentivized }) => incentivized),
    ...(await pool().query("select incentivized from seller_reviews")).rows.map(({ incentivized }) => incentivized),
  ];
  await send(token, { "items.1.score": "5", "items.1.content": "Fine lamp.", "seller.score": "5" });
  expect(await marks()).toEqual([false, false]);
  await offer({ incentive: "A voucher" });
  const open = await at("2026-03-12", () => openInvitation(token));
  expect(open.state === "open" && toInvitationForm(open, {}).incentive).toBe("A voucher");
  // What was sent without a change was not written for it.
  await send(token, {
    "items.1.score": "5",
    "items.1.content": "Fine lamp.",
    "items.3.score": "4",
    "seller.score": "4",
  });
  expect(await marks()).toEqual([false, true, true]);
  await send(token, { "items.1.score": "4", "items.1.content": "A lamp." });
  expect(await marks()).toEqual([true, true, true]);
  await offer({});
  await send(token, { "items.1.score": "3", "items.1.content": "Some lamp.", "seller.score": "3" });
  expect(await marks()).toEqual([true, true, true]);
  const { rows } = await pool().query(
    "select kind, texts->'score' as score, texts->'incentivized' as incentivized from moderation_events where action = 'edited' order by id",
  );
  expect(rows).toEqual([
    { kind: "seller_review", score: 5, incentivized: false },
    { kind: "review", score: 5, incentivized: false },
    { kind: "review", score: 4, incentivized: null },
    { kind: "seller_review", score: 4, incentivized: null },
  ]);
  // The store's log has the mark of what was edited, once.
  await appendEntries();
  const head = await readHead(client);
  const entries = await Array.fromAsync(readEntries(client, head?.size ?? 0));
  const edits = entries.flatMap((entry) => (entry.type === "edited" ? [entry] : []));
  const first = { by: "author", fields: expect.arrayContaining(["incentivized", "score"]), incentivized: true };
  expect(edits).toMatchObject([
    { kind: "seller_review", stars: 4, ...first },
    { kind: "review", stars: 4, ...first },
    { kind: "review", stars: 3 },
    { kind: "seller_review", stars: 3 },
  ]);
  for (const edit of edits.slice(2)) expect(edit).not.toHaveProperty("incentivized");
  expect(await verifyOwnLog(client)).toMatchObject({ problem: null });
});

test("returns all issues, keeps the input and stores nothing", async () => {
  const { token } = await createInvitation({
    min_review_words: 5,
    min_review_words_promoter: 2,
    must_agree_to_terms: true,
    config: { terms_url: "https://shop.example/terms" },
    custom_questions: [
      {
        id: "fit",
        name: "Fit",
        type: "select",
        multiple: false,
        required: true,
        categories: [],
        options: [{ id: "s", label: { en: "S" } }],
        label: { en: "Fit?" },
      },
    ],
  });
  const outcome = await send(token, {
    author: "  ",
    "items.1.score": "5",
    "items.1.content": "Good",
    "items.2.score": "7",
    "items.2.content": "Short",
    "items.2.title": "x".repeat(256),
    "items.2.answers.fit": "xxl",
    "items.3.content": "Stars forgotten for this one here",
    "items.3.answers.fit": "s",
    "items.9.score": "5",
  });
  expect(issuesOf(outcome)).toEqual([
    "items.1.content",
    "items.1.answers.fit",
    "items.2.score",
    "items.2.title",
    "items.2.content",
    "items.2.answers.fit",
    "items.3.score",
    "author",
    "terms",
  ]);
  if (outcome.outcome !== "issues") return;
  expect(outcome.state.issues[0]?.message).toBe("Write at least 2 words.");
  expect(outcome.state.values.items[2]).toMatchObject({ content: "Short", answers: { fit: ["xxl"] } });
  expect(await reviews()).toEqual([]);
});

test("requires a rating and skips unrated items", async () => {
  const { token } = await createInvitation();
  expect(issuesOf(await send(token, {}))).toEqual(["items.1.score"]);
  expect(await send(token, { "items.1.score": "none", "items.1.content": "x", "items.2.score": "3" })).toMatchObject({
    reviews: 1,
  });
  expect(await reviews()).toMatchObject([{ product_id: "p2", extract: "" }]);
});

test("accepts photos with the form or uploaded before it, and reports an invalid one", async () => {
  const { client, token } = await createInvitation();
  const ahead = await at("2026-03-12", async () => storeUpload({ id: client }, await photo()));
  const bad = new File(["no image"], "<b>.jpg", { type: "image/jpeg" });
  const first = await send(token, {
    "items.1.score": "4",
    "items.1.images": ahead.token,
    "items.1.files": [await photo("two.png"), bad],
  });
  expect(issuesOf(first)).toEqual(["items.1.files"]);
  if (first.outcome !== "issues") return;
  expect(first.state.issues[0]?.message).toContain("<b>.jpg");
  const tokens = first.state.values.items[1]?.images ?? [];
  expect(tokens).toHaveLength(2);
  expect(await send(token, { "items.1.score": "4", "items.1.images": tokens })).toMatchObject({ reviews: 1 });
  expect((await reviews())[0].images).toHaveLength(2);
  // Removes one photo; a token that isn't the author's is rejected.
  await send(token, { "items.1.score": "4", "items.1.images": tokens.slice(1) });
  expect((await reviews())[0].images.map((image: { token: string }) => image.token)).toEqual(tokens.slice(1));
  expect(issuesOf(await send(token, { "items.2.score": "4", "items.2.images": tokens.slice(1) }))).toEqual([
    "items.2.files",
  ]);
});

test("drops fields that the client doesn't collect", async () => {
  const { token } = await createInvitation({
    collect_pros_cons: false,
    collect_recommended: false,
    collect_seller_reviews: false,
  });
  await send(token, {
    "items.1.score": "4",
    "items.1.pros": "Warm",
    "items.1.recommended": "no",
    "seller.score": "1",
  });
  expect(await reviews()).toMatchObject([{ pros: [], recommended: null }]);
  expect((await pool().query("select from seller_reviews")).rowCount).toBe(0);
});

test("stores one review per item for concurrent submissions", async () => {
  const { token } = await createInvitation();
  await Promise.all([1, 2, 3].map((score) => send(token, { "items.1.score": String(score), "seller.score": "5" })));
  expect(await reviews()).toHaveLength(1);
  expect((await pool().query("select from seller_reviews")).rowCount).toBe(1);
});

test("writes nothing when opened, expires after 180 days, and is unknown if the link is invalid or erased", async () => {
  const { client, id, token } = await createInvitation();
  const before = (await pool().query("select xmin::text, * from invitations")).rows;
  const open = await at("2026-03-11", () => openInvitation(token));
  if (open.state !== "open") throw new Error("not open");
  expect(toInvitationForm(open, { item: "2", score: "4" }).values.items[2]?.score).toBe("4");
  expect(toInvitationForm(open, { item: "2", score: "9" }).values.items[2]?.score).toBe("");
  expect(toInvitationForm(open, {}).values.author).toBe("Anna-Lena K.");
  expect((await pool().query("select xmin::text, * from invitations")).rows).toEqual(before);
  // Tokens have no start time, so links work even if the reader's clock is behind.
  expect((await at("2026-03-01", () => openInvitation(token))).state).toBe("open");
  expect((await at("2026-09-05", () => openInvitation(token))).state).toBe("open");
  expect((await at("2026-09-07", () => openInvitation(token))).state).toBe("expired");
  await expect(send(token, { "items.1.score": "5" }, "2026-09-07")).rejects.toMatchObject({ code: "not_found" });
  const other = await makeClient("other");
  for (const invalidToken of [invitationToken(other, id), invitationToken(client, "inv_x"), `${token}A`, "x", ""])
    expect((await openInvitation(invalidToken)).state).toBe("unknown");
  await pool().query("delete from invitations");
  expect((await at("2026-03-11", () => openInvitation(token))).state).toBe("unknown");
  await expect(send(token, { "items.1.score": "5" })).rejects.toMatchObject({ code: "not_found" });
});

test("excludes a cancelled item", async () => {
  const { token } = await createInvitation();
  await pool().query("update order_items set reviewable = false where id = 'p2'");
  const open = await at("2026-03-11", () => openInvitation(token));
  expect(open.state === "open" && open.items.map(({ position }) => position)).toEqual([1, 3]);
});

test("asks once for a missing text, for each item, and accepts the form when it is sent again", async () => {
  const { token } = await createInvitation();
  const sendWithoutText = (fields: Parameters<typeof form>[0]) => {
    const data = form(fields);
    data.delete("asked");
    return at("2026-03-12", () => submitInvitationForm(token, data, "192.0.2.7"));
  };
  const two = { "items.1.score": "5", "items.2.score": "4", "items.2.pros": "Warm" };
  const warned = await sendWithoutText(two);
  expect(warned).toMatchObject({
    outcome: "issues",
    state: { warned: true, issues: [{ field: "items.1.content" }], values: { author: "Anna-Lena K." } },
  });
  expect((await pool().query("select from reviews")).rowCount).toBe(0);
  // Issues are reported first, without the warning.
  expect((await sendWithoutText({ ...two, author: " " })) as object).toMatchObject({
    state: { issues: [{ field: "author" }] },
  });
  expect(await send(token, two)).toEqual({ outcome: "stored", reviews: 2 });
  // Edits of an existing review don't cause the warning.
  expect(await sendWithoutText({ ...two, "items.1.score": "3" })).toEqual({ outcome: "stored", reviews: 2 });
});

test("each review, and the one of the store, has a receipt", async () => {
  const { client, token } = await createInvitation({ collect_seller_reviews: true });
  await send(token, {
    "items.1.score": "4",
    "items.1.content": "Bright.",
    "items.3.score": "2",
    "items.3.content": "Dark.",
    "seller.score": "5",
  });
  const open = await at("2026-03-12", () => openInvitation(token));
  if (open.state !== "open") throw new Error("The link is not open.");
  const receipts = await receiptsOfInvitation(open);
  expect(receipts.map(({ name }) => name)).toEqual(["Lamp", "Lamp again", null]);
  const { rows } = await pool().query<{ kind: "review" | "seller_review"; subject_id: string; salt: string }>(
    "select kind, subject_id, salt from moderation_events where client_id = $1 and kind in ('review', 'seller_review')",
    [client],
  );
  expect(receipts.map(({ token }) => token).sort()).toEqual(
    rows.map(({ kind, subject_id, salt }) => receiptToken(kind, subject_id, salt)).sort(),
  );
});
