import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as hookDeliveries from "@/app/portal/api/v1/webhooks/[id]/deliveries/route";
import * as hookPause from "@/app/portal/api/v1/webhooks/[id]/pause/route";
import * as hookReplay from "@/app/portal/api/v1/webhooks/[id]/replay/route";
import * as hookResume from "@/app/portal/api/v1/webhooks/[id]/resume/route";
import * as hookRotate from "@/app/portal/api/v1/webhooks/[id]/rotate/route";
import * as hook from "@/app/portal/api/v1/webhooks/[id]/route";
import * as hookTest from "@/app/portal/api/v1/webhooks/[id]/test/route";
import * as hooks from "@/app/portal/api/v1/webhooks/route";
import * as erase from "@/app/v1/personal_data/delete/route";
import * as oneReview from "@/app/v1/reviews/[id]/route";
import * as reviews from "@/app/v1/reviews/route";
import { deliverDueEvents } from "@/lib/integrations/webhooks/deliver-due";
import { listDueWebhooks, purgeWebhookDeliveries } from "@/lib/integrations/webhooks/list-due";
import { getWebhook, listDeliveriesBySubject, listWebhookDeliveries } from "@/lib/integrations/webhooks/list-webhooks";
import { sealAddress } from "@/lib/integrations/webhooks/rows";
import { testWebhook } from "@/lib/integrations/webhooks/test-webhook";
import { defaultEvents, type WebhookEvent } from "@/lib/integrations/webhooks/values";
import { pool, transaction } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import type { OutboxEvent } from "@/lib/platform/jobs/outbox/events";
import { relayToInngest } from "@/lib/platform/jobs/outbox/relay";
import { purgeOutbox } from "@/lib/platform/jobs/purge";
import { decideItem } from "@/lib/reviews/decisions/decide-items";
import { call } from "@/lib/tools/test/call";
import { aClient, aMember, aUser, notificationsOf, rowsOf, someReviews, uniqueName } from "@/lib/tools/test/factories";
import { expectError } from "@/lib/tools/test/lists";
import { type WebhookReceiver, webhookReceiver } from "@/lib/tools/test/webhook-receiver";

const PATH = "/portal/api/v1/webhooks";
const network = { allows: () => true };
const by = { kind: "user", id: "u" } as const;

let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await webhookReceiver();
});
afterEach(async () => {
  vi.useRealTimers();
  await receiver.stop();
  expect(receiver.schemaErrors).toEqual([]);
});

/** A client with a webhook at the receiver. */
async function aWebhook(events?: WebhookEvent[]) {
  const shop = await aClient();
  const admin = await aMember(shop, "admin");
  const body = { url: "https://hooks.invalid/in", ...(events && { events }) };
  const made = await call(hooks, "POST", PATH, { ...admin, body });
  expect(made.status).toBe(201);
  const { id, secret } = made.json.data;
  await pointWebhookTo(id, receiver.url);
  receiver.secret = secret;
  const deliver = () => deliverDueEvents(shop.id, id, network);
  const emitEvents = (...facts: OutboxEvent[]) => transaction((db) => enqueue(db, facts));
  const callAction = (module: typeof hookPause, word: string) => call(module, "POST", `${PATH}/${id}/${word}`, admin);
  return { shop, admin, id, secret, deliver, emit: emitEvents, press: callAction };
}

/** The guard blocks this machine, so the address is replaced afterwards. */
const pointWebhookTo = async (id: string, url: string) => {
  const sealed = sealAddress(url);
  await pool().query("update webhooks set url = $2, sealed_url = $3 where id = $1", [
    id,
    sealed.url,
    sealed.sealed_url,
  ]);
};

/** Outbox events of a review, and what a receiver gets. */
const story = (client_id: string, review_id: string): OutboxEvent[] => [
  { name: "review/submitted", data: { client_id, review_id } },
  { name: "review/decided", data: { client_id, review_id, from: "pending", to: "accepted" } },
  { name: "review/replied", data: { client_id, review_id, response_id: "r1" } },
  { name: "review/deleted", data: { client_id, review_id } },
];
const storyTypes = ["review.created", "review.accepted", "review.replied", "review.deleted"];

const ofReview = (id: string) => receiver.received.filter(({ data }) => data.review_id === id).map(({ type }) => type);

