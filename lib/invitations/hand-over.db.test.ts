import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as outcomes from "@/app/v1/invitations/[id]/outcome/route";
import { readClient } from "@/lib/clients/get-client";
import { dayIn, withNow } from "@/lib/clock";
import { pool } from "@/lib/db/pool";
import { claimInvitations, unsentInvitations } from "@/lib/invitations/claim-invitations";
import { addDays } from "@/lib/invitations/days";
import { explainOrder } from "@/lib/invitations/explain-order";
import { getFunnel } from "@/lib/invitations/get-funnel";
import { optOutToken, readInvitationToken, readOptOutToken } from "@/lib/invitations/links";
import { noteTaken } from "@/lib/invitations/note-taken";
import { openInvitation } from "@/lib/invitations/open-invitation";
import { readOptOut, stopInvitations } from "@/lib/invitations/opt-out";
import { planInvitations } from "@/lib/invitations/plan-invitations";
import { sendInvitations } from "@/lib/invitations/send-invitation";
import { NOBODY_SENDS } from "@/lib/invitations/sentences";
import { deletePersonalData } from "@/lib/personal-data/delete-personal-data";
import { personHash } from "@/lib/personal-data/person-hash";
import { call } from "@/lib/test/call";
import { aClient, rowsOf, someSellerReviews, type TestClient } from "@/lib/test/factories";
import { makeCustomer, makeOrder } from "@/lib/test/invitation-rows";
import { type WebhookReceiver, webhookReceiver } from "@/lib/test/webhook-receiver";
import { deliverDue } from "@/lib/webhooks/deliver-due";
import { purgeWebhookDeliveries } from "@/lib/webhooks/list-due";
import { listWebhookDeliveries } from "@/lib/webhooks/list-webhooks";
import { replayDeliveries } from "@/lib/webhooks/replay";
import { keptAddress, secretsAt, selectWebhook } from "@/lib/webhooks/rows";
import { changeWebhook, createWebhook, pauseWebhook, removeWebhook, resumeWebhook } from "@/lib/webhooks/set-webhook";
import { thinEvents, type WebhookEvent } from "@/lib/webhooks/values";

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
});

/** A client whose own sender mails, and whose webhooks lead to the receiver. */
async function aShop(config: object = {}) {
  const shop = await aClient({
    locale: "sv_SE",
    config: { own_sender: true, ...config },
    collect_seller_reviews: true,
  });
  const hook = async (events: WebhookEvent[]) => {
    const { id, secret } = await createWebhook(by, shop.client, { url: "https://hooks.invalid/in", events });
    const kept = keptAddress(receiver.url);
    await rowsOf("update webhooks set url = $2, sealed_url = $3 where id = $1", [id, kept.url, kept.sealed_url]);
    receiver.secret = secret;
    return { id, deliver: () => deliverDue(shop.id, id, network) };
  };
  const run = async () => {
    await claimInvitations(shop.id);
    const ids = await unsentInvitations(shop.id);
    await sendInvitations(shop.id, ids);
  };
  return { ...shop, hook, run };
}

/** Ada bought a lamp and a rug, ten days ago. */
async function adaBought(shop: Pick<TestClient, "id">, email = "ada.berg@x.example") {
  await makeCustomer(shop.id, { id: "c-1", email, name: "Ada Berg" });
  const delivery_date = addDays(today(), -10);
  await makeOrder(shop.id, "o-1", "c-1", [
    { id: "lamp", name: "Lamp", delivery_date },
    { id: "rug", name: "Rug", delivery_date },
  ]);
}

const sentence = async (shop: Pick<TestClient, "id">, item = "lamp") => {
  const client = await readClient(pool(), shop.id);
  if (!client) throw new Error("no client");
  return (await explainOrder(client, "o-1")).get(item)?.sentence;
};
const inWords = (date: Date) => new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(date);
const states = async (shop: Pick<TestClient, "id">) =>
  (await rowsOf(
    "select kind, status, handed_at is not null as handed from invitations where client_id = $1 order by claimed_at, id",
    [shop.id],
  )) as object[];
