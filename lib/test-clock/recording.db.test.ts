import { expect, it } from "vitest";
import * as replace from "@/app/portal/api/v1/test_store/recording_link/route";
import { systemActor } from "@/lib/accounts/actor";
import { getClient } from "@/lib/accounts/stores/get-client";
import { addDays } from "@/lib/invitations/days";
import { dropCached } from "@/lib/platform/db/cache";
import { advanceClock } from "@/lib/test-clock/advance-clock";
import { openRecording, recordingLink, showRecording } from "@/lib/test-clock/show-recording";
import { call } from "@/lib/tools/test/call";
import { aClient, aMember, anOrder, rowsOf, someProducts, someReviews } from "@/lib/tools/test/factories";

const today = new Date().toISOString().slice(0, 10);
const day = (count: number) => addDays(today, count);

async function aTestStore() {
  const shop = await aClient(
    {
      send_emails_after_days: 7,
      send_emails_before_days: 20,
      quarantine_period: 10,
      config: { reminder_after_days: 10 },
    },
    { test: true },
  );
  await someProducts(shop.id, [{ id: "sku-1", name: "Lamp" }]);
  // Two purges of expired rows.
  const purge = async () => {
    await rowsOf("delete from submissions where client_id = $1 and created_at < now() - interval '1 minute'", [
      shop.id,
    ]);
  };
  const advance = (days: number) => advanceClock(systemActor, shop.id, days, purge);
  const recording = async () => {
    dropCached("client", shop.id);
    return showRecording((await getClient(shop.id))!);
  };
  return { shop, advance, recording };
}

it("shows by day of the clock what happened", async () => {
  const { shop, advance, recording } = await aTestStore();
  await anOrder(shop.id, { items: [{ id: "sku-1", delivery_date: day(1) }] });
  const optedOut = { id: "k2", email: `${shop.id}@example.org`, opt_out: true };
  await anOrder(shop.id, { customer: optedOut, items: [{ id: "sku-1", delivery_date: day(1) }] });
  await rowsOf("insert into submissions (client_id, fingerprint, subject_id) values ($1, 'f', 's')", [shop.id]);
  await advance(8);
  await someReviews(shop.id, [{ accepted: true, accepted_at: new Date() }]);
  await advance(30);
  await advance(200);

  const { clock, days } = await recording();
  expect(clock).toMatchObject({ days: 238, today: day(238) });
  expect(days).toEqual([
    { day: day(188), counts: { expired: 1 }, not_invited: {} },
    { day: day(21), counts: {}, not_invited: { opted_out: 1 } },
    { day: day(18), counts: { reminders: 1, emails: 1 }, not_invited: {} },
    { day: day(8), counts: { invitations: 1, emails: 1, reviews: 1, published: 1, deleted: 1 }, not_invited: {} },
    { day: day(0), counts: { orders: 2 }, not_invited: {} },
  ]);
});

it("has the days in the audit log from the first one on, in one entry per call", async () => {
  const { shop } = await aTestStore();
  await anOrder(shop.id, { items: [{ id: "sku-1", delivery_date: day(1) }] });
  await rowsOf("insert into submissions (client_id, fingerprint, subject_id) values ($1, 'f', 's')", [shop.id]);
  const entries = () =>
    rowsOf(
      "select actor_kind, detail from audit_entries where client_id = $1 and action like 'test_clock.%' order by id",
      [shop.id],
    );
  const before: unknown[] = [];
  const purge = async () => {
    before.push(...(await entries()));
    await rowsOf("delete from submissions where client_id = $1", [shop.id]);
  };
  await advanceClock(systemActor, shop.id, 30, purge);
  expect(before).toEqual([{ actor_kind: "system", detail: { days: 30, removed: 0 } }]);
  await advanceClock(systemActor, shop.id, 2, async () => {});
  expect((await entries()).map(({ detail }) => detail)).toEqual([
    { days: 30, removed: 1 },
    { days: 2, removed: 0 },
  ]);
});

it("can be read by a secret link, until it is replaced, and as long as the store exists", async () => {
  const { shop, advance } = await aTestStore();
  await anOrder(shop.id);
  await advance(3);
  const token = recordingLink(shop.client).split("/").at(-1) as string;
  expect(await openRecording(token)).toMatchObject({
    name: shop.client.display_name,
    days: [{ counts: { orders: 1 } }],
  });
  for (const wrong of [token.slice(0, -1), "", "x".repeat(60)])
    await expect(openRecording(wrong)).rejects.toMatchObject({ code: "not_found" });
  const replaced = await call(replace, "POST", `/portal/api/v1/test_store/recording_link?client_id=${shop.id}`, {
    headers: (await aMember(shop, "admin")).headers,
  });
  await expect(openRecording(token)).rejects.toMatchObject({ code: "not_found" });
  const next = replaced.json.data.url.split("/").at(-1);
  expect(await openRecording(next)).toMatchObject({ name: shop.client.display_name });
  expect(
    await rowsOf("select actor_kind from audit_entries where client_id = $1 and action = 'test_store.link_replaced'", [
      shop.id,
    ]),
  ).toEqual([{ actor_kind: "user" }]);
  await rowsOf("update clients set public_key = 'pk_other' || id where id = $1", [shop.id]);
  dropCached("client", shop.id);
  await expect(openRecording(next)).rejects.toMatchObject({ code: "not_found" });
});

it("is only of test stores", async () => {
  const { client } = await aClient();
  await expect(showRecording(client)).rejects.toMatchObject({ code: "conflict" });
  await expect(openRecording(recordingLink(client).split("/").at(-1) as string)).rejects.toMatchObject({
    code: "not_found",
  });
});