describe("the log", () => {
  const log = async (id: string, admin: object) =>
    (await call(hookDeliveries, "GET", `${PATH}/${id}/deliveries`, admin)).json.data;

  it("shows every attempt with the beginning of its response, even of a delivered event", async () => {
    const { shop, id, admin, deliver, emit } = await aWebhook();
    receiver.nextAnswers = [
      { status: 500, body: `\u001b[31mno\u0000 \u{1f44b}, ${"x".repeat(5_000)}` },
      { status: 503, body: "later" },
      { status: 200, body: "thanks" },
    ];
    await emit({ name: "review/submitted", data: { client_id: shop.id, review_id: "a" } });
    for (let n = 0; n < 3; n += 1) {
      await pool().query("update webhooks set next_try_at = null");
      await pool().query("update webhook_deliveries set due_at = now() - interval '1 s'");
      await deliver();
    }
    const [delivery] = await log(id, admin);
    expect(delivery).toMatchObject({ state: "sent", attempts: 3 });
    expect(delivery.attempt_log).toMatchObject([
      { status: 500, error: expect.stringContaining("500") },
      { status: 503, answer: "later" },
      { status: 200, answer: "thanks", error: null },
    ]);
    const [refused] = delivery.attempt_log;
    expect(refused.answer).toMatch(/^\[31mno \u{1f44b}, x+$/u);
    expect(Buffer.byteLength(refused.answer)).toBeLessThanOrEqual(1_024);
    expect(Date.parse(refused.at)).not.toBeNaN();
    expect(refused.duration_ms).toBeGreaterThanOrEqual(0);
  });

  it("keeps the last twenty attempts, including those without response, and none beyond the delivery", async () => {
    const { shop, id, admin, deliver, emit } = await aWebhook();
    receiver.down = true;
    await emit({ name: "review/submitted", data: { client_id: shop.id, review_id: "a" } });
    for (let n = 0; n < 23; n += 1) {
      await pool().query("update webhooks set next_try_at = null");
      await pool().query("update webhook_deliveries set due_at = now() - interval '1 s'");
      await deliver();
    }
    const [delivery] = await log(id, admin);
    expect(delivery.attempts).toBe(23);
    expect(delivery.attempt_log).toHaveLength(20);
    const moments = delivery.attempt_log.map(({ at }: { at: string }) => at);
    expect(moments).toEqual(moments.toSorted());
    expect(delivery.attempt_log.at(-1)).toMatchObject({ status: null, answer: null, error: expect.any(String) });
  });

  it("keeps the beginning of a response that never ends", async () => {
    const { shop, id, admin, deliver, emit } = await aWebhook();
    receiver.neverEndsBody = true;
    await emit({ name: "review/submitted", data: { client_id: shop.id, review_id: "a" } });
    expect(await deliver()).toMatchObject({ sent: 1 });
    const [delivery] = await log(id, admin);
    expect(delivery.attempt_log).toMatchObject([{ status: 200, answer: "and so on" }]);
  });
});

describe("an event", () => {
  it("is sent as the specification requires, verifiable and without personal data", async () => {
    const { shop, deliver, emit } = await aWebhook();
    const client_id = shop.id;
    const decision = (to: "accepted" | "rejected") => ({ from: "pending", to }) as const;
    await emit(
      ...story(client_id, "a"),
      { name: "review/submitted", data: { client_id, review_id: "b", edited: true } },
      { name: "review/decided", data: { client_id, review_id: "b", ...decision("rejected") } },
      { name: "seller_review/submitted", data: { client_id, seller_review_id: "c" } },
      { name: "seller_review/submitted", data: { client_id, seller_review_id: "c", edited: true } },
      { name: "seller_review/decided", data: { client_id, seller_review_id: "c", ...decision("accepted") } },
      { name: "seller_review/decided", data: { client_id, seller_review_id: "c", ...decision("rejected") } },
      { name: "seller_review/replied", data: { client_id, seller_review_id: "c", response_id: "r2" } },
      { name: "seller_review/deleted", data: { client_id, seller_review_id: "c" } },
      { name: "question/submitted", data: { client_id, question_id: "d" } },
      { name: "question/verified", data: { client_id, question_id: "d" } },
      { name: "question/decided", data: { client_id, question_id: "d", ...decision("accepted") } },
      { name: "question/decided", data: { client_id, question_id: "d", ...decision("rejected") } },
      { name: "question/replied", data: { client_id, question_id: "d", answer_id: "r3" } },
      { name: "question/deleted", data: { client_id, question_id: "d" } },
      { name: "invitation/scheduled", data: { client_id, invitation_id: "i" } },
      { name: "invitation/sent", data: { client_id, invitation_id: "i" } },
      { name: "invitation/bounced", data: { client_id, invitation_id: "i" } },
      { name: "invitation/skipped", data: { client_id, invitation_id: "j", reason: "opted_out" } },
      { name: "personal_data/deleted", data: { client_id, erasure_id: "e" } },
      { name: "invitations/due", data: { client_id } },
      { name: "answer/decided", data: { client_id, question_id: "d", answer_id: "r3", ...decision("accepted") } },
    );
    expect(await deliver()).toEqual({ sent: 23, failed: 0, withdrawn: 0, nextInSeconds: null });
    expect([...new Set(receiver.received.map(({ type }) => type))].sort()).toEqual([...defaultEvents].sort());
    expect(receiver.invalidSignatures).toBe(0);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(23);
    const [created] = receiver.received.filter(({ data }) => data.review_id === "a");
    expect(created?.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(created?.data).toEqual({
      client_id,
      review_id: "a",
      url: `http://localhost:3000/v1/reviews/a?client_id=${client_id}`,
    });
    const dataOf = (type: string) => receiver.received.find((event) => event.type === type)?.data;
    expect(dataOf("review.deleted")).toEqual({ client_id, review_id: "a" });
    expect(dataOf("review.replied")).toMatchObject({ response_id: "r1" });
    expect(dataOf("invitation.skipped")).toEqual({ client_id, invitation_id: "j", reason: "opted_out" });
    expect(dataOf("personal_data.deleted")).toEqual({ client_id, deletion_id: "e" });
  });

  it("is written in the transaction of its change, or not at all", async () => {
    const { shop, deliver } = await aWebhook();
    const customer = { id: "c-1", name: "Ada Berg", email: "ada.berg@example.org" };
    const review = { score: 5, author: "Ada", extract: "Warm light", order: { customer, item: { id: "lamp" } } };
    const made = await call(reviews, "POST", "/v1/reviews", { key: shop.key, body: { review } });
    const id = made.json.data.id;
    const put = { key: shop.key, body: { review: { accepted: true } } };
    expect((await call(oneReview, "PUT", `/v1/reviews/${id}`, put)).status).toBe(200);
    expect((await call(oneReview, "DELETE", `/v1/reviews/${id}`, { key: shop.key })).status).toBe(204);
    await transaction(async (db) => {
      await enqueue(db, story(shop.id, "never"));
      throw new Error("rolled back");
    }).catch(() => undefined);
    await deliver();
    const types = ofReview(id);
    expect([types[0], types.at(-1)]).toEqual(["review.created", "review.deleted"]);
    expect(types).toContain("review.accepted");
    expect(ofReview("never")).toEqual([]);
    const receivedText = receiver.received.map(({ raw }) => raw).join();
    for (const word of ["ada.berg", "Ada", "Warm light"]) expect(receivedText).not.toContain(word);
  });

  it("isn't sent if a decision is undone in time", async () => {
    const { shop, deliver } = await aWebhook();
    const [id = ""] = await someReviews(shop.id, [{}]);
    await decideItem(by, shop.client, "review", id, { accepted: true });
    expect(await deliver()).toMatchObject({ sent: 0 });
    await decideItem(by, shop.client, "review", id, { accepted: null, undo: true });
    expect(await rowsOf("select event from webhook_deliveries where client_id = $1", [shop.id])).toEqual([]);
    await decideItem(by, shop.client, "review", id, { accepted: false });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11_000 });
    expect(await deliver()).toMatchObject({ sent: 1 });
    expect(ofReview(id)).toEqual(["review.rejected"]);
    // Outbox events are deleted later; deliveries stay in the log.
    await rowsOf("update outbox set relayed_at = now() - interval '4 days'");
    await purgeOutbox();
    expect(await rowsOf("select state from webhook_deliveries where client_id = $1", [shop.id])).toEqual([
      { state: "sent" },
    ]);
  });

  it("is sent with its undo if a decision is undone while Inngest receives it", async () => {
    const { shop, deliver } = await aWebhook();
    const [id = ""] = await someReviews(shop.id, [{}]);
    await decideItem(by, shop.client, "review", id, { accepted: true });
    await rowsOf("update outbox set available_at = now() where client_id = $1", [shop.id]);
    await relayToInngest(
      async () => void (await decideItem(by, shop.client, "review", id, { accepted: null, undo: true })),
    );
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11_000 });
    expect(await deliver()).toMatchObject({ sent: 2 });
    expect(ofReview(id)).toEqual(["review.accepted", "review.updated"]);
  });

  it("starts another run if the previous one was started and may be over", async () => {
    const { shop, emit } = await aWebhook();
    await emit(...story(shop.id, "a"));
    const later = { name: "review/replied", data: { client_id: shop.id, review_id: "a", response_id: "r2" } } as const;
    await relayToInngest(() => emit({ ...later, delay_seconds: 40 }));
    const due = await rowsOf(
      "select taken_until is null as untaken from outbox where client_id = $1 and name = 'webhook/due' order by id",
      [shop.id],
    );
    expect(due).toEqual([{ untaken: false }, { untaken: true }]);
  });

  it("is sent only to subscribed webhooks of the client", async () => {
    const { shop, deliver, emit } = await aWebhook(["review.accepted"]);
    const otherClient = await aClient();
    await emit(...story(shop.id, "a"), ...story(otherClient.id, "b"));
    await deliver();
    expect(receiver.received.map(({ type, data }) => [type, data.review_id])).toEqual([["review.accepted", "a"]]);
  });

  it("starts one run, however many events occur", async () => {
    const { shop, emit, id } = await aWebhook();
    for (let index = 0; index < 5; index += 1) await emit(...story(shop.id, `r${index}`));
    expect(await rowsOf("select data from outbox where name = 'webhook/due' and client_id = $1", [shop.id])).toEqual([
      { data: { client_id: shop.id, webhook_id: id } },
    ]);
    expect(await listDueWebhooks([shop.id])).toEqual([{ client_id: shop.id, webhook_id: id }]);
  });

  it("is deleted with the person, except for the deletion event", async () => {
    const { shop, deliver, id } = await aWebhook();
    const review = { score: 1, author: "Ada", order: { customer: { id: "c-9" }, item: { id: "lamp" } } };
    const made = await call(reviews, "POST", "/v1/reviews", { key: shop.key, body: { review } });
    await deliver();
    await call(hookPause, "POST", `${PATH}/${id}/pause`, await aMember(shop, "admin"));
    expect(
      (await call(erase, "POST", "/v1/personal_data/delete", { key: shop.key, body: { customer_id: "c-9" } })).status,
    ).toBe(204);
    const left = await rowsOf("select event, data from webhook_deliveries where client_id = $1 order by id", [shop.id]);
    expect(left.map(({ event }) => event)).toEqual(["review.deleted", "personal_data.deleted"]);
    expect(JSON.stringify(left)).not.toContain("c-9");
    expect(left[0].data).toEqual({ review_id: made.json.data.id });
  });
});

