import { expect, it } from "vitest";
import { readClient } from "@/lib/accounts/stores/get-client";
import { claimInvitations } from "@/lib/invitations/claim-invitations";
import { explainOrder } from "@/lib/invitations/explain-order";
import { previewNextRun } from "@/lib/invitations/preview-next-run";
import { sendInvitation } from "@/lib/invitations/send-invitation";
import { withNow } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { portalText } from "@/lib/platform/i18n/messages";
import { aClient, anOrder, rowsOf, someProducts, someReviews, uniqueName } from "@/lib/tools/test/factories";

const today = new Date("2026-05-10T12:00:00Z");

it("explains each item as the preview of the next run does", async () => {
  const { client } = await aClient({ send_emails_after_days: 7 });
  const [deleted] = await someProducts(client.id, [{ deleted: true }]);
  const email = `${uniqueName("ada")}@x.example`;
  const order = await anOrder(client.id, {
    customer: { id: "c-1", email },
    items: [
      { id: "due", name: "Due", delivery_date: "2026-05-01" },
      { id: "soon", name: "Soon", delivery_date: "2026-05-04" },
      { id: "later", name: "Later", delivery_date: "2026-05-20" },
      { id: "old", name: "Old", delivery_date: "2026-01-01" },
      { id: "undated", name: "Undated" },
      { id: deleted, delivery_date: "2026-05-01" },
      { id: "unknown", delivery_date: "2026-05-01" },
    ],
  });
  // Another customer id with the same address is the same person, so its items are combined too.
  await anOrder(client.id, {
    customer: { id: "c-2", email: email.toUpperCase() },
    items: [{ id: "fellow", name: "Fellow", delivery_date: "2026-05-04" }],
  });
  await withNow(today, async () => {
    const explanations = await explainOrder(client, order.id);
    expect(Object.fromEntries([...explanations].map(([id, { sentence }]) => [id, sentence]))).toEqual({
      due: "Scheduled for 11 May 2026: the customer’s items are combined in one email.",
      soon: "Scheduled for 11 May 2026: customers are invited 7 days after delivery.",
      later:
        "Scheduled for 1 Jun 2026: customers are invited 7 days after delivery and customers get at most one email every 21 days.",
      old: "Not sent: the invitation window expired on 2 Mar 2026.",
      undated: "Not sent: the delivery date is unknown.",
      [deleted as string]: "Not sent: the product is no longer in the catalog.",
      unknown: "Not sent: the item isn’t in the catalog.",
    });
    const preview = await previewNextRun(client.id, { explain: true });
    const held = preview.held.filter(({ order_id }) => order_id === order.id);
    expect(held.map(({ item_id, reason, until }) => [item_id, reason, until]).sort()).toEqual(
      [...explanations].map(([id, { reason, until }]) => [id, reason, until]).sort(),
    );
    for (const { sentence } of held) expect(sentence).toMatch(/^(Scheduled for|Not sent:) .*\.$/);
  });
});

it("forecasts the days on which the jobs send", async () => {
  const { client } = await aClient({ send_emails_after_days: 7 });
  const order = await anOrder(client.id, {
    items: [
      { id: "first", name: "First", delivery_date: "2026-05-01" },
      { id: "near", name: "Near", delivery_date: "2026-05-04" },
      { id: "later", name: "Later", delivery_date: "2026-05-20" },
    ],
  });
  const explanations = await withNow(today, () => explainOrder(client, order.id));
  const days = new Map<string, string>();
  for (let at = today; days.size < 3 && at.getTime() < Date.UTC(2026, 6, 1); at = new Date(at.getTime() + 86_400_000))
    for (const id of await withNow(at, () => claimInvitations(client.id)))
      for (const { item_id } of await rowsOf("select item_id from invitation_items where invitation_id = $1", [id]))
        days.set(item_id, at.toISOString().slice(0, 10));
  expect(Object.fromEntries(days)).toEqual({ first: "2026-05-11", near: "2026-05-11", later: "2026-06-01" });
  expect(Object.fromEntries([...explanations].map(([id, { day }]) => [id, day]))).toEqual(Object.fromEntries(days));
});

it("shows an item's timeline, including future steps", async () => {
  const { client } = await aClient({ send_emails_after_days: 7, config: { time_zone: "Europe/Stockholm" } });
  const order = await anOrder(client.id, { items: [{ id: "lamp", name: "Lamp", delivery_date: "2026-05-05" }] });
  await rowsOf("update order_items set created_at = '2026-05-01T22:30:00Z' where client_id = $1", [client.id]);
  const steps = async (at: string) =>
    (await withNow(new Date(at), () => explainOrder(client, order.id)))
      .get("lamp")
      ?.timeline.map(({ day, text, ahead }) => `${day}${ahead ? " ahead:" : ""} ${text}`);
  expect(await steps("2026-05-10T12:00:00Z")).toEqual([
    "2026-05-02 Order received by Candor.",
    "2026-05-05 Delivered.",
    "2026-05-12 ahead: First day to send the invitation.",
    "2026-05-12 ahead: Invitation will be sent.",
    "2026-07-04 ahead: Last day to send the invitation.",
  ]);
  const [id = ""] = await withNow(new Date("2026-05-12T06:00:00Z"), () => claimInvitations(client.id));
  await withNow(new Date("2026-05-12T06:00:00Z"), () => sendInvitation(client.id, id));
  await rowsOf("update invitations set opened_at = '2026-05-12T08:00:00Z' where id = $1", [id]);
  await someReviews(client.id, [
    { product_id: "lamp", order_id: order.id, score: 4, created_at: new Date("2026-05-13T10:00:00Z") },
  ]);
  expect(await steps("2026-05-14T12:00:00Z")).toEqual([
    "2026-05-02 Order received by Candor.",
    "2026-05-05 Delivered.",
    "2026-05-12 Invitation scheduled.",
    "2026-05-12 Invitation sent.",
    "2026-05-12 Invitation opened.",
    "2026-05-13 Review received, 4 of 5 stars.",
  ]);
  const explanations = await explainOrder(client, order.id);
  expect(explanations.get("lamp")?.sentence).toBe("Sent on 12 May 2026.");
});