const daysAhead = (days: number) => new Date(Date.now() + days * 86_400_000);
/** Work at another time, which the receiver's clock shows as well. */
async function later<T>(moment: Date, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["Date"], now: moment });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}
/** The client's mails, its counts of the days, and whom it must not write to. */
const counted = async (shop: Pick<TestClient, "id">) => ({
  items: (await rowsOf("select item_id from invitation_items where client_id = $1 order by item_id", [shop.id])).map(
    ({ item_id }) => item_id,
  ),
  quarantined: (await rowsOf("select from quarantines where client_id = $1", [shop.id])).length > 0,
  sent: (await rowsOf("select coalesce(sum(sent), 0)::int as sent from send_days where client_id = $1", [shop.id]))[0]
    .sent as number,
});
/** The items of each mail that the receiver was told of. */
const itemsTold = () =>
  receiver.taken.map(({ data }) => (data as unknown as { items: { id: string }[] }).items.map(({ id }) => id));
const funnelOf = async (shop: Pick<TestClient, "id">) => {
  const client = await readClient(pool(), shop.id);
  if (!client) throw new Error("no client");
  const { planned, sent, failed } = (await getFunnel(client, {})).total;
  return { planned, sent, failed };
};
const tokenIn = (link: string) => /\/[ro]\/([\w-]+)/.exec(link)?.[1] ?? "";

