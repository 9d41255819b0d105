import { afterEach, expect, it, vi } from "vitest";
import * as clock from "@/app/v1/test/clock/route";
import { newSigningSecret, sealAddress, sealSigningSecrets } from "@/lib/integrations/webhooks/rows";
import { claimInvitations, unsentInvitations } from "@/lib/invitations/claim-invitations";
import { sendInvitations } from "@/lib/invitations/send-invitation";
import { forgetEnv } from "@/lib/platform/env";
import { call } from "@/lib/tools/test/call";
import {
  aClient,
  aMember,
  anOrder,
  notificationsOf,
  rowsOf,
  someProducts,
  someReviews,
  type TestClient,
} from "@/lib/tools/test/factories";
import { webhookReceiver } from "@/lib/tools/test/webhook-receiver";

afterEach(() => {
  vi.unstubAllEnvs();
  forgetEnv();
});

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const advance = async (shop: TestClient, by: string) => {
  const { status, json } = await call(clock, "POST", `/v1/test/clock?client_id=${shop.id}`, {
    key: shop.key,
    body: { advance: by },
  });
  expect(status, JSON.stringify(json)).toBe(200);
  return json.data;
};

async function aTestStore(settings: Record<string, unknown> = {}) {
  const shop = await aClient(
    {
      send_emails_after_days: 7,
      send_emails_before_days: 60,
      quarantine_period: 10,
      config: { reminder_after_days: 10 },
      ...settings,
    },
    { test: true },
  );
  await someProducts(shop.id, [{ id: "sku-1", name: "Lamp" }]);
  return shop;
}

it("sends invitations and reminders on their days, and lets links expire", async () => {
  const shop = await aTestStore();
  await anOrder(shop.id, { items: [{ id: "sku-1", delivery_date: day(2) }] });
  await anOrder(shop.id, { items: [{ id: "sku-1", delivery_date: day(5) }] });
  // Today it is real time.
  const { json } = await call(clock, "GET", `/v1/test/clock?client_id=${shop.id}`, { key: shop.key });
  expect(json.data).toMatchObject({ days: 0, today: day(0) });

  expect(await advance(shop, "next")).toMatchObject({
    advanced_days: 9,
    days: 9,
    today: day(9),
    invitations: 1,
    reminders: 0,
    emails: 1,
  });
  expect(await advance(shop, "1d")).toMatchObject({ advanced_days: 1, days: 10, invitations: 0, emails: 0 });
  expect(await advance(shop, "60d")).toMatchObject({ days: 70, invitations: 1, reminders: 2, emails: 3 });

  const sent = await rowsOf(
    `select kind, (sent_at at time zone 'UTC')::date - current_date + 70 as on_day, day - current_date + 70 as counted
       from invitations where client_id = $1 order by sent_at, id`,
    [shop.id],
  );
  expect(sent).toEqual([
    { kind: "invitation", on_day: 9, counted: 9 },
    { kind: "invitation", on_day: 12, counted: 12 },
    { kind: "reminder", on_day: 19, counted: 19 },
    { kind: "reminder", on_day: 22, counted: 22 },
  ]);
  const mails = await rowsOf("select status, kind from mails where client_id = $1", [shop.id]);
  expect(mails.map(({ status }) => status)).toEqual(["kept", "kept", "kept", "kept"]);

  // Nothing is due but the links' expiry.
  expect(await advance(shop, "next")).toMatchObject({ days: 9 + 180, emails: 0 });
  expect(
    await rowsOf(
      "select count(*)::int as open from invitations where client_id = $1 and kind = 'invitation' and expires_at > now()",
      [shop.id],
    ),
  ).toEqual([{ open: 1 }]);
  await advance(shop, "next");
  expect(await advance(shop, "next")).toMatchObject({ advanced_days: 0, days: 12 + 180 });
});