it("explains a bounce and a daily limit of 0", async () => {
  const { client } = await aClient({ send_emails_after_days: 0 });
  const order = await anOrder(client.id, { items: [{ id: "lamp", name: "Lamp", delivery_date: "2026-05-05" }] });
  const sentence = async () => {
    const asItStands = (await readClient(pool(), client.id)) ?? client;
    return (await withNow(today, () => explainOrder(asItStands, order.id))).get("lamp")?.sentence;
  };
  await rowsOf("update clients set send_limit = 0 where id = $1", [client.id]);
  expect(await sentence()).toBe("Not sent: the daily email limit is 0.");
  await rowsOf("update clients set send_limit = 5 where id = $1", [client.id]);
  expect(await sentence()).toBe("Scheduled for today’s next run.");
  const [id = ""] = await withNow(today, () => claimInvitations(client.id));
  expect(await sentence()).toBe("Sending now. The email was scheduled on 10 May 2026.");
  await withNow(today, () => sendInvitation(client.id, id));
  await rowsOf("update invitations set bounced_at = now() where id = $1", [id]);
  expect(await sentence()).toBe("Sent on 10 May 2026, but bounced: the address doesn’t accept email.");
});

it("says that an email wasn't sent because the store was moved, by whichever way it would have been sent", async () => {
  const { client } = await aClient({ send_emails_after_days: 0 });
  const order = await anOrder(client.id, { items: [{ id: "lamp", name: "Lamp", delivery_date: "2026-05-05" }] });
  const [id = ""] = await withNow(today, () => claimInvitations(client.id));
  for (const handed of ["null", "now()"]) {
    await rowsOf(
      `update invitations set status = 'failed', error = 'store_moved', handed_at = ${handed} where id = $1`,
      [id],
    );
    const explanations = await withNow(today, () => explainOrder(client, order.id));
    expect(explanations.get("lamp")?.sentence).toBe("Not sent: the store was moved before this email was sent.");
  }
});

it("returns nothing for another client's order", async () => {
  const [own, other] = [await aClient(), await aClient()];
  const order = await anOrder(other.id);
  expect(await explainOrder(own.client, order.id)).toEqual(new Map());
  expect(await rowsOf("select 1 from order_items where client_id = $1", [other.id])).toHaveLength(1);
});

it("shows when a reminder will be sent, and when it was sent", async () => {
  const { client } = await aClient({ config: { reminder_after_days: 30 } });
  const order = await anOrder(client.id, {
    customer: { id: "c-1", email: `${uniqueName("ada")}@x.example` },
    items: [{ id: "lamp", name: "Lamp", delivery_date: "2026-05-01" }],
  });
  const at = <T>(day: string, work: () => Promise<T>) => withNow(new Date(`${day}T12:00:00Z`), work);
  const explanations = (day: string) => at(day, async () => (await explainOrder(client, order.id)).get("lamp"));
  const run = (day: string) =>
    at(day, async () => {
      for (const id of await claimInvitations(client.id)) await sendInvitation(client.id, id);
    });
  await run("2026-05-10");
  const before = await explanations("2026-05-11");
  expect(before?.sentence).toBe(
    "Sent on 10 May 2026. A reminder will be sent on 9 Jun 2026 or later, unless the customer responds.",
  );
  expect(before?.timeline).toContainEqual(expect.objectContaining({ day: "2026-06-09", ahead: true }));
  await run("2026-06-09");
  expect((await explanations("2026-06-10"))?.sentence).toBe("Sent on 10 May 2026, with a reminder on 9 Jun 2026.");
});

it("is in the reader's language, with its dates and numbers", async () => {
  const german = portalText("de");
  const { client } = await aClient({ send_emails_after_days: 7 });
  const order = await anOrder(client.id, {
    items: [
      { id: "soon", name: "Soon", delivery_date: "2026-05-04" },
      { id: "old", name: "Old", delivery_date: "2026-01-01" },
      { id: "undated", name: "Undated" },
    ],
  });
  const explanations = await withNow(today, () => explainOrder(client, order.id, german));
  expect(explanations.get("soon")?.sentence).toBe(
    "Einladung wird am 11.05.2026 gesendet: Kunden werden 7 Tage nach der Lieferung eingeladen.",
  );
  expect(explanations.get("old")?.sentence).toBe("Keine Einladung: Einladungszeitraum am 02.03.2026 abgelaufen.");
  expect(explanations.get("undated")?.sentence).toBe("Keine Einladung: Lieferdatum unbekannt.");
  expect(explanations.get("soon")?.timeline.map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      "Geliefert.",
      "Bestellung bei Candor eingegangen.",
      "Erster Tag zum Senden der Einladung.",
      "Einladung wird gesendet.",
      "Letzter Tag zum Senden der Einladung.",
    ]),
  );
});