describe("a signing secret", () => {
  it("is rotated with an overlap, in which either verifies", async () => {
    const { shop, deliver, emit, press, secret } = await aWebhook();
    const startedAt = Date.now();
    const rotated = await press(hookRotate, "rotate");
    expect(rotated.json.data.secret).not.toBe(secret);
    const hours = (Date.parse(rotated.json.data.old_secret_until) - startedAt) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    await emit(...story(shop.id, "before"));
    await deliver();
    receiver.secret = rotated.json.data.secret;
    await emit(...story(shop.id, "between"));
    await deliver();
    expect(receiver.headers.at(-1)?.["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);
    vi.useFakeTimers({ toFake: ["Date"], now: startedAt + 24.1 * 3_600_000 });
    await emit(...story(shop.id, "after"));
    await deliver();
    expect(receiver.headers.at(-1)?.["webhook-signature"]).toMatch(/^v1,\S+$/);
    expect(receiver.invalidSignatures).toBe(0);
    for (const id of ["before", "between", "after"]) expect(ofReview(id)).toEqual(storyTypes);
    receiver.secret = secret;
    await emit({ name: "review/updated", data: { client_id: shop.id, review_id: "x" } });
    expect(await deliver()).toMatchObject({ sent: 0, failed: 1 });
    expect(receiver.invalidSignatures).toBe(1);
  });

  it("in use survives a second rotation on the same day", async () => {
    const { shop, deliver, emit, press } = await aWebhook();
    await Promise.all([press(hookRotate, "rotate"), press(hookRotate, "rotate")]);
    await emit(...story(shop.id, "twice"));
    await deliver();
    expect(receiver.invalidSignatures).toBe(0);
    expect(ofReview("twice")).toEqual(storyTypes);
  });

  it("that is unreadable is reported, like the address, and both can be set again", async () => {
    const { shop, admin, id, deliver, emit, press } = await aWebhook();
    await rowsOf("update webhooks set sealed_url = '\\x0102', secrets = '\\x0102' where id = $1", [id]);
    const shown = async () => (await getWebhook(shop, id)).last_error;
    expect(await shown()).toContain("URL can’t be decrypted");
    await emit({ name: "review/updated", data: { client_id: shop.id, review_id: "lost" } });
    expect(await deliver()).toMatchObject({ sent: 0, failed: 1 });
    const body = { url: "https://hooks.invalid/in" };
    expect((await call(hook, "PUT", `${PATH}/${id}`, { ...admin, body })).status).toBe(200);
    expect(await shown()).toContain("secret can’t be decrypted");
    receiver.secret = (await press(hookRotate, "rotate")).json.data.secret;
    await pointWebhookTo(id, receiver.url);
    await press(hookResume, "resume");
    expect(await deliver()).toMatchObject({ sent: 1, failed: 0 });
    expect(ofReview("lost")).toEqual(["review.updated"]);
    expect(await shown()).toBeNull();
  });

  it("is returned once, and in no other response, dump, log or error", async () => {
    const lines: string[] = [];
    const written = vi.spyOn(process.stderr, "write").mockImplementation((line) => lines.push(String(line)) > 0);
    const { shop, admin, id, secret, deliver, emit, press } = await aWebhook();
    receiver.nextAnswers = [500];
    await emit(...story(shop.id, "a"));
    await deliver();
    const second = (await press(hookRotate, "rotate")).json.data.secret;
    const answers = [
      await press(hookPause, "pause"),
      await press(hookResume, "resume"),
      await press(hookTest, "test"),
      await call(hook, "PUT", `${PATH}/${id}`, {
        ...admin,
        body: { url: "https://hooks.invalid/services/path-token-58?key=other-token-31" },
      }),
      await call(hook, "PUT", `${PATH}/${id}`, { ...admin, body: { url: "http://10.0.0.1/?key=other-token-31" } }),
    ];
    written.mockRestore();
    const tables = await rowsOf("select tablename from pg_tables where schemaname = 'public'");
    const dump = await Promise.all(
      tables.map(async ({ tablename }) => JSON.stringify(await rowsOf(`select t::text from "${tablename}" t`))),
    );
    const bytes = await rowsOf(
      "select encode(secrets, 'escape') || encode(sealed_url, 'escape') || encode(secrets, 'base64') as b from webhooks",
    );
    const allOutput = [...lines, ...answers.map(({ text }) => text), ...dump, JSON.stringify(bytes)].join("\n");
    expect(allOutput).toContain(id);
    for (const hidden of [secret, second, secret.slice(6), "in-the-address-77", "path-token-58", "other-token-31"])
      expect(allOutput).not.toContain(hidden);
  });
});

describe("a receiver", () => {
  it("that is down for a day gets everything afterwards, in order for each review, also signed with a new secret", {
    timeout: 60_000,
  }, async () => {
    const { shop, deliver, emit, press, id } = await aWebhook();
    const startedAt = Date.now();
    const ids = Array.from({ length: 12 }, (_, index) => `review-${index}`);
    receiver.down = true;
    const stories = ids.map((review) => story(shop.id, review));
    for (let minute = 0; minute < 23.5 * 60; minute += 20) {
      vi.useFakeTimers({ toFake: ["Date"], now: startedAt + minute * 60_000 });
      // Events occur over the day, part of every review's story at a time.
      const step = stories[Math.floor(minute / 20) % ids.length]?.shift();
      if (step) await emit(step);
      await deliver();
      if (minute === 12 * 60) receiver.secret = (await press(hookRotate, "rotate")).json.data.secret;
    }
    expect(receiver.received).toEqual([]);
    expect(receiver.requestCount).toBeLessThan(250);
    expect(await getWebhook(shop, id)).toMatchObject({ state: "failing", waiting: 48 });
    receiver.down = false;
    vi.useFakeTimers({ toFake: ["Date"], now: startedAt + 23.9 * 3_600_000 });
    for (let turn = 0; turn < 60 && receiver.received.length < 48; turn += 1) {
      await deliver();
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 15 * 60_000 });
    }
    for (const review of ids) expect(ofReview(review)).toEqual(storyTypes);
    expect(receiver.invalidSignatures).toBe(0);
    expect(await getWebhook(shop, id)).toMatchObject({ state: "active", waiting: 0, last_error: null });
  });

  it("that fails for a day is disabled, admins are emailed, and all events are delivered once it is resumed", async () => {
    const { shop, deliver, emit, press, id } = await aWebhook();
    const admins = await Promise.all(
      ["admin", "admin", "viewer"].map((role) => aUser(role as "admin", { clients: [shop.id] })),
    );
    for (const [index, { username }] of admins.entries())
      await rowsOf("update users set email = $2, locale = $3 where username = $1", [
        username,
        `person-${index}@example.org`,
        index === 1 ? "de" : null,
      ]);
    await emit(...story(shop.id, "a"), ...story(shop.id, "b"));
    receiver.down = true;
    const startedAt = Date.now();
    // A single event is tried at least every four hours, give or take a tenth.
    for (let hour = 0; hour <= 30; hour += 0.5) {
      vi.useFakeTimers({ toFake: ["Date"], now: startedAt + hour * 3_600_000 });
      await deliver();
    }
    expect(await getWebhook(shop, id)).toMatchObject({ state: "disabled", disabled_reason: "failing", waiting: 8 });
    const mails = await rowsOf(`select "to", subject, html, text from mails where client_id = $1 order by "to"`, [
      shop.id,
    ]);
    expect(mails.map(({ to }) => to)).toEqual(["person-0@example.org", "person-1@example.org"]);
    expect(mails.map(({ subject }) => subject)).toEqual([
      `Webhook disabled for ${shop.client.display_name}`,
      `Webhook für ${shop.client.display_name} deaktiviert`,
    ]);
    expect(mails[0].text).toContain("Couldn’t connect to http");
    expect(mails[1].text).toContain("Die Verbindung zu http");
    expect(mails[0].text).toContain("/portal/integrations?client_id=");
    expect(JSON.stringify(mails)).not.toContain("in-the-address-77");
    expect(await rowsOf("select from outbox where name = 'mail/queued' and client_id = $1", [shop.id])).toHaveLength(2);
    const tries = receiver.requestCount;
    await emit(...story(shop.id, "c"));
    await deliver();
    expect(receiver.requestCount).toBe(tries);
    receiver.down = false;
    expect((await press(hookResume, "resume")).json.data).toMatchObject({ state: "active", waiting: 12 });
    await deliver();
    for (const review of ["a", "b", "c"]) expect(ofReview(review)).toEqual(storyTypes);
  });

  it("that responds 410 is disabled immediately", async () => {
    const { shop, deliver, emit, id } = await aWebhook();
    await rowsOf("update clients set contact_email = 'support@shop.example', locale = 'sv_SE' where id = $1", [
      shop.id,
    ]);
    await emit({ name: "review/updated", data: { client_id: shop.id, review_id: "a" } });
    receiver.nextAnswers = [410];
    expect(await deliver()).toMatchObject({ sent: 0, failed: 1, nextInSeconds: null });
    expect(await getWebhook(shop, id)).toMatchObject({ state: "disabled", disabled_reason: "gone" });
    const [mail, ...others] = await rowsOf(`select "to", subject, text from mails where client_id = $1`, [shop.id]);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      to: "support@shop.example",
      subject: `Webhook inaktiverad för ${shop.client.display_name}`,
    });
    expect(mail.text).toContain("den är permanent borttagen (status 410)");
    expect(mail.text).toContain("kontaktadress för");
    expect(mail.text).not.toContain("support@shop.example");
    expect(await notificationsOf(shop.id)).toEqual([
      {
        kind: "webhook_disabled",
        params: { url: (await getWebhook(shop, id)).url },
        path: `/portal/integrations/webhooks/${id}`,
        count: 1,
        user_id: expect.any(String),
      },
    ]);
    await emit(...story(shop.id, "b"));
    expect(await rowsOf("select from webhook_deliveries where subject = 'b' and client_id = $1", [shop.id])).toEqual(
      [],
    );
  });

  it("that rejects one event gets all others, while later events of its subject wait", async () => {
    const { shop, deliver, emit, id } = await aWebhook();
    await emit(...story(shop.id, "bad"));
    receiver.nextAnswers = [400];
    await deliver();
    const startedAt = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: startedAt + 30_000 });
    await emit(...story(shop.id, "good"));
    await deliver();
    expect(ofReview("good")).toEqual(storyTypes);
    expect(ofReview("bad")).toEqual(storyTypes);
    const { deliveries } = await listWebhookDeliveries(shop, id);
    expect(deliveries.find(({ subject, event }) => subject === "bad" && event === "review.created")).toMatchObject({
      state: "sent",
      attempts: 2,
      status: 204,
      error: null,
    });
  });

  it("that requests a wait gets it", async () => {
    const { shop, deliver, emit, id } = await aWebhook();
    await emit({ name: "review/updated", data: { client_id: shop.id, review_id: "a" } });
    receiver.nextAnswers = [{ status: 429, headers: { "retry-after": "120" } }];
    const { nextInSeconds: wait } = await deliver();
    expect(wait).toBeGreaterThan(110);
    const { deliveries } = await listWebhookDeliveries(shop, id);
    expect(deliveries).toMatchObject([{ state: "pending", status: 429, error: expect.stringContaining("429") }]);
  });

  it("receives events of a review one at a time", { timeout: 30_000 }, async () => {
    const { shop, deliver, emit } = await aWebhook();
    receiver.delayMs = 5;
    const ids = Array.from({ length: 12 }, () => uniqueName("review"));
    for (const id of ids) await emit(...story(shop.id, id));
    await Promise.all([deliver(), deliver(), deliver(), deliver()]);
    while ((await deliver()).nextInSeconds !== null) await new Promise((done) => setTimeout(done, 20));
    for (const id of ids) expect(ofReview(id)).toEqual(storyTypes);
    expect(receiver.overlaps).toBe(0);
  });

  it("is called without following redirects, and never at an internal address", async () => {
    const { shop, deliver, emit, id, admin } = await aWebhook();
    const elsewhere = await webhookReceiver();
    await emit({ name: "review/updated", data: { client_id: shop.id, review_id: "a" } });
    receiver.nextAnswers = [{ status: 307, headers: { location: elsewhere.url } }];
    await deliver();
    expect(elsewhere.requestCount).toBe(0);
    expect((await getWebhook(shop, id)).last_error).toContain("redirect");
    await elsewhere.stop();
    for (const url of [
      "https://127.0.0.1/x",
      "https://[::1]/x",
      "https://10.1.2.3/",
      "https://169.254.169.254/latest",
      "http://hooks.invalid/",
    ]) {
      const answer = await call(hooks, "POST", PATH, { ...admin, body: { url } });
      expect([answer.status, answer.json.errors[0].field]).toEqual([422, "url"]);
    }
    // A name that was public when it was saved and resolves to an internal address now.
    const tries = receiver.requestCount;
    await pointWebhookTo(id, receiver.url.replace("127.0.0.1", "rebound.example"));
    const rebound = { resolve: async () => [{ address: "127.0.0.1", family: 4 }] };
    expect(await testWebhook(shop, id, rebound)).toMatchObject({ ok: false, message: /internal network/ });
    expect(receiver.requestCount).toBe(tries);
  });
});