it("keeps cooldowns and the daily limit as in real time", async () => {
  const shop = await aTestStore({ send_limit: 1, quarantine_period: 20, config: {} });
  const customer = { id: "k1", name: "Ada", email: `${shop.id}@example.org` };
  await anOrder(shop.id, { customer, items: [{ id: "sku-1", delivery_date: day(-6) }] });
  await someProducts(shop.id, [{ id: "sku-2", name: "Chair" }]);
  await anOrder(shop.id, { customer, items: [{ id: "sku-2", delivery_date: day(10) }] });
  await anOrder(shop.id, { items: [{ id: "sku-1", delivery_date: day(-6) }] });
  expect(await advance(shop, "60d")).toMatchObject({ invitations: 3 });
  const days = await rowsOf(
    "select day - current_date + 60 as on_day, email_key = $2 as same from invitations where client_id = $1 order by day",
    [shop.id, customer.email],
  );
  expect(days.map(({ on_day }) => on_day)).toEqual(days[0]?.same ? [1, 2, 21] : [1, 2, 22]);
});

it("reaches the same state day by day as at once", async () => {
  const [one, other] = [await aTestStore(), await aTestStore()];
  for (const shop of [one, other])
    for (let n = 0; n < 6; n += 1)
      await anOrder(shop.id, {
        customer: { id: `k${n % 4}`, email: `k${n % 4}@example.org` },
        items: [{ id: "sku-1", delivery_date: day(n * 3 - 5) }],
      });
  await advance(one, "60d");
  for (let n = 0; n < 60; n += 1) await advance(other, "1d");
  const sent = (shop: TestClient) =>
    rowsOf(
      "select kind, email_key, day::text as day from invitations where client_id = $1 order by day, email_key, kind",
      [shop.id],
    );
  expect(await sent(one)).toEqual(await sent(other));
});

it("delivers webhooks on the day of their events", async () => {
  vi.stubEnv("ALLOW_PRIVATE_URLS", "true");
  forgetEnv();
  const receiver = await webhookReceiver();
  const shop = await aTestStore();
  receiver.secret = newSigningSecret();
  const { url, sealed_url } = sealAddress(receiver.url);
  await rowsOf(
    `insert into webhooks (client_id, id, url, sealed_url, events, secrets, updated_at)
     values ($1, 'wh', $2, $3, '{invitation.sent}', $4, now())`,
    [shop.id, url, sealed_url, sealSigningSecrets([{ secret: receiver.secret }])],
  );
  await anOrder(shop.id, { items: [{ id: "sku-1", delivery_date: day(2) }] });
  receiver.nextAnswers = [500];
  expect(await advance(shop, "9d")).toMatchObject({ invitations: 1, webhooks: 0 });
  // The next attempt is due within minutes, so it is made on the next day.
  expect(await advance(shop, "next")).toMatchObject({ advanced_days: 1, webhooks: 1 });
  expect(receiver.received.map(({ type }) => type)).toEqual(["invitation.sent"]);
  const [{ on_day }] = await rowsOf(
    "select (tried_at at time zone 'UTC')::date - current_date as on_day from webhook_deliveries where client_id = $1",
    [shop.id],
  );
  expect(on_day).toBe(0);
  // Deleted after thirty days, like every delivery.
  expect(await advance(shop, "31d")).toMatchObject({ deleted: 1 });
  expect(receiver.invalidSignatures).toBe(0);
  await receiver.stop();
});

it("notifies moderators on the day on which an item is overdue", async () => {
  const shop = await aTestStore();
  const moderator = await aMember(shop);
  await someReviews(shop.id, [{}, { created_at: new Date(Date.now() - 86_400_000) }, { accepted: true }]);
  const seen = async () => (await notificationsOf(shop.id)).map(({ kind, user_id, count }) => [kind, user_id, count]);
  expect(await advance(shop, "next")).toMatchObject({ advanced_days: 1 });
  expect(await seen()).toEqual([["moderation_overdue", moderator.id, 1]]);
  expect(await advance(shop, "next")).toMatchObject({ advanced_days: 1 });
  expect(await seen()).toEqual([["moderation_overdue", moderator.id, 2]]);
  expect(await advance(shop, "next")).toMatchObject({ advanced_days: 0 });
  const [{ days }] = await rowsOf(
    "select current_date - (created_at at time zone 'UTC')::date as days from notifications where client_id = $1",
    [shop.id],
  );
  expect(days).toBe(1);
  await rowsOf("update clients set own_moderation = false where id = $1", [shop.id]);
  await someReviews(shop.id, [{}]);
  expect(await advance(shop, "next")).toMatchObject({ advanced_days: 0 });
});