describe("an invitation for the merchant's own sender", () => {
  it("is handed over with whom, language and every link, and is mailed by nobody here", async () => {
    const shop = await aShop({ max_items: 1 });
    const { deliver } = await shop.hook(["invitation.handed"]);
    const others = await shop.hook([...thinEvents]);
    receiver.secret = "";
    await adaBought(shop);
    await shop.run();
    const [row] = await rowsOf(
      "select id, status, sent_at, handed_at, mail_id, expires_at from invitations where client_id = $1",
      [shop.id],
    );
    expect(row).toMatchObject({ status: "sent", mail_id: null, handed_at: row.sent_at });
    expect(await rowsOf("select from mails where client_id = $1", [shop.id])).toEqual([]);
    // What waits to be told names nobody.
    const waiting = JSON.stringify(await rowsOf("select * from webhook_deliveries where client_id = $1", [shop.id]));
    const facts = JSON.stringify(await rowsOf("select * from outbox where client_id = $1", [shop.id]));
    expect(waiting + facts).not.toMatch(/\bada\b|\/r\/|\/o\//i); // whole words: ids are hexadecimal
    expect(await sentence(shop)).toBe(
      `Was handed to your own sender on ${inWords(row.sent_at)}, which has not taken it yet.`,
    );

    const [{ secrets: _, ...hook }] = await rowsOf(
      "select * from webhooks where client_id = $1 and 'invitation.handed' = any(events)",
      [shop.id],
    );
    expect(hook.events).toEqual(["invitation.handed"]);
    receiver.secret = await secretOf(shop.id, hook.id);
    expect(await deliver()).toEqual({ sent: 1, failed: 0, wait: null });
    const [told] = receiver.taken;
    const data = told?.data as unknown as Record<string, string> & { items: Record<string, unknown>[] };
    const form = data.review_url as string;
    expect(told?.type).toBe("invitation.handed");
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
    // The links are the ones that a mail of ours would have.
    expect(readInvitationToken(tokenIn(form))).toEqual({ clientId: shop.id, invitationId: row.id });
    expect((await openInvitation(tokenIn(form))).state).toBe("open");
    expect(readOptOutToken(tokenIn(data.opt_out_url as string))?.clientId).toBe(shop.id);
    expect(await sentence(shop)).toBe(`Was handed to your own sender on ${inWords(row.sent_at)}.`);

    // Webhooks that did not ask for it by name hear what they always hear, and of nobody.
    receiver.secret = await secretOf(shop.id, others.id);
    receiver.taken.length = 0;
    await others.deliver();
    expect(receiver.taken.map(({ type }) => type)).toEqual(["invitation.scheduled"]);
    expect(receiver.taken.map(({ raw }) => raw).join()).not.toMatch(/\bada\b/i);

    // It counts as every invitation does.
    await shop.run();
    expect(await states(shop)).toEqual([{ kind: "invitation", status: "sent", handed: true }]);
    const plan = await planInvitations(shop.id);
    expect(plan.held.map(({ reason }) => reason)).toEqual(["already_invited", "already_invited"]);
    expect(await rowsOf("select sent from send_days where client_id = $1", [shop.id])).toEqual([{ sent: 1 }]);
  });

  it("waits, claimed by nobody, while no webhook takes it, and says so", async () => {
    const shop = await aShop();
    await shop.hook([...thinEvents]);
    await adaBought(shop);
    await shop.run();
    expect(await states(shop)).toEqual([]);
    expect(await sentence(shop)).toBe(`Will be sent today, with the next run. ${NOBODY_SENDS}`);
    expect((await planInvitations(shop.id)).waits).toBe(NOBODY_SENDS);
    expect(await rowsOf("select from quarantines where client_id = $1", [shop.id])).toEqual([]);

    const { id, deliver } = await shop.hook(["invitation.handed"]);
    expect(await sentence(shop)).toBe("Will be sent today, with the next run.");
    expect((await planInvitations(shop.id)).waits).toBeUndefined();
    await claimInvitations(shop.id);
    // Claimed, and then nobody takes it any more.
    await pauseWebhook(by, shop.client, id);
    await sendInvitations(shop.id, await unsentInvitations(shop.id));
    expect(await states(shop)).toEqual([{ kind: "invitation", status: "claimed", handed: false }]);
    expect(await sentence(shop)).toBe(
      `Is not sent yet: its mail was planned on ${inWords(new Date())}. ${NOBODY_SENDS}`,
    );
    await resumeWebhook(by, shop.client, id);
    await shop.run();
    await deliver();
    expect(receiver.taken).toHaveLength(1);
  });

  it("is handed to one webhook only, which stays while mails wait in it", async () => {
    const shop = await aShop();
    const { id } = await shop.hook(["invitation.handed"]);
    const other = await shop.hook([...thinEvents]);
    const both = { url: "https://hooks.invalid/in", events: [...thinEvents, "invitation.handed" as const] };
    await expect(createWebhook(by, shop.client, both)).rejects.toMatchObject({ code: "conflict" });
    await expect(changeWebhook(by, shop.client, other.id, both)).rejects.toMatchObject({ code: "conflict" });
    expect((await changeWebhook(by, shop.client, id, both)).events).toContain("invitation.handed");
    await adaBought(shop);
    await shop.run();
    await expect(removeWebhook(by, shop.client, id)).rejects.toMatchObject({ code: "conflict" });
    await rowsOf("update webhook_deliveries set state = 'sent' where webhook_id = $1", [id]);
    await removeWebhook(by, shop.client, id);
    expect(await rowsOf("select id from webhooks where client_id = $1", [shop.id])).toEqual([{ id: other.id }]);
  });

  it("is as well what reminds, and what asks about the shop alone", async () => {
    const shop = await aShop({ reminder_after_days: 21, seller_only: true });
    const { deliver } = await shop.hook(["invitation.handed"]);
    await adaBought(shop);
    await makeCustomer(shop.id, { id: "c-2", email: "bo@x.example", name: null, lang: "de" });
    await makeOrder(shop.id, "o-2", "c-2", [
      { id: "unknown", reviewable: false, delivery_date: addDays(today(), -10) },
    ]);
    const in22Days = daysAhead(22);
    await shop.run();
    // Nobody is reminded of a mail that nobody took.
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
    const told = receiver.taken.map(({ data }) => data as unknown as Record<string, unknown> & { items: unknown[] });
    const [first, seller, reminder] = ["invitation", "seller", "reminder"].map((kind) =>
      told.find((one) => one.kind === kind),
    );
    expect(seller).toMatchObject({
      language: "de",
      items: [],
      not_received_url: null,
      customer: { email: "bo@x.example" },
    });
    expect(reminder).toMatchObject({ reminder_of: first?.invitation_id, review_url: first?.review_url });
    expect(reminder?.items).toEqual(first?.items);
    // A reminder's link is the invitation's, and ends when that does.
    expect(reminder?.expires_at).toBe(first?.expires_at);
  });

  it("is not told any more where its customer objected meanwhile, or was erased", async () => {
    const shop = await aShop();
    const { id, deliver } = await shop.hook(["invitation.handed"]);
    await adaBought(shop);
    await shop.run();
    const optOut = await readOptOut(optOutToken(shop.id, personHash(shop.id, "email", "ada.berg@x.example")), null);
    if (optOut) await stopInvitations(optOut);
    expect(await deliver()).toEqual({ sent: 0, failed: 1, wait: null });
    expect(receiver.tries).toBe(0);
    const { deliveries } = await listWebhookDeliveries(shop.client, id);
    expect(deliveries).toMatchObject([{ state: "failed", status: null, error: "The customer wants no more mail." }]);
    // The webhook itself is well.
    expect(await rowsOf("select failing_since, next_try_at from webhooks where id = $1", [id])).toEqual([
      { failing_since: null, next_try_at: null },
    ]);
    await deletePersonalData(by, shop.client, { by: "email", email: "ada.berg@x.example" });
    await replayDeliveries(by, shop.client, id, { from: new Date(0).toISOString() });
    await deliver();
    expect(receiver.tries).toBe(0);
    const dump = JSON.stringify(await rowsOf("select * from webhook_deliveries where client_id = $1", [shop.id]));
    expect(dump).not.toContain("ada.berg");
  });

  it("is not told any more where its customer reviewed the shop meanwhile, which is all that it asks about", async () => {
    const shop = await aShop({ seller_only: true });
    const { deliver } = await shop.hook(["invitation.handed"]);
    await makeCustomer(shop.id, { id: "c-2", email: "bo@x.example" });
    await makeOrder(shop.id, "o-2", "c-2", [
      { id: "unknown", reviewable: false, delivery_date: addDays(today(), -10) },
    ]);
    await shop.run();
    expect(await states(shop)).toEqual([{ kind: "seller", status: "sent", handed: true }]);
    await someSellerReviews(shop.id, [{ email_key: "bo@x.example", date: today() }]);
    expect(await deliver()).toEqual({ sent: 0, failed: 1, wait: null });
    expect(receiver.tries).toBe(0);
  });

  it("is handed over once and told to the end, whoever is killed and whatever the receiver does", {
    timeout: 120_000,
  }, async () => {
    const PEOPLE = 40;
    const shop = await aShop();
    const { deliver } = await shop.hook(["invitation.handed"]);
    for (let n = 0; n < PEOPLE; n++) {
      await makeCustomer(shop.id, { id: `k${n}`, email: `k${n}@x.example` });
      await makeOrder(shop.id, `o${n}`, `k${n}`, [{ id: "p", delivery_date: addDays(today(), -10) }]);
    }
    const sender = () =>
      spawn(process.execPath, ["--import", "tsx", "lib/test/send-invitations-process.ts", shop.id], {
        stdio: "ignore",
      });
    const handed = async () =>
      (
        await rowsOf("select count(*)::int as count from invitations where client_id = $1 and handed_at is not null", [
          shop.id,
        ])
      )[0].count as number;
    // Two at a time, killed in the middle of it.
    for (let round = 1; round <= 3; round++) {
      const pair = [sender(), sender()];
      const target = Math.min((await handed()) + 6, PEOPLE - 4);
      for (let waited = 0; (await handed()) < target && waited < 15_000; waited += 5) await sleep(5);
      for (const child of pair) child.kill("SIGKILL");
      await Promise.all(pair.map((child) => child.exitCode ?? child.signalCode ?? once(child, "exit")));
    }
    const last = sender();
    expect((await once(last, "exit"))[0]).toBe(0);
    expect(await handed()).toBe(PEOPLE);

    // The receiver fails in every way, and two processes tell it at the same time.
    receiver.answers.push(503, 500, 204, { status: 429, headers: { "retry-after": "7" } }, 302, 500, 204, 404);
    const begin = Date.now();
    for (let turn = 0; receiver.taken.length < PEOPLE && turn < 60; turn += 1) {
      receiver.down = turn % 5 === 3;
      vi.useFakeTimers({ toFake: ["Date"], now: begin + turn * 15 * 60_000 });
      await Promise.all([deliver(), deliver()]);
    }
    const rows = await rowsOf(
      "select message_id, data ->> 'invitation_id' as id, state from webhook_deliveries where client_id = $1",
      [shop.id],
    );
    expect(rows).toHaveLength(PEOPLE);
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(["sent"]));
    const told = new Map(receiver.taken.map(({ id, data }) => [id, data.invitation_id]));
    expect(told).toEqual(new Map(rows.map(({ message_id, id }) => [message_id, id])));
    const people = receiver.taken.map(
      ({ data }) => (data as unknown as { customer: { email: string } }).customer.email,
    );
    expect(new Set(people).size).toBe(PEOPLE);
    expect(receiver.overlaps).toBe(0);
    expect(await rowsOf("select from mails where client_id = $1", [shop.id])).toEqual([]);
  });
});

