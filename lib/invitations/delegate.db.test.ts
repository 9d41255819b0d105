import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as outcomes from "@/app/v1/invitations/[id]/outcome/route";
import { readClient } from "@/lib/accounts/stores/get-client";
import { openInvitation } from "@/lib/forms/invitation/open-invitation";
import { deliverDueEvents } from "@/lib/integrations/webhooks/deliver-due";
import { purgeWebhookDeliveries } from "@/lib/integrations/webhooks/list-due";
import { listWebhookDeliveries } from "@/lib/integrations/webhooks/list-webhooks";
import { replayDeliveries } from "@/lib/integrations/webhooks/replay";
import { activeSecrets, sealAddress, selectWebhook } from "@/lib/integrations/webhooks/rows";
import {
  changeWebhook,
  createWebhook,
  pauseWebhook,
  removeWebhook,
  resumeWebhook,
} from "@/lib/integrations/webhooks/set-webhook";
import { defaultEvents, type WebhookEvent } from "@/lib/integrations/webhooks/values";
import { claimInvitations, unsentInvitations } from "@/lib/invitations/claim-invitations";
import { addDays } from "@/lib/invitations/days";
import { explainOrder } from "@/lib/invitations/explain-order";
import { NO_SENDER } from "@/lib/invitations/explanations";
import { getFunnel } from "@/lib/invitations/get-funnel";
import { optOutToken, readInvitationToken, readOptOutToken } from "@/lib/invitations/links";
import { readOptOut, stopInvitations } from "@/lib/invitations/opt-out";
import { previewNextRun } from "@/lib/invitations/preview-next-run";
import { recordDelegatedSends } from "@/lib/invitations/record-delegated-sends";
import { rulesOf } from "@/lib/invitations/rules";
import { sendInvitations } from "@/lib/invitations/send-invitation";
import { getOrderHistory } from "@/lib/orders/get-order-history";
import { dayIn, withNow } from "@/lib/platform/clock";
import { type Db, longTransaction, pool } from "@/lib/platform/db/pool";
import { english } from "@/lib/platform/i18n/english";
import { portalText } from "@/lib/platform/i18n/messages";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { erasePersonalData } from "@/lib/privacy/erase-personal-data";
import { call } from "@/lib/tools/test/call";
import {
  aClient,
  aDelegatedInvitation,
  countBlockedQueries,
  rowsOf,
  someSellerReviews,
  type TestClient,
} from "@/lib/tools/test/factories";
import { makeCustomer, makeOrder } from "@/lib/tools/test/invitation-rows";
import { totalQueryCost } from "@/lib/tools/test/query-cost";
import { type WebhookReceiver, webhookReceiver } from "@/lib/tools/test/webhook-receiver";
import { selectRemainingCapacity } from "./rules-sql";

const network = { allows: () => true };
const by = { kind: "user", id: "u" } as const;
const today = () => dayIn("UTC");

let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await webhookReceiver();
});
afterEach(async () => {
  vi.useRealTimers();
  await receiver.stop();
  expect(receiver.schemaErrors).toEqual([]);
});

/** Creates a client with an external sender, whose webhooks lead to the receiver. */
async function aShop(config: object = {}) {
  const shop = await aClient({
    locale: "sv_SE",
    config: { own_sender: true, ...config },
    collect_seller_reviews: true,
  });
  const hook = async (events: WebhookEvent[]) => {
    const { id, secret } = await createWebhook(by, shop.client, { url: "https://hooks.invalid/in", events });
    const sealedAddress = sealAddress(receiver.url);
    await rowsOf("update webhooks set url = $2, sealed_url = $3 where id = $1", [
      id,
      sealedAddress.url,
      sealedAddress.sealed_url,
    ]);
    receiver.secret = secret;
    return { id, deliver: () => deliverDueEvents(shop.id, id, network) };
  };
  const run = async () => {
    await claimInvitations(shop.id);
    const ids = await unsentInvitations(shop.id);
    await sendInvitations(shop.id, ids);
  };
  return { ...shop, hook, run };
}

/** Creates Ada's order of a lamp and a rug, delivered ten days ago. */
async function createOrder(shop: Pick<TestClient, "id">, email = "ada.berg@x.example") {
  await makeCustomer(shop.id, { id: "c-1", email, name: "Ada Berg" });
  const delivery_date = addDays(today(), -10);
  await makeOrder(shop.id, "o-1", "c-1", [
    { id: "lamp", name: "Lamp", delivery_date },
    { id: "rug", name: "Rug", delivery_date },
  ]);
}

/** Two people's orders, claimed by a run: Ada's, and Bo's, delivered a day later. */
async function createTwoOrders(shop: Awaited<ReturnType<typeof aShop>>) {
  await createOrder(shop);
  await makeCustomer(shop.id, { id: "c-2", email: "bo@x.example" });
  await makeOrder(shop.id, "o-2", "c-2", [{ id: "vase", name: "Vase", delivery_date: addDays(today(), -9) }]);
  await shop.run();
}

const sentence = async (shop: Pick<TestClient, "id">, item = "lamp") => {
  const client = await readClient(pool(), shop.id);
  if (!client) throw new Error("no client");
  return (await explainOrder(client, "o-1")).get(item)?.sentence;
};
const timelineTexts = (date: Date) =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" }).format(date);
const states = async (shop: Pick<TestClient, "id">) =>
  (await rowsOf(
    "select kind, status, handed_at is not null as handed from invitations where client_id = $1 order by claimed_at, id",
    [shop.id],
  )) as object[];
const daysAhead = (days: number) => new Date(Date.now() + days * 86_400_000);
/** Runs work at another time, which also applies to the receiver's clock. */
async function later<T>(moment: Date, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["Date"], now: moment });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}
/** The client's invited items, cooldown and sent count. */
const counted = async (shop: Pick<TestClient, "id">) => ({
  items: (await rowsOf("select item_id from invitation_items where client_id = $1 order by item_id", [shop.id])).map(
    ({ item_id }) => item_id,
  ),
  quarantined: (await rowsOf("select from quarantines where client_id = $1", [shop.id])).length > 0,
  sent: (await rowsOf("select coalesce(sum(sent), 0)::int as sent from send_days where client_id = $1", [shop.id]))[0]
    .sent as number,
});
/** The items of each email delivered to the receiver. */
const deliveredItems = () =>
  receiver.received.map(({ data }) => (data as unknown as { items: { id: string }[] }).items.map(({ id }) => id));