it("deletes what expired in the store, and nothing elsewhere", async () => {
  const [shop, other] = [await aTestStore(), await aClient()];
  for (const { id } of [shop, other]) {
    for (const text of [
      "insert into submissions (client_id, fingerprint, subject_id, created_at) values ($1, 'f', 's', now() - interval '1 day')",
      "insert into quarantines (client_id, person_hash, last_day, erased_until) values ($1, 'h', current_date - 90, current_date - 30)",
      "insert into moderation_prints (client_id, kind, subject_id, print, created_at, expires_at) values ($1, 'review', 'r', 7, now() - interval '2 days', now() - interval '1 day')",
      "insert into erased_hashes (client_id, hash, what, erased_at) values ($1, 'e', 'address', now() - interval '9 years')",
      `insert into uploads (client_id, token, key, format, width, height, sizes, bytes, created_at)
       values ($1, $1 || 't', $1 || 'k', 'jpeg', 1, 1, '{}', 1, now() - interval '9 days')`,
      `insert into feed_uploads (client_id, id, kind, filename, created_at) values ($1, 'u', 'orders', 'o.csv', now() - interval '9 days')`,
      `insert into job_failures (client_id, job, part, run_id, failed_since, failed_at)
       values ($1, 'j', '', 'r', now() - interval '99 days', now() - interval '99 days')`,
    ])
      await rowsOf(text, [id]);
  }
  expect(await advance(shop, "1d")).toMatchObject({ deleted: 7 });
  for (const table of [
    "submissions",
    "quarantines",
    "moderation_prints",
    "erased_hashes",
    "uploads",
    "feed_uploads",
    "job_failures",
  ])
    expect(
      await rowsOf(`select client_id from ${table} where client_id = any($1)`, [[shop.id, other.id]]),
      table,
    ).toEqual([{ client_id: other.id }]);
});

it("refuses other stores, and a clock that is being advanced", async () => {
  const real = await aClient();
  for (const method of ["GET", "POST"] as const) {
    const { status, json } = await call(clock, method, `/v1/test/clock?client_id=${real.id}`, {
      key: real.key,
      ...(method === "POST" && { body: { advance: "1d" } }),
    });
    expect([status, json.errors[0].code]).toEqual([409, "conflict"]);
  }
  const shop = await aTestStore();
  const post = () =>
    call(clock, "POST", `/v1/test/clock?client_id=${shop.id}`, { key: shop.key, body: { advance: "1d" } });
  const statuses = (await Promise.all([post(), post(), post()])).map(({ status }) => status).sort();
  expect(statuses[0]).toBe(200);
  const [{ test_days }] = await rowsOf("select test_days from clients where id = $1", [shop.id]);
  expect(test_days).toBe(statuses.filter((status) => status === 200).length);
  const wrong = await call(clock, "POST", `/v1/test/clock?client_id=${shop.id}`, {
    key: shop.key,
    body: { advance: "400d" },
  });
  expect([wrong.status, wrong.json.errors[0].field]).toEqual([422, "advance"]);
});

it("lives on in real time", async () => {
  const shop = await aTestStore();
  await anOrder(shop.id, { items: [{ id: "sku-1", delivery_date: day(2) }] });
  await advance(shop, "8d");
  expect(await claimInvitations(shop.id)).toEqual([]);
  await anOrder(shop.id, { items: [{ id: "sku-1", delivery_date: day(-8) }] });
  await claimInvitations(shop.id);
  await sendInvitations(shop.id, await unsentInvitations(shop.id));
  expect(await rowsOf("select day::text as day from invitations where client_id = $1", [shop.id])).toEqual([
    { day: day(0) },
  ]);
});