describe("a person", () => {
  it("sends a test event, even to a paused webhook", async () => {
    const { shop, id, press } = await aWebhook();
    await press(hookPause, "pause");
    expect(await testWebhook(shop, id, network)).toEqual({
      ok: true,
      status: 204,
      message: "The receiver accepted the test event (status 204).",
      notices: { message: [expect.objectContaining({ reason: "test_event_taken", params: { status: 204 } })] },
    });
    expect(receiver.received).toMatchObject([{ type: "webhook.test", data: { client_id: shop.id } }]);
    receiver.nextAnswers = [503];
    expect(await testWebhook(shop, id, network)).toMatchObject({ ok: false, status: 503 });
    const { deliveries } = await listWebhookDeliveries(shop, id);
    expect(deliveries).toMatchObject([
      { event: "webhook.test", state: "failed", status: 503 },
      { event: "webhook.test", state: "sent", status: 204 },
    ]);
  });

  it("resends one event or a time range with the same ids", async () => {
    const { shop, admin, deliver, emit, id } = await aWebhook();
    await emit(...story(shop.id, "a"));
    await deliver();
    const first = receiver.received.splice(0);
    const replay = (body: object) => call(hookReplay, "POST", `${PATH}/${id}/replay`, { ...admin, body });
    const { deliveries } = await listWebhookDeliveries(shop, id);
    expect((await replay({ delivery_id: deliveries[0]?.id })).json.data).toEqual({ replayed: 1 });
    await deliver();
    expect(receiver.received.splice(0)).toMatchObject([{ type: "review.deleted", id: first.at(-1)?.id }]);
    const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    expect((await replay({ from: hour(-2), to: hour(-1) })).json.data).toEqual({ replayed: 0 });
    expect((await replay({ from: hour(-1) })).json.data).toEqual({ replayed: 4 });
    expect((await replay({ from: hour(-1) })).json.data).toEqual({ replayed: 0 });
    await deliver();
    expect(receiver.received.map(({ id: message, raw }) => [message, raw])).toEqual(
      first.map(({ id: message, raw }) => [message, raw]),
    );
    const [given] = await rowsOf(
      "update webhook_deliveries set state = 'failed' where webhook_id = $1 and event = 'review.accepted' returning id",
      [id],
    );
    expect((await replay({ failed: true })).json.data).toEqual({ replayed: 1 });
    expect((await replay({ failed: true })).json.data).toEqual({ replayed: 0 });
    expect(await rowsOf("select id from webhook_deliveries where webhook_id = $1 and state = 'pending'", [id])).toEqual(
      [given],
    );
    expect((await replay({ failed: true, from: hour(-1) })).status).toBe(422);
    expect((await replay({ delivery_id: "123456" })).status).toBe(404);
    expect((await replay({})).status).toBe(422);
  });

  it("resends up to 20,000 events at a time", async () => {
    const { admin, id, shop } = await aWebhook();
    await rowsOf(
      `insert into webhook_deliveries (client_id, webhook_id, event, subject, data, happened_at, due_at, state)
       select $1, $2, 'review.updated', 'many', '{}', now() - make_interval(secs => n), now(), 'failed'
         from generate_series(0, 20000) n`,
      [shop.id, id],
    );
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    for (const body of [{ failed: true }, { from: yesterday }])
      expect((await call(hookReplay, "POST", `${PATH}/${id}/replay`, { ...admin, body })).status).toBe(409);
    const touched = "select from webhook_deliveries where client_id = $1 and xmax::text <> '0'";
    expect(await rowsOf(touched, [shop.id])).toEqual([]);
    await rowsOf(
      "delete from webhook_deliveries where id = (select min(id) from webhook_deliveries where client_id = $1)",
      [shop.id],
    );
    const all = await call(hookReplay, "POST", `${PATH}/${id}/replay`, { ...admin, body: { failed: true } });
    expect(all.json.data).toEqual({ replayed: 20_000 });
  });

  it("sees when a pending event is tried next, in the log and beside its subject", async () => {
    const { shop, id } = await aWebhook();
    await rowsOf(
      `insert into webhook_deliveries
         (client_id, webhook_id, event, subject, data, happened_at, state, attempts, tried_at, due_at, leased_by)
       values ($1, $2, 'review.created', 'sent', '{}', '2026-03-01T09:00:00Z', 'sent', 1, '2026-03-01T09:00:00Z', '2026-03-01T09:00:00Z', null),
              ($1, $2, 'review.created', 'pending', '{}', '2026-03-01T09:00:00Z', 'pending', 1, '2026-03-01T09:00:00Z', '2026-03-01T09:30:00Z', null),
              ($1, $2, 'review.created', 'leased', '{}', '2026-03-01T09:00:00Z', 'pending', 2, '2026-03-01T09:10:00Z', '2026-03-01T09:11:00Z', 7)`,
      [shop.id, id],
    );
    const set = (columns: string) => rowsOf(`update webhooks set ${columns} where id = $1`, [id]);
    const nextAttempts = async () => {
      const { deliveries } = await listWebhookDeliveries(shop, id);
      for (const { subject, due_at } of deliveries)
        expect((await listDeliveriesBySubject(shop, subject)).map((one) => one.deliveries[0]?.due_at)).toEqual([
          due_at,
        ]);
      return Object.fromEntries(deliveries.map(({ subject, due_at }) => [subject, due_at]));
    };
    expect(await nextAttempts()).toEqual({
      sent: null,
      pending: "2026-03-01T09:30:00Z",
      leased: "2026-03-01T09:10:00Z",
    });
    await set("next_try_at = '2026-03-01T09:20:00Z'");
    expect(await nextAttempts()).toEqual({
      sent: null,
      pending: "2026-03-01T09:30:00Z",
      leased: "2026-03-01T09:20:00Z",
    });
    await set("paused_at = '2026-03-01T09:15:00Z'");
    expect(await nextAttempts()).toEqual({ sent: null, pending: null, leased: null });
    await set("paused_at = null, disabled_at = '2026-03-01T09:15:00Z', disabled_reason = 'gone'");
    expect(await nextAttempts()).toEqual({ sent: null, pending: null, leased: null });
  });

  it("pauses a webhook without losing events", async () => {
    const { shop, deliver, emit, press } = await aWebhook();
    expect((await press(hookPause, "pause")).json.data.state).toBe("paused");
    await emit(...story(shop.id, "a"));
    expect(await deliver()).toEqual({ sent: 0, failed: 0, withdrawn: 0, nextInSeconds: null });
    expect(await listDueWebhooks([shop.id])).toEqual([]);
    expect((await press(hookResume, "resume")).json.data).toMatchObject({ state: "active", waiting: 4 });
    await deliver();
    expect(ofReview("a")).toEqual(storyTypes);
  });

  it("sees the beginning of its path", async () => {
    const { shop, admin, id } = await aWebhook();
    const shownOf = async (url: string) => {
      await pointWebhookTo(id, url);
      const { url: shown, hidden } = await getWebhook(shop, id);
      return [shown, hidden];
    };
    expect(await shownOf("https://hooks.example/")).toEqual(["https://hooks.example/", false]);
    expect(await shownOf("https://hooks.example/reviews")).toEqual(["https://hooks.example/reviews", false]);
    expect(await shownOf("https://hooks.example/hooks/t0ken")).toEqual(["https://hooks.example/hooks/t…", true]);
    await call(hook, "PUT", `${PATH}/${id}`, { ...admin, body: { url: "https://hooks.invalid/hooks/t0ken" } });
    expect((await getWebhook(shop, id)).url).toBe("https://hooks.invalid/hooks/t…");
    const auditedUrls = await rowsOf("select detail->>'url' as url from audit_entries where subject = $1 order by id", [
      id,
    ]);
    expect(auditedUrls.at(-1)).toEqual({ url: "https://hooks.invalid/hooks/t…" });
    expect(JSON.stringify(auditedUrls)).not.toContain("t0ken");
  });

  it("changes and deletes it, and keeps the hidden part of its address", async () => {
    const { admin, id, shop, deliver, emit } = await aWebhook();
    const shown = await getWebhook(shop, id);
    expect(shown).toMatchObject({ hidden: true, url: `${new URL(receiver.url).origin}/hooks/t…` });
    await pointWebhookTo(id, receiver.url.replace("http:", "https:").replace("127.0.0.1", "hooks.invalid"));
    const { url } = await getWebhook(shop, id);
    const body = { url, events: ["review.deleted", "review.deleted"] };
    const elsewhere = { url: url.replace("hooks.invalid", "other.invalid"), events: body.events };
    expectError(await call(hook, "PUT", `${PATH}/${id}`, { ...admin, body: elsewhere }), 422, "invalid_field");
    const changed = await call(hook, "PUT", `${PATH}/${id}`, { ...admin, body });
    expect(changed.json.data).toMatchObject({ url, hidden: true, events: ["review.deleted"] });
    await pointWebhookTo(id, receiver.url);
    await emit(...story(shop.id, "a"));
    await deliver();
    expect(ofReview("a")).toEqual(["review.deleted"]);
    expect((await call(hook, "DELETE", `${PATH}/${id}`, admin)).status).toBe(204);
    expect(await rowsOf("select from webhook_deliveries where client_id = $1", [shop.id])).toEqual([]);
    expect((await call(hook, "DELETE", `${PATH}/${id}`, admin)).status).toBe(404);
  });

  it("has at most twenty webhooks, and no access to another client's", async () => {
    const { admin, id } = await aWebhook();
    const body = { url: "https://hooks.invalid/in" };
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(hooks, "POST", PATH, { ...admin, body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(201), 409]);
    const stranger = await aMember(await aClient(), "admin");
    for (const [module, word] of [
      [hookPause, "pause"],
      [hookRotate, "rotate"],
      [hookTest, "test"],
    ] as const)
      expect((await call(module, "POST", `${PATH}/${id}/${word}`, stranger)).status).toBe(404);
  });

  it("sees thirty days of deliveries in the log", async () => {
    const { shop, deliver, emit, id } = await aWebhook();
    for (let index = 0; index < 15; index += 1) await emit(...story(shop.id, `r${index}`));
    await deliver();
    const first = await listWebhookDeliveries(shop, id);
    const second = await listWebhookDeliveries(shop, id, { after: first.next ?? "" });
    expect([first.deliveries.length, second.deliveries.length, second.next]).toEqual([50, 10, null]);
    await rowsOf(
      "update webhook_deliveries set created_at = now() - interval '31 days' where subject = 'r0' and client_id = $1",
      [shop.id],
    );
    expect(await purgeWebhookDeliveries()).toBe(4);
    expect((await listWebhookDeliveries(shop, id, { state: "pending" })).deliveries).toEqual([]);
  });
});