describe("a mail that was handed over and not taken yet", () => {
  it("is taken back as if it had never been, where it is withdrawn before anybody was told", async () => {
    const shop = await aShop();
    const { deliver } = await shop.hook(["invitation.handed", "invitation.skipped"]);
    await adaBought(shop);
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
    expect(receiver.taken.map(({ type, data }) => [type, data.reason])).toEqual([["invitation.skipped", "opted_out"]]);
    expect(await sentence(shop)).toBe("Not sent because the customer wants no mail.");
  });

  it("is taken back likewise where a mail of ours was written for it before, which did not go", async () => {
    const shop = await aShop();
    const { deliver } = await shop.hook(["invitation.handed"]);
    await adaBought(shop);
    await claimInvitations(shop.id);
    // As a mail leaves it that was written while the client's mails were ours, and withdrawn.
    await rowsOf("update invitations set attempts = 2 where client_id = $1", [shop.id]);
    await sendInvitations(shop.id, await unsentInvitations(shop.id));
    expect(await states(shop)).toEqual([{ kind: "invitation", status: "sent", handed: true }]);
    const optOut = await readOptOut(optOutToken(shop.id, personHash(shop.id, "email", "ada.berg@x.example")), null);
    if (optOut) await stopInvitations(optOut);
    await deliver();
    expect(receiver.tries).toBe(0);
    expect(await counted(shop)).toEqual({ items: [], quarantined: false, sent: 0 });
    expect(await states(shop)).toEqual([{ kind: "invitation", status: "failed", handed: false }]);
  });

  it("keeps its items and its quarantine where it was told and given up, counts as not sent, and can be told again", async () => {
    const shop = await aShop({ reminder_after_days: 21 });
    const { id, deliver } = await shop.hook(["invitation.handed"]);
    await adaBought(shop);
    await shop.run();
    await makeCustomer(shop.id, { id: "c-2", email: "bo@x.example" });
    await makeOrder(shop.id, "o-2", "c-2", [{ id: "vase", name: "Vase", delivery_date: addDays(today(), -10) }]);
    receiver.answers.push(500);
    await deliver();
    await shop.run();
    // Bo's mail gets through, Ada's is refused after a day of tries.
    await rowsOf(
      `update webhook_deliveries set attempts = 10, happened_at = now() - interval '2 days', due_at = now() - interval '1 minute'
        where client_id = $1 and attempts > 0`,
      [shop.id],
    );
    await rowsOf("update webhooks set failing_since = null, next_try_at = null where id = $1", [id]);
    receiver.refuses = (raw) => raw.includes("ada.berg");
    await deliver();
    expect((await funnelOf(shop)).failed).toBe(1);
    expect(await funnelOf(shop)).toEqual({ planned: 2, sent: 1, failed: 1 });
    expect(await sentence(shop)).toBe("Was not sent: your own sender did not take the mail.");
    expect(await counted(shop)).toEqual({ items: ["lamp", "rug", "vase"], quarantined: true, sent: 2 });
    await withNow(daysAhead(22), shop.run);
    const kinds = async () => (await states(shop)).map((row) => (row as { kind: string }).kind);
    expect(await kinds()).toEqual(["invitation", "invitation", "reminder"]); // Bo's
    receiver.refuses = () => false;
    await replayDeliveries(by, shop.client, id, { failed: true });
    await deliver();
    expect(receiver.taken.map(({ raw }) => raw.includes("ada.berg"))).toContain(true);
    expect((await funnelOf(shop)).failed).toBe(0);
    expect(await sentence(shop)).toMatch(/^Was handed to your own sender on/);
  });

  it("is never sent beside a newer one, however long it waited, whichever of them comes first", async () => {
    for (const first of ["the new one is claimed", "the old one is told"]) {
      const shop = await aShop();
      const { id, deliver } = await shop.hook(["invitation.handed"]);
      receiver.taken.length = 0;
      await adaBought(shop);
      await shop.run();
      await pauseWebhook(by, shop.client, id);
      await makeOrder(shop.id, "o-2", "c-1", [{ id: "vase", name: "Vase", delivery_date: addDays(today(), 5) }]);
      const day = addDays(today(), 25);
      await later(daysAhead(25), async () => {
        await resumeWebhook(by, shop.client, id);
        if (first === "the old one is told") await deliver();
        await shop.run();
        await deliver();
        await shop.run();
        await deliver();
      });
      expect(receiver.taken, first).toHaveLength(1);
      const last = await rowsOf("select max(last_day) as day from quarantines where client_id = $1", [shop.id]);
      expect(last, first).toEqual([{ day }]);
      expect(await rowsOf("select day, sent from send_days where client_id = $1 and sent > 0", [shop.id])).toEqual([
        { day, sent: 1 },
      ]);
      expect(itemsTold(), first).toEqual([first === "the old one is told" ? ["lamp", "rug"] : ["vase"]]);
    }
  });

  it("asks only for what is still to be asked for when it is told, and counts for that day", async () => {
    const shop = await aShop();
    const { deliver } = await shop.hook(["invitation.handed"]);
    await adaBought(shop);
    await shop.run();
    // Ada's rug comes later than everybody thought.
    await rowsOf("update order_items set delivery_date = $2 where client_id = $1 and id = 'rug'", [
      shop.id,
      addDays(today(), 3),
    ]);
    await deliver();
    expect(itemsTold()).toEqual([["lamp"]]);
    expect((await counted(shop)).items).toEqual(["lamp"]);

    const other = await aShop();
    const hook = await other.hook(["invitation.handed"]);
    await adaBought(other);
    await other.run();
    await rowsOf("update order_items set delivery_date = $2 where client_id = $1", [other.id, addDays(today(), 3)]);
    expect(await hook.deliver()).toMatchObject({ sent: 0, failed: 1 });
    expect(await counted(other)).toEqual({ items: [], quarantined: false, sent: 0 });
    expect(await sentence(other)).toMatch(/^Will be sent on/);
  });

  it("waits for the hours in which mail may go and for room in the day's limit, as no failure", async () => {
    const noon = new Date(`${addDays(today(), 1)}T12:00:00Z`);
    const shop = await aShop({ send_hours: [9, 18] });
    const { id, deliver } = await shop.hook(["invitation.handed"]);
    await adaBought(shop);
    await withNow(noon, shop.run);
    const at = (hours: number) => new Date(noon.getTime() + hours * 3_600_000);
    const inTheEvening = await later(at(8), deliver);
    expect(inTheEvening).toMatchObject({ sent: 0, failed: 0 });
    expect(inTheEvening.wait).toBeCloseTo(13 * 3_600, -3);
    // Tomorrow's limit is used up.
    const tomorrow = addDays(today(), 2);
    await rowsOf("update clients set send_limit = 1 where id = $1", [shop.id]);
    await rowsOf("insert into send_days (client_id, day, sent) values ($1, $2, 1)", [shop.id, tomorrow]);
    const wait = await later(at(24), deliver);
    expect(wait).toMatchObject({ sent: 0, failed: 0 });
    expect(wait.wait).toBeCloseTo(3_600, -2);
    expect(
      await rowsOf(
        `select d.state, d.attempts, w.failing_since from webhook_deliveries d join webhooks w on w.id = d.webhook_id
          where d.client_id = $1`,
        [shop.id],
      ),
    ).toEqual([{ state: "pending", attempts: 0, failing_since: null }]);
    expect(receiver.tries).toBe(0);
    expect(await later(at(48), deliver)).toMatchObject({ sent: 1 });
    const [row] = await rowsOf("select id, day, handed_at, expires_at from invitations where client_id = $1", [
      shop.id,
    ]);
    expect(row.day).toBe(addDays(today(), 3));
    expect(dayIn("UTC", row.handed_at)).toBe(row.day);
    expect(receiver.taken[0]?.data.expires_at).toBe(`${row.expires_at.toISOString().slice(0, 19)}Z`);
    expect(await rowsOf("select id from webhooks where id = $1 and failing_since is null", [id])).toHaveLength(1);
  });

  it("stays when old events go", async () => {
    const shop = await aShop();
    const { deliver } = await shop.hook(["invitation.handed"]);
    const others = await shop.hook([...thinEvents]);
    await adaBought(shop);
    await shop.run();
    await rowsOf("update webhook_deliveries set created_at = now() - interval '31 days' where client_id = $1", [
      shop.id,
    ]);
    while ((await purgeWebhookDeliveries()) > 0);
    const left = await rowsOf("select event from webhook_deliveries where client_id = $1", [shop.id]);
    expect(left).toEqual([{ event: "invitation.handed" }]);
    expect((await others.deliver()).sent).toBe(0);
    receiver.secret = await secretOf(
      shop.id,
      (await rowsOf("select webhook_id from webhook_deliveries where client_id = $1", [shop.id]))[0].webhook_id,
    );
    await deliver();
    while ((await purgeWebhookDeliveries()) > 0);
    expect(await rowsOf("select from webhook_deliveries where client_id = $1", [shop.id])).toEqual([]);
    expect(await funnelOf(shop)).toMatchObject({ sent: 1 });
  });
});