const funnelOf = async (shop: Pick<TestClient, "id">) => {
  const client = await readClient(pool(), shop.id);
  if (!client) throw new Error("no client");
  const { planned, sent, failed } = (await getFunnel(client, {})).total;
  return { planned, sent, failed };
};
const tokenIn = (link: string) => /\/[ro]\/([\w-]+)/.exec(link)?.[1] ?? "";

describe("a delegated invitation", () => {
  it("is delivered with recipient, language and links, and is not emailed by Candor", async () => {
    const shop = await aShop({ max_items: 1 });
    const { deliver } = await shop.hook(["invitation.handed"]);
    const others = await shop.hook([...defaultEvents]);
    receiver.secret = "";
    await createOrder(shop);
    await shop.run();
    const [row] = await rowsOf(
      "select id, status, sent_at, handed_at, mail_id, expires_at from invitations where client_id = $1",
      [shop.id],
    );
    expect(row).toMatchObject({ status: "sent", mail_id: null, handed_at: row.sent_at });
    expect(await rowsOf("select from mails where client_id = $1", [shop.id])).toEqual([]);
    // Pending deliveries and events contain no personal data.
    const waiting = JSON.stringify(await rowsOf("select * from webhook_deliveries where client_id = $1", [shop.id]));
    const outboxJson = JSON.stringify(await rowsOf("select * from outbox where client_id = $1", [shop.id]));
    expect(waiting + outboxJson).not.toMatch(/\bada\b|\/r\/|\/o\//i); // whole words: ids are hexadecimal
    expect(await sentence(shop)).toBe(
      `Not passed to your external sender yet. The email was scheduled on ${timelineTexts(row.sent_at)}.`,
    );

    const [{ secrets: _, ...hook }] = await rowsOf(
      "select * from webhooks where client_id = $1 and 'invitation.handed' = any(events)",
      [shop.id],
    );
    expect(hook.events).toEqual(["invitation.handed"]);
    receiver.secret = await secretOf(shop.id, hook.id);
    expect(await deliver()).toEqual({ sent: 1, failed: 0, withdrawn: 0, nextInSeconds: null });
    const [received] = receiver.received;
    const data = received?.data as unknown as Record<string, string> & { items: Record<string, unknown>[] };
    const form = data.review_url as string;
    expect(received?.type).toBe("invitation.handed");
    expect(data).toEqual({
      client_id: shop.id,
      invitation_id: row.id,
      kind: "invitation",
      reminder_of: null,
      customer: { id: "c-1", name: "Ada Berg", email: "ada.berg@x.example" },
      language: "sv",
      shop: shop.id,
      review_url: form,
      seller_review_url: `${form}#seller`,
      not_received_url: `${form}?later=1`,
      opt_out_url: expect.stringMatching(/^http:\/\/localhost:3000\/o\//),
      expires_at: `${row.expires_at.toISOString().slice(0, 19)}Z`,
      items: ["lamp", "rug"].map((id, index) => ({
        id,
        name: index === 0 ? "Lamp" : "Rug",
        category: null,
        order_id: "o-1",
        family_id: null,
        review_url: `${form}?item=${index + 1}`,
        product_url: null,
        image_url: null,
        stars: [1, 2, 3, 4, 5].map((score) => ({
          score,
          url: `${form}?item=${index + 1}&score=${score}`,
          label: expect.any(String),
        })),
      })),
    });
    // The links are the same as in an email sent by Candor.
    expect(readInvitationToken(tokenIn(form))).toEqual({ clientId: shop.id, invitationId: row.id });
    expect((await openInvitation(tokenIn(form))).state).toBe("open");
    expect(readOptOutToken(tokenIn(data.opt_out_url as string))?.clientId).toBe(shop.id);
    expect(await sentence(shop)).toBe(`Passed to your external sender on ${timelineTexts(row.sent_at)}.`);

    // Webhooks without this event get their usual events, without personal data.
    receiver.secret = await secretOf(shop.id, others.id);
    receiver.received.length = 0;
    await others.deliver();
    expect(receiver.received.map(({ type }) => type)).toEqual(["invitation.scheduled", "invitation.sent"]);
    expect(receiver.received.map(({ raw }) => raw).join()).not.toMatch(/\bada\b/i);

    // It counts like any invitation.
    await shop.run();
    expect(await states(shop)).toEqual([{ kind: "invitation", status: "sent", handed: true }]);
    const preview = await previewNextRun(shop.id);
    expect(preview.held.map(({ reason }) => reason)).toEqual(["already_invited", "already_invited"]);
    expect(await rowsOf("select sent from send_days where client_id = $1", [shop.id])).toEqual([{ sent: 1 }]);
  });

  it("counts as sent once its sender accepts it, and is pending until then", async () => {
    const shop = await aShop();
    const { id: hook, deliver } = await shop.hook(["invitation.handed"]);
    await shop.hook(["invitation.sent"]);
    const sentDeliveries = () =>
      rowsOf("select subject from webhook_deliveries where client_id = $1 and event = 'invitation.sent'", [shop.id]);
    const shown = async () =>
      (await getOrderHistory(shop.client, "o-1")).invitations.map(({ status, sent_at }) => [status, sent_at !== null]);
    receiver.secret = await secretOf(shop.id, hook);
    await createOrder(shop);
    await shop.run();
    receiver.nextAnswers.push(500);
    await deliver();
    expect(await shown()).toEqual([["claimed", false]]);
    expect(await sentDeliveries()).toEqual([]);

    await later(daysAhead(0.01), deliver);
    const [{ id }] = await rowsOf("select id from invitations where client_id = $1", [shop.id]);
    expect(await shown()).toEqual([["sent", true]]);
    expect(await sentDeliveries()).toEqual([{ subject: id }]);
    const body = { outcome: "delivered" };
    expect((await call(outcomes, "POST", `/v1/invitations/${id}/outcome`, { key: shop.key, body })).status).toBe(204);
    expect(await sentDeliveries()).toEqual([{ subject: id }]);
  });

  it("emits `invitation.sent` when an outcome is reported after the sender's response was lost", async () => {
    const shop = await aShop();
    await shop.hook(["invitation.sent"]);
    const id = await aDelegatedInvitation(shop.id);
    const body = { outcome: "delivered" };
    for (const _ of [1, 2]) await call(outcomes, "POST", `/v1/invitations/${id}/outcome`, { key: shop.key, body });
    expect(
      await rowsOf("select subject from webhook_deliveries where client_id = $1 and event = 'invitation.sent'", [
        shop.id,
      ]),
    ).toEqual([{ subject: id }]);
  });

  it("isn't claimed without a subscribed webhook, and explains why", async () => {
    const shop = await aShop();
    await shop.hook([...defaultEvents]);
    await createOrder(shop);
    await shop.run();
    expect(await states(shop)).toEqual([]);
    expect(await sentence(shop)).toBe(`Scheduled for today’s next run. ${english(NO_SENDER)}`);
    expect((await previewNextRun(shop.id)).senderNotice).toBe(english(NO_SENDER));
    expect(await rowsOf("select from quarantines where client_id = $1", [shop.id])).toEqual([]);

    const { id, deliver } = await shop.hook(["invitation.handed"]);
    expect(await sentence(shop)).toBe("Scheduled for today’s next run.");
    expect((await previewNextRun(shop.id)).senderNotice).toBeUndefined();
    await claimInvitations(shop.id);
    // Claimed, and then the webhook is paused.
    await pauseWebhook(by, shop.client, id);
    await sendInvitations(shop.id, await unsentInvitations(shop.id));
    expect(await states(shop)).toEqual([{ kind: "invitation", status: "claimed", handed: false }]);
    expect(await sentence(shop)).toBe(
      `Not sent yet. The email was scheduled on ${timelineTexts(new Date())}. ${english(NO_SENDER)}`,
    );
    await resumeWebhook(by, shop.client, id);
    await shop.run();
    await deliver();
    expect(receiver.received).toHaveLength(1);
  });

  it("goes to one webhook only, which can't be removed while it has pending invitations", async () => {
    const shop = await aShop();
    const { id } = await shop.hook(["invitation.handed"]);
    const other = await shop.hook([...defaultEvents]);
    const both = { url: "https://hooks.invalid/in", events: [...defaultEvents, "invitation.handed" as const] };
    await expect(createWebhook(by, shop.client, both)).rejects.toMatchObject({ code: "conflict" });
    await expect(changeWebhook(by, shop.client, other.id, both)).rejects.toMatchObject({ code: "conflict" });
    expect((await changeWebhook(by, shop.client, id, both)).events).toContain("invitation.handed");
    await createOrder(shop);
    await shop.run();
    await expect(removeWebhook(by, shop.client, id)).rejects.toMatchObject({ code: "conflict" });
    await rowsOf("update webhook_deliveries set state = 'sent' where webhook_id = $1", [id]);
    await removeWebhook(by, shop.client, id);
    expect(await rowsOf("select id from webhooks where client_id = $1", [shop.id])).toEqual([{ id: other.id }]);
  });

  it("keeps its webhook if that is removed while an invitation is being delegated", async () => {
    const shop = await aShop();
    const { id } = await shop.hook(["invitation.handed"]);
    const { removed } = await longTransaction(async (db) => {
      await db.query(
        `insert into webhook_deliveries (client_id, webhook_id, event, subject, data, happened_at, due_at)
         values ($1, $2, 'invitation.handed', 'inv-1', '{}', now(), now())`,
        [shop.id, id],
      );
      const removed = removeWebhook(by, shop.client, id).catch((error: unknown) => error);
      await vi.waitFor(async () => expect(await countBlockedQueries()).toBeGreaterThan(0), {
        timeout: 4_000,
        interval: 20,
      });
      return { removed };
    });
    expect(await removed).toMatchObject({ code: "conflict" });
    expect(await rowsOf("select subject, state from webhook_deliveries where client_id = $1", [shop.id])).toEqual([
      { subject: "inv-1", state: "pending" },
    ]);
  });

  it("shows whether it is pending in Candor or at the receiver", async () => {
    const shop = await aShop();
    const { id, deliver } = await shop.hook(["invitation.handed"]);
    await createOrder(shop);
    await shop.run();
    const day = timelineTexts(new Date());
    const steps = async () => {
      const client = await readClient(pool(), shop.id);
      if (!client) throw new Error("no client");
      return (await explainOrder(client, "o-1")).get("lamp")?.timeline.map(({ text }) => text);
    };
    const pendingText = `Not passed to your external sender yet. The email was scheduled on ${day}.`;
    expect(await sentence(shop)).toBe(pendingText);
    expect(await steps()).not.toContain("Invitation passed to your external sender.");
    const client = await readClient(pool(), shop.id);
    for (const [lang, said] of [
      ["de", "Noch nicht an Ihr externes E-Mail-System übergeben"],
      ["fr", "Pas encore transmise à votre expéditeur externe"],
      ["es", "Aún no se ha entregado a su remitente externo"],
      ["sv", "Inte överlämnat till din externa avsändare än"],
    ] as const) {
      const t = portalText(lang);
      expect((await explainOrder(client as NonNullable<typeof client>, "o-1", t)).get("lamp")?.sentence).toContain(
        said,
      );
    }
    await pauseWebhook(by, shop.client, id);
    expect(await sentence(shop)).toBe(`${pendingText} ${english(NO_SENDER)}`);
    await resumeWebhook(by, shop.client, id);
    receiver.nextAnswers.push({ status: 500, body: "no ada.berg@x.example" });
    await deliver();
    // The response may repeat what was sent, so it isn't stored.
    const [{ attempt_log }] = await rowsOf("select attempt_log from webhook_deliveries where webhook_id = $1", [id]);
    expect(attempt_log).toMatchObject([{ status: 500, answer: null }]);
    expect(await sentence(shop)).toBe(`Passed to your external sender on ${day}, but not accepted yet.`);
    expect(await steps()).toContain("Invitation passed to your external sender.");
  });

  it("can also be a reminder or a seller-only invitation", async () => {
    const shop = await aShop({ reminder_after_days: 21, seller_only: true });
    const { deliver } = await shop.hook(["invitation.handed"]);
    await createOrder(shop);
    await makeCustomer(shop.id, { id: "c-2", email: "bo@x.example", name: null, lang: "de" });
    await makeOrder(shop.id, "o-2", "c-2", [
      { id: "unknown", reviewable: false, delivery_date: addDays(today(), -10) },
    ]);
    const in22Days = daysAhead(22);
    await shop.run();
    // An email that wasn't accepted isn't reminded of.
    await withNow(in22Days, shop.run);
    expect((await states(shop)).length).toBe(2);
    while ((await deliver()).sent > 0);
    await withNow(in22Days, shop.run);
    expect(await states(shop)).toEqual([
      { kind: "invitation", status: "sent", handed: true },
      { kind: "seller", status: "sent", handed: true },
      { kind: "reminder", status: "sent", handed: true },
    ]);
    expect(await rowsOf("select from mails where client_id = $1", [shop.id])).toEqual([]);
    while ((await deliver()).sent > 0);
    const payloads = receiver.received.map(
      ({ data }) => data as unknown as Record<string, unknown> & { items: unknown[] },
    );
    const [first, seller, reminder] = ["invitation", "seller", "reminder"].map((kind) =>
      payloads.find((one) => one.kind === kind),
    );
    expect(seller).toMatchObject({
      language: "de",
      items: [],
      not_received_url: null,
      customer: { email: "bo@x.example" },
    });
    expect(reminder).toMatchObject({ reminder_of: first?.invitation_id, review_url: first?.review_url });
    expect(reminder?.items).toEqual(first?.items);
    // A reminder uses the invitation's link, with the same expiry.
    expect(reminder?.expires_at).toBe(first?.expires_at);
  });

  it("is withdrawn if the customer unsubscribed or was erased", async () => {
    const shop = await aShop();
    const { id, deliver } = await shop.hook(["invitation.handed"]);
    await createOrder(shop);
    await shop.run();
    const optOut = await readOptOut(optOutToken(shop.id, personHash(shop.id, "email", "ada.berg@x.example")), null);
    if (optOut) await stopInvitations(optOut);
    expect(await deliver()).toEqual({ sent: 0, failed: 0, withdrawn: 1, nextInSeconds: null });
    expect(receiver.requestCount).toBe(0);
    const { deliveries } = await listWebhookDeliveries(shop.client, id);
    expect(deliveries).toMatchObject([
      { state: "withdrawn", status: null, error: "The customer unsubscribed, or their email address bounced." },
    ]);
    // The webhook isn't marked as failing.
    expect(await rowsOf("select failing_since, next_try_at from webhooks where id = $1", [id])).toEqual([
      { failing_since: null, next_try_at: null },
    ]);
    // Replaying a period or all failures skips it; replaying it by id checks it again.
    expect(await replayDeliveries(by, shop.client, id, { from: new Date(0).toISOString() })).toEqual({ replayed: 0 });
    expect(await replayDeliveries(by, shop.client, id, { failed: true })).toEqual({ replayed: 0 });
    expect(await replayDeliveries(by, shop.client, id, { delivery_id: deliveries[0]?.id })).toEqual({ replayed: 1 });
    expect(await deliver()).toMatchObject({ sent: 0, withdrawn: 1 });
    expect(receiver.requestCount).toBe(0);
    await erasePersonalData(by, shop.client, { by: "email", email: "ada.berg@x.example" });
    await replayDeliveries(by, shop.client, id, { from: new Date(0).toISOString() });
    await deliver();
    expect(receiver.requestCount).toBe(0);
    const dump = JSON.stringify(await rowsOf("select * from webhook_deliveries where client_id = $1", [shop.id]));
    expect(dump).not.toContain("ada.berg");
  });

  it("is withdrawn if it asks only about the store and the customer has reviewed it since", async () => {
    const shop = await aShop({ seller_only: true });
    const { deliver } = await shop.hook(["invitation.handed"]);
    await makeCustomer(shop.id, { id: "c-2", email: "bo@x.example" });
    await makeOrder(shop.id, "o-2", "c-2", [
      { id: "unknown", reviewable: false, delivery_date: addDays(today(), -10) },
    ]);
    await shop.run();
    expect(await states(shop)).toEqual([{ kind: "seller", status: "sent", handed: true }]);
    await someSellerReviews(shop.id, [{ email_key: "bo@x.example", date: today() }]);
    expect(await deliver()).toEqual({ sent: 0, failed: 0, withdrawn: 1, nextInSeconds: null });
    expect(receiver.requestCount).toBe(0);
  });

  it("is delegated once by concurrent senders, and delivered despite receiver errors", {
    timeout: 60_000,
  }, async () => {
    const PEOPLE = 40;
    const shop = await aShop();
    const { deliver } = await shop.hook(["invitation.handed"]);
    for (let n = 0; n < PEOPLE; n++) {
      await makeCustomer(shop.id, { id: `k${n}`, email: `k${n}@x.example` });
      await makeOrder(shop.id, `o${n}`, `k${n}`, [{ id: "p", delivery_date: addDays(today(), -10) }]);
    }
    await Promise.all([shop.run(), shop.run()]);

    // The receiver fails in every way, and two processes deliver concurrently.
    receiver.nextAnswers.push(503, 500, 204, { status: 429, headers: { "retry-after": "7" } }, 302, 500, 204, 404);
    const startedAt = Date.now();
    for (let turn = 0; receiver.received.length < PEOPLE && turn < 60; turn += 1) {
      receiver.down = turn % 5 === 3;
      vi.useFakeTimers({ toFake: ["Date"], now: startedAt + turn * 15 * 60_000 });
      await Promise.all([deliver(), deliver()]);
    }
    const rows = await rowsOf(
      "select message_id, data ->> 'invitation_id' as id, state from webhook_deliveries where client_id = $1",
      [shop.id],
    );
    expect(rows).toHaveLength(PEOPLE);
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(["sent"]));
    const invitationByDelivery = new Map(receiver.received.map(({ id, data }) => [id, data.invitation_id]));
    expect(invitationByDelivery).toEqual(new Map(rows.map(({ message_id, id }) => [message_id, id])));
    const people = receiver.received.map(
      ({ data }) => (data as unknown as { customer: { email: string } }).customer.email,
    );
    expect(new Set(people).size).toBe(PEOPLE);
    expect(receiver.overlaps).toBe(0);
    expect(await rowsOf("select from mails where client_id = $1", [shop.id])).toEqual([]);
  });
});

describe("a delegated invitation that isn't accepted yet", () => {
  it("is released without a trace if it is withdrawn before the first delivery", async () => {
    const shop = await aShop();
    const { deliver } = await shop.hook(["invitation.handed", "invitation.skipped"]);
    await createOrder(shop);
    await shop.run();
    expect(await counted(shop)).toEqual({ items: ["lamp", "rug"], quarantined: true, sent: 1 });
    expect(await funnelOf(shop)).toEqual({ planned: 1, sent: 0, failed: 0 });
    const optOut = await readOptOut(optOutToken(shop.id, personHash(shop.id, "email", "ada.berg@x.example")), null);
    if (optOut) await stopInvitations(optOut);
    await deliver();
    await deliver();
    expect(await counted(shop)).toEqual({ items: [], quarantined: false, sent: 0 });
    expect(await funnelOf(shop)).toEqual({ planned: 0, sent: 0, failed: 0 });
    expect(await states(shop)).toEqual([{ kind: "invitation", status: "failed", handed: false }]);
    expect(receiver.received.map(({ type, data }) => [type, data.reason])).toEqual([
      ["invitation.skipped", "opted_out"],
    ]);
    expect(await sentence(shop)).toBe("Not sent: the customer opted out of emails.");
  });

  it("is also released if an email by Candor was written for it before and withdrawn", async () => {
    const shop = await aShop();
    const { deliver } = await shop.hook(["invitation.handed"]);
    await createOrder(shop);
    await claimInvitations(shop.id);
    // As after an email that Candor wrote for it before the client delegated, and withdrew.
    await rowsOf("update invitations set attempts = 2 where client_id = $1", [shop.id]);
    await sendInvitations(shop.id, await unsentInvitations(shop.id));
    expect(await states(shop)).toEqual([{ kind: "invitation", status: "sent", handed: true }]);
    const optOut = await readOptOut(optOutToken(shop.id, personHash(shop.id, "email", "ada.berg@x.example")), null);
    if (optOut) await stopInvitations(optOut);
    await deliver();
    expect(receiver.requestCount).toBe(0);
    expect(await counted(shop)).toEqual({ items: [], quarantined: false, sent: 0 });
    expect(await states(shop)).toEqual([{ kind: "invitation", status: "failed", handed: false }]);
  });

  it("keeps its items and cooldown after a failed delivery, counts as not sent, and can be resent", async () => {
    const shop = await aShop({ reminder_after_days: 21 });
    const { id, deliver } = await shop.hook(["invitation.handed"]);
    await createOrder(shop);
    await shop.run();
    await makeCustomer(shop.id, { id: "c-2", email: "bo@x.example" });
    await makeOrder(shop.id, "o-2", "c-2", [{ id: "vase", name: "Vase", delivery_date: addDays(today(), -10) }]);
    receiver.nextAnswers.push(500);
    await deliver();
    await shop.run();
    // Bo's email is delivered; Ada's fails after a day of retries.
    await rowsOf(
      `update webhook_deliveries set attempts = 10, happened_at = now() - interval '2 days', due_at = now() - interval '1 minute'
        where client_id = $1 and attempts > 0`,
      [shop.id],
    );
    await rowsOf("update webhooks set failing_since = null, next_try_at = null where id = $1", [id]);
    receiver.rejects = (raw) => raw.includes("ada.berg");
    await deliver();
    expect((await funnelOf(shop)).failed).toBe(1);
    expect(await funnelOf(shop)).toEqual({ planned: 2, sent: 1, failed: 1 });
    expect(await sentence(shop)).toBe("Not sent: your external sender didn’t accept the email.");
    expect(await counted(shop)).toEqual({ items: ["lamp", "rug", "vase"], quarantined: true, sent: 2 });
    await withNow(daysAhead(22), shop.run);
    const kinds = async () => (await states(shop)).map((row) => (row as { kind: string }).kind);
    expect(await kinds()).toEqual(["invitation", "invitation", "reminder"]); // Bo's
    receiver.rejects = () => false;
    await replayDeliveries(by, shop.client, id, { failed: true });
    await deliver();
    expect(receiver.received.map(({ raw }) => raw.includes("ada.berg"))).toContain(true);
    expect((await funnelOf(shop)).failed).toBe(0);
    expect(await sentence(shop)).toMatch(/^Passed to your external sender on/);
  });

  it("is never sent next to a newer one, however long it waited, in either order", async () => {
    for (const first of ["the new one is claimed", "the old one is delivered"]) {
      const shop = await aShop();
      const { id, deliver } = await shop.hook(["invitation.handed"]);
      receiver.received.length = 0;
      await createOrder(shop);
      await shop.run();
      await pauseWebhook(by, shop.client, id);
      await makeOrder(shop.id, "o-2", "c-1", [{ id: "vase", name: "Vase", delivery_date: addDays(today(), 5) }]);
      const day = addDays(today(), 25);
      await later(daysAhead(25), async () => {
        await resumeWebhook(by, shop.client, id);
        if (first === "the old one is delivered") await deliver();
        await shop.run();
        await deliver();
        await shop.run();
        await deliver();
      });
      expect(receiver.received, first).toHaveLength(1);
      const last = await rowsOf("select max(last_day) as day from quarantines where client_id = $1", [shop.id]);
      expect(last, first).toEqual([{ day }]);
      expect(await rowsOf("select day, sent from send_days where client_id = $1 and sent > 0", [shop.id])).toEqual([
        { day, sent: 1 },
      ]);
      expect(deliveredItems(), first).toEqual([first === "the old one is delivered" ? ["lamp", "rug"] : ["vase"]]);
    }
  });

  it("contains only items still eligible on delivery, and counts for that day", async () => {
    const shop = await aShop();
    const { deliver } = await shop.hook(["invitation.handed"]);
    await createOrder(shop);
    await shop.run();
    // Ada's rug is delivered later than expected.
    await rowsOf("update order_items set delivery_date = $2 where client_id = $1 and id = 'rug'", [
      shop.id,
      addDays(today(), 3),
    ]);
    await deliver();
    expect(deliveredItems()).toEqual([["lamp"]]);
    expect((await counted(shop)).items).toEqual(["lamp"]);

    const other = await aShop();
    const hook = await other.hook(["invitation.handed"]);
    await createOrder(other);
    await other.run();
    await rowsOf("update order_items set delivery_date = $2 where client_id = $1", [other.id, addDays(today(), 3)]);
    expect(await hook.deliver()).toMatchObject({ sent: 0, failed: 0, withdrawn: 1 });
    expect(await counted(other)).toEqual({ items: [], quarantined: false, sent: 0 });
    expect(await sentence(other)).toMatch(/^Scheduled for/);
  });

  it("waits for sending hours and the day's limit without counting as a failure", async () => {
    const noon = new Date(`${addDays(today(), 1)}T12:00:00Z`);
    const shop = await aShop({ send_hours: [9, 18] });
    const { id, deliver } = await shop.hook(["invitation.handed"]);
    await createOrder(shop);
    await withNow(noon, shop.run);
    const at = (hours: number) => new Date(noon.getTime() + hours * 3_600_000);
    const inTheEvening = await later(at(8), deliver);
    expect(inTheEvening).toMatchObject({ sent: 0, failed: 0 });
    expect(inTheEvening.nextInSeconds).toBeCloseTo(13 * 3_600, -3);
    // The next day's limit is used up.
    const tomorrow = addDays(today(), 2);
    await rowsOf("update clients set send_limit = 1 where id = $1", [shop.id]);
    await rowsOf("insert into send_days (client_id, day, sent) values ($1, $2, 1)", [shop.id, tomorrow]);
    const wait = await later(at(24), deliver);
    expect(wait).toMatchObject({ sent: 0, failed: 0 });
    expect(wait.nextInSeconds).toBeCloseTo(3_600, -2);
    expect(
      await rowsOf(
        `select d.state, d.attempts, w.failing_since from webhook_deliveries d join webhooks w on w.id = d.webhook_id
          where d.client_id = $1`,
        [shop.id],
      ),
    ).toEqual([{ state: "pending", attempts: 0, failing_since: null }]);
    expect(receiver.requestCount).toBe(0);
    expect(await later(at(48), deliver)).toMatchObject({ sent: 1 });
    const [row] = await rowsOf("select id, day, handed_at, expires_at from invitations where client_id = $1", [
      shop.id,
    ]);
    expect(row.day).toBe(addDays(today(), 3));
    expect(dayIn("UTC", row.handed_at)).toBe(row.day);
    expect(receiver.received[0]?.data.expires_at).toBe(`${row.expires_at.toISOString().slice(0, 19)}Z`);
    expect(await rowsOf("select id from webhooks where id = $1 and failing_since is null", [id])).toHaveLength(1);
  });

  it("takes priority over new invitations, and gives up its place if it can't be delivered any more", async () => {
    const aSmallShop = async (send_limit: number, settings: Record<string, number> = {}) => {
      const shop = await aShop();
      for (const [name, value] of Object.entries({ send_limit, ...settings }))
        await rowsOf(`update clients set ${name} = $2 where id = $1`, [shop.id, value]);
      return shop;
    };
    const createPurchase = async (shop: Pick<TestClient, "id">, n: number, daysAgo = 10) => {
      await makeCustomer(shop.id, { id: `c-${n}`, email: `c${n}@x.example` });
      await makeOrder(shop.id, `o-${n}`, `c-${n}`, [
        { id: `item-${n}`, name: "Lamp", delivery_date: addDays(today(), -daysAgo) },
      ]);
    };
    const invitedItems = async (shop: Pick<TestClient, "id">) =>
      (await rowsOf("select item_id from invitation_items where client_id = $1 order by item_id", [shop.id])).map(
        ({ item_id }) => item_id,
      );

    // No delivery runs on the first day.
    const shop = await aSmallShop(2);
    const { deliver } = await shop.hook(["invitation.handed"]);
    for (const n of [1, 2, 3, 4]) await createPurchase(shop, n);
    await shop.run();
    await later(daysAhead(1), async () => {
      const preview = await previewNextRun(shop.id);
      expect(preview.send).toEqual([]);
      expect(preview.held.filter(({ reason }) => reason === "send_limit").map(({ order_id }) => order_id)).toEqual([
        "o-3",
        "o-4",
      ]);
      await shop.run();
      expect(await invitedItems(shop)).toEqual(["item-1", "item-2"]);
      await deliver();
      await shop.run();
    });
    expect(deliveredItems().flat().sort()).toEqual(["item-1", "item-2"]);
    expect(await invitedItems(shop)).toEqual(["item-1", "item-2"]);
    await later(daysAhead(2), async () => {
      await shop.run();
      await deliver();
    });
    expect(deliveredItems().flat().sort()).toEqual(["item-1", "item-2", "item-3", "item-4"]);
    expect(
      await rowsOf("select sent from send_days where client_id = $1 and sent > 0 order by day", [shop.id]),
    ).toEqual([{ sent: 2 }, { sent: 2 }]);

    // The webhook is paused, and Candor sends the client's invitations in the meantime.
    const other = await aSmallShop(1);
    const hook = await other.hook(["invitation.handed"]);
    for (const n of [1, 2, 3]) await createPurchase(other, n);
    await other.run();
    await pauseWebhook(by, other.client, hook.id);
    await rowsOf("update clients set config = '{}' where id = $1", [other.id]);
    await later(daysAhead(1), other.run);
    expect(await invitedItems(other)).toEqual(["item-1", "item-2"]);
    await later(daysAhead(2), async () => {
      await resumeWebhook(by, other.client, hook.id);
      await other.run();
      expect(await invitedItems(other)).toEqual(["item-1", "item-2"]);
      await hook.deliver();
    });
    expect(deliveredItems().flat()).toContain("item-1");

    // Its window has ended.
    const third = await aSmallShop(1, { send_emails_before_days: 12 });
    const last = await third.hook(["invitation.handed"]);
    await createPurchase(third, 1);
    await createPurchase(third, 2, 4);
    await third.run();
    receiver.received.length = 0;
    await later(daysAhead(5), async () => {
      await third.run();
      expect(await invitedItems(third)).toEqual(["item-1", "item-2"]);
      await last.deliver();
    });
    expect(deliveredItems()).toEqual([["item-2"]]);
    expect(await invitedItems(third)).toEqual(["item-2"]);
  });

  it("is delivered right after its own check, even if the next one is blocked", async () => {
    const shop = await aShop();
    const { deliver } = await shop.hook(["invitation.handed"]);
    await createTwoOrders(shop);
    const inTurn = "select subject from webhook_deliveries where client_id = $1 order by id";
    const [first, second] = (await rowsOf(inTurn, [shop.id])).map(({ subject }) => subject as string);
    const deliveredIds = () => receiver.received.map(({ data }) => data.invitation_id);
    let deliveryPromise: ReturnType<typeof deliver> | undefined;
    await longTransaction(async (db) => {
      await db.query("select from invitations where client_id = $1 and id = $2 for update", [shop.id, second]);
      deliveryPromise = deliver();
      // Less than the time limit of a check.
      await vi.waitFor(() => expect(deliveredIds()).toEqual([first]), { timeout: 4_000 });
    });
    await deliveryPromise;
    await later(new Date(Date.now() + 61_000), deliver); // if the wait was too long anyway
    expect(deliveredIds()).toEqual([first, second]);
  });

  it("is accepted with its own response, even if the receiver is slow to answer the next one", {
    timeout: 60_000,
  }, async () => {
    const shop = await aShop();
    const { deliver } = await shop.hook(["invitation.handed"]);
    await createTwoOrders(shop);
    const selectStates = () =>
      rowsOf(
        `select i.email, i.taken_at is not null as taken, d.state from invitations i
           join webhook_deliveries d on d.client_id = i.client_id and d.subject = i.id
          where i.client_id = $1 order by i.email`,
        [shop.id],
      );
    const { promise: delayed, resolve: answer } = Promise.withResolvers<void>();
    receiver.beforeAnswer = async (raw) => (raw.includes("bo@x.example") ? delayed : undefined);
    const deliveryPromise = deliver();
    try {
      await vi.waitFor(async () => expect(await selectStates()).toMatchObject([{ taken: true, state: "sent" }, {}]), {
        timeout: 10_000,
        interval: 50,
      });
      expect(await selectStates()).toMatchObject([{}, { taken: false, state: "pending" }]);
    } finally {
      answer();
    }
    expect(await deliveryPromise).toEqual({ sent: 2, failed: 0, withdrawn: 0, nextInSeconds: null });
    expect(await selectStates()).toEqual([
      { email: "ada.berg@x.example", taken: true, state: "sent" },
      { email: "bo@x.example", taken: true, state: "sent" },
    ]);
  });

  it("is recorded without deadlock by two webhooks that deliver the same ones concurrently, in any order", async () => {
    const shop = await aClient();
    const [one, other] = [
      await aDelegatedInvitation(shop.id, "a@x.example"),
      await aDelegatedInvitation(shop.id, "b@x.example"),
    ];
    let updates = 0;
    /** A connection that pauses after its first update until the other one has made one too, or is blocked. */
    const stopping = (db: Db): Db => ({
      query: (async (query: string | { text: string }, values: unknown[]) => {
        const result = await db.query(query as string, values);
        if ((typeof query === "string" ? query : query.text).startsWith("update")) {
          updates += 1;
          await vi.waitFor(async () => expect(updates > 1 || (await countBlockedQueries()) > 0).toBe(true), {
            timeout: 10_000,
            interval: 20,
          });
        }
        return result;
      }) as Db["query"],
    });
    const recordSend = (accepted: string, notSent: string) =>
      longTransaction((db) =>
        recordDelegatedSends(stopping(db), shop.id, { accepted: [accepted], failed: [], notSent: [notSent] }),
      );
    await Promise.all([recordSend(one, other), recordSend(other, one)]);
    const acceptedRows = await rowsOf("select taken_at is not null as taken from invitations where client_id = $1", [
      shop.id,
    ]);
    expect(acceptedRows).toEqual([{ taken: true }, { taken: true }]);
  });

  it("is found among pending deliveries without reading other events", async () => {
    const shop = await aShop();
    const { id } = await shop.hook([...defaultEvents, "invitation.handed"]);
    await createOrder(shop);
    await shop.run();
    await rowsOf(
      `insert into webhook_deliveries (client_id, webhook_id, event, subject, data, happened_at, due_at)
       select $1, $2, 'review.created', 'r' || n, '{}', now(), now() from generate_series(1, 5000) n`,
      [shop.id, id],
    );
    for (const table of ["webhook_deliveries", "webhooks", "invitations"]) await rowsOf(`analyze ${table}`);
    const client = await readClient(pool(), shop.id);
    const rules = rulesOf(client as NonNullable<typeof client>);
    const tomorrow = addDays(today(), 1);
    expect(await selectRemainingCapacity(pool(), shop.id, rules, tomorrow)).toBe(rules.limit - 1);
    const { read } = await totalQueryCost(() => selectRemainingCapacity(pool(), shop.id, rules, tomorrow));
    expect(read).toBeLessThan(1_000);
  });

  it("counts as not delivered without a connection, and as possibly delivered if the connection broke", async () => {
    const closed = sealAddress("http://127.0.0.1:1/hooks").sealed_url;
    for (const [issue, delivered] of [
      ["the address cannot be opened any more", false],
      ["nobody listens there", false],
      ["the connection breaks", true],
    ] as const) {
      const shop = await aShop();
      const { id, deliver } = await shop.hook(["invitation.handed"]);
      await createOrder(shop);
      await shop.run();
      const sealed = issue === "nobody listens there" ? closed : Buffer.from("lost");
      if (!delivered) await rowsOf("update webhooks set sealed_url = $2 where id = $1", [id, sealed]);
      receiver.down = delivered;
      const before = receiver.requestCount;
      expect(await deliver(), issue).toMatchObject({ sent: 0, failed: 1 });
      expect(receiver.requestCount - before, issue).toBe(delivered ? 1 : 0);
      expect(await rowsOf("select attempts from invitations where client_id = $1", [shop.id]), issue).toEqual([
        { attempts: delivered ? 1 : 0 },
      ]);
      expect(await funnelOf(shop), issue).toMatchObject({ sent: 0 });
      receiver.down = false;
      await rowsOf("update webhooks set sealed_url = $2 where id = $1", [id, sealAddress(receiver.url).sealed_url]);
      await resumeWebhook(by, shop.client, id);
      const optOut = await readOptOut(optOutToken(shop.id, personHash(shop.id, "email", "ada.berg@x.example")), null);
      if (optOut) await stopInvitations(optOut);
      await deliver();
      expect(await counted(shop), issue).toEqual(
        delivered ? { items: ["lamp", "rug"], quarantined: true, sent: 1 } : { items: [], quarantined: false, sent: 0 },
      );
      expect(await states(shop), issue).toEqual([{ kind: "invitation", status: "failed", handed: delivered }]);
    }
    expect(receiver.received).toEqual([]);
  });

  it("isn't purged with old events", async () => {
    const shop = await aShop();
    const { deliver } = await shop.hook(["invitation.handed"]);
    const others = await shop.hook([...defaultEvents]);
    await createOrder(shop);
    await shop.run();
    await rowsOf("update webhook_deliveries set created_at = now() - interval '31 days' where client_id = $1", [
      shop.id,
    ]);
    while ((await purgeWebhookDeliveries()) > 0);
    const remaining = await rowsOf("select event from webhook_deliveries where client_id = $1", [shop.id]);
    expect(remaining).toEqual([{ event: "invitation.handed" }]);
    expect((await others.deliver()).sent).toBe(0);
    receiver.secret = await secretOf(
      shop.id,
      (await rowsOf("select webhook_id from webhook_deliveries where client_id = $1", [shop.id]))[0].webhook_id,
    );
    await deliver();
    while ((await purgeWebhookDeliveries()) > 0);
    // The new `invitation.sent` event isn't purged.
    expect(await rowsOf("select event from webhook_deliveries where client_id = $1", [shop.id])).toEqual([
      { event: "invitation.sent" },
    ]);
    expect(await funnelOf(shop)).toMatchObject({ sent: 1 });
  });
});

describe("its reported outcome", () => {
  const postOutcome = (shop: Pick<TestClient, "key">, id: string, body: object) =>
    call(outcomes, "POST", `/v1/invitations/${id}/outcome`, { key: shop.key, body });
  const createDelegated = async (shop: Awaited<ReturnType<typeof aShop>>) => {
    await createOrder(shop);
    await shop.run();
    const [{ id }] = await rowsOf("select id from invitations where client_id = $1", [shop.id]);
    return id as string;
  };

  it("is recorded once, and shown in the funnel and on the order's page", async () => {
    const shop = await aShop();
    const { deliver } = await shop.hook(["invitation.handed"]);
    const id = await createDelegated(shop);
    await deliver();
    for (const outcome of ["delivered", "opened", "clicked", "delivered"])
      expect((await postOutcome(shop, id, { outcome })).status).toBe(204);
    const client = await readClient(pool(), shop.id);
    const funnel = await getFunnel(client as NonNullable<typeof client>, {});
    expect(funnel.total).toMatchObject({ sent: 1, delivered: 1, opened: 1, clicked: 1, bounced: 0 });
    const [row] = await rowsOf(
      "select delivered_at, opened_at, clicked_at, bounced_at from invitations where id = $1",
      [id],
    );
    expect(row).toEqual({
      delivered_at: expect.any(Date),
      opened_at: expect.any(Date),
      clicked_at: expect.any(Date),
      bounced_at: null,
    });
    expect(await rowsOf("select from suppressions where client_id = $1", [shop.id])).toEqual([]);
    for (const body of [{}, { outcome: "vanished" }, { outcome: "bounced", at: "yesterday" }])
      expect((await postOutcome(shop, id, body)).status).toBe(422);
  });

  it("suppresses addresses that bounced permanently or complained, but not full mailboxes", async () => {
    for (const [body, reason] of [
      [{ outcome: "bounced" }, "bounce"],
      [{ outcome: "bounced", permanent: false, at: "2026-01-01T00:00:00+01:00" }, null],
      [{ outcome: "failed" }, null],
      [{ outcome: "complained" }, "complaint"],
    ] as const) {
      const shop = await aShop();
      await shop.hook(["invitation.handed", "invitation.bounced"]);
      const id = await createDelegated(shop);
      for (let time = 0; time < 2; time += 1) expect((await postOutcome(shop, id, body)).status).toBe(204);
      const suppressed = await rowsOf("select reason from suppressions where client_id = $1", [shop.id]);
      expect(suppressed).toEqual(reason ? [{ reason }] : []);
      const bounced = body.outcome !== "complained";
      const events = await rowsOf("select event from webhook_deliveries where client_id = $1 order by id", [shop.id]);
      expect(events.map(({ event }) => event)).toEqual([
        "invitation.handed",
        ...(bounced ? ["invitation.bounced"] : []),
      ]);
      expect(await sentence(shop)).toMatch(bounced ? /^Passed to your external sender on .* bounced/ : /^Passed to/);
    }
  });

  it("is dated between delegation and now whatever its timestamp, and proves acceptance", async () => {
    const shop = await aShop();
    await shop.hook(["invitation.handed"]);
    const id = await createDelegated(shop);
    expect(await funnelOf(shop)).toMatchObject({ sent: 0 });
    expect((await postOutcome(shop, id, { outcome: "delivered", at: "0000-01-01T00:00:00Z" })).status).toBe(204);
    expect((await postOutcome(shop, id, { outcome: "opened", at: "9999-12-31T23:59:59-12:00" })).status).toBe(204);
    const [row] = await rowsOf(
      `select delivered_at = handed_at as first, opened_at <= now() as last, taken_at is not null as taken, status
         from invitations where id = $1`,
      [id],
    );
    expect(row).toEqual({ first: true, last: true, taken: true, status: "sent" });
    expect(await funnelOf(shop)).toMatchObject({ sent: 1 });
    // Also if it had failed before.
    const other = await aShop();
    await other.hook(["invitation.handed"]);
    const delegatedId = await createDelegated(other);
    await recordDelegatedSends(pool(), other.id, { accepted: [], failed: [delegatedId] });
    expect(await funnelOf(other)).toEqual({ planned: 1, sent: 0, failed: 1 });
    expect((await postOutcome(other, delegatedId, { outcome: "delivered" })).status).toBe(204);
    expect(await funnelOf(other)).toEqual({ planned: 1, sent: 1, failed: 0 });
  });

  it("is accepted only for the client's own delegated invitations", async () => {
    const shop = await aShop();
    await shop.hook(["invitation.handed"]);
    const id = await createDelegated(shop);
    const stranger = await aClient();
    expect((await postOutcome(stranger, id, { outcome: "bounced" })).status).toBe(404);
    await rowsOf("update invitations set handed_at = null where id = $1", [id]);
    expect((await postOutcome(shop, id, { outcome: "bounced" })).status).toBe(404);
    expect(await rowsOf("select from suppressions where client_id = any($1)", [[shop.id, stranger.id]])).toEqual([]);
  });
});

/** The signing secret of a webhook, as shown to the store. */
async function secretOf(clientId: string, id: string): Promise<string> {
  const row = await selectWebhook(clientId, id);
  return (row && activeSecrets(row, new Date())[0]?.secret) ?? "";
}