describe("what became of it", () => {
  const tell = (shop: Pick<TestClient, "key">, id: string, body: object) =>
    call(outcomes, "POST", `/v1/invitations/${id}/outcome`, { key: shop.key, body });
  const handedIn = async (shop: Awaited<ReturnType<typeof aShop>>) => {
    await adaBought(shop);
    await shop.run();
    const [{ id }] = await rowsOf("select id from invitations where client_id = $1", [shop.id]);
    return id as string;
  };

  it("comes back by the API, stands in the funnel and on the order's page, once", async () => {
    const shop = await aShop();
    const { deliver } = await shop.hook(["invitation.handed"]);
    const id = await handedIn(shop);
    await deliver();
    for (const outcome of ["delivered", "opened", "clicked", "delivered"])
      expect((await tell(shop, id, { outcome })).status).toBe(204);
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
      expect((await tell(shop, id, body)).status).toBe(422);
  });

  it("stops mail to an address that is gone or complained, and not to one whose mailbox was full", async () => {
    for (const [body, reason] of [
      [{ outcome: "bounced" }, "bounce"],
      [{ outcome: "bounced", permanent: false, at: "2026-01-01T00:00:00+01:00" }, null],
      [{ outcome: "failed" }, null],
      [{ outcome: "complained" }, "complaint"],
    ] as const) {
      const shop = await aShop();
      await shop.hook(["invitation.handed", "invitation.bounced"]);
      const id = await handedIn(shop);
      for (let time = 0; time < 2; time += 1) expect((await tell(shop, id, body)).status).toBe(204);
      const suppressed = await rowsOf("select reason from suppressions where client_id = $1", [shop.id]);
      expect(suppressed).toEqual(reason ? [{ reason }] : []);
      const bounced = body.outcome !== "complained";
      const events = await rowsOf("select event from webhook_deliveries where client_id = $1 order by id", [shop.id]);
      expect(events.map(({ event }) => event)).toEqual([
        "invitation.handed",
        ...(bounced ? ["invitation.bounced"] : []),
      ]);
      expect(await sentence(shop)).toMatch(bounced ? /^Was handed to your own sender on .* came back/ : /^Was handed/);
    }
  });

  it("happened between handing over and now, whatever its clock says, and proves that the mail was taken", async () => {
    const shop = await aShop();
    await shop.hook(["invitation.handed"]);
    const id = await handedIn(shop);
    expect(await funnelOf(shop)).toMatchObject({ sent: 0 });
    expect((await tell(shop, id, { outcome: "delivered", at: "0000-01-01T00:00:00Z" })).status).toBe(204);
    expect((await tell(shop, id, { outcome: "opened", at: "9999-12-31T23:59:59-12:00" })).status).toBe(204);
    const [row] = await rowsOf(
      `select delivered_at = handed_at as first, opened_at <= now() as last, taken_at is not null as taken, status
         from invitations where id = $1`,
      [id],
    );
    expect(row).toEqual({ first: true, last: true, taken: true, status: "sent" });
    expect(await funnelOf(shop)).toMatchObject({ sent: 1 });
    // Also where it had been given up.
    const other = await aShop();
    await other.hook(["invitation.handed"]);
    const lost = await handedIn(other);
    await noteTaken(pool(), other.id, { taken: [], givenUp: [lost] });
    expect(await funnelOf(other)).toEqual({ planned: 1, sent: 0, failed: 1 });
    expect((await tell(other, lost, { outcome: "delivered" })).status).toBe(204);
    expect(await funnelOf(other)).toEqual({ planned: 1, sent: 1, failed: 0 });
  });

  it("is told of one's own handed invitations only", async () => {
    const shop = await aShop();
    await shop.hook(["invitation.handed"]);
    const id = await handedIn(shop);
    const stranger = await aClient();
    expect((await tell(stranger, id, { outcome: "bounced" })).status).toBe(404);
    await rowsOf("update invitations set handed_at = null where id = $1", [id]);
    expect((await tell(shop, id, { outcome: "bounced" })).status).toBe(404);
    expect(await rowsOf("select from suppressions where client_id = any($1)", [[shop.id, stranger.id]])).toEqual([]);
  });
});

/** What a webhook signs with, as its shop knows it. */
async function secretOf(clientId: string, id: string): Promise<string> {
  const row = await selectWebhook(clientId, id);
  return (row && secretsAt(row, new Date())[0]?.secret) ?? "";
}
