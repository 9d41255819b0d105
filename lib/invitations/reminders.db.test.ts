import { beforeEach, describe, expect, test } from "vitest";
import { submitInvitationForm } from "@/lib/forms/invitation/submit-invitation-form";
import { claimInvitations, unsentInvitations } from "@/lib/invitations/claim-invitations";
import { previewNextRun } from "@/lib/invitations/preview-next-run";
import { sendInvitation } from "@/lib/invitations/send-invitation";
import { withNow } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { listMails } from "@/lib/platform/mail/list-mails";
import { emptyDatabase } from "@/lib/tools/test/database";
import { makeClient, makeCustomer, makeOrder, makeReview } from "@/lib/tools/test/invitation-rows";

beforeEach(emptyDatabase);

const at = <T>(date: string, work: () => T): T => withNow(new Date(`${date}T09:00:00Z`), work);

const run = (client: string, date: string) =>
  at(date, async () => {
    await claimInvitations(client);
    for (const id of await unsentInvitations(client)) await sendInvitation(client, id);
  });

/** A store with an invitation on 8 March, and its reminder from 7 April on (30 days). */
async function shop(settings: Record<string, unknown> = {}) {
  const client = await makeClient("shop", { config: { reminder_after_days: 30 }, ...settings });
  await makeCustomer(client, { id: "k1", email: "anna@x.example", name: "Anna" });
  await makeOrder(client, "o1", "k1", [
    { id: "p1", delivery_date: "2026-03-01", name: "Lamp" },
    { id: "p2", delivery_date: "2026-03-01", name: "Rug" },
  ]);
  return client;
}

const mails = async () =>
  (await listMails()).map(({ to, subject, created_at }) => `${created_at.slice(0, 10)} ${to} ${subject}`);
const invitationLine = "2026-03-08 anna@x.example How do you like your order from Lanterna?";
const reminded = "2026-04-07 anna@x.example Reminder: How do you like your order from Lanterna?";
const everyDay = async (client: string, from: string, days: number) => {
  for (let n = 0; n < days; n++)
    await run(client, new Date(Date.parse(from) + n * 86_400_000).toISOString().slice(0, 10));
};
const linkIn = (text: string | null | undefined) => /\/r\/([\w-]+)/.exec(text ?? "")?.[1] ?? "";

test("sends one reminder on its day with the same link, and never a second", async () => {
  const client = await shop();
  await everyDay(client, "2026-03-08", 50);
  expect(await mails()).toEqual([invitationLine, reminded]);
  const [first, second] = await listMails();
  expect(linkIn(second?.text)).toBe(linkIn(first?.text));
  expect(second?.text).toContain("This is the only reminder");
  expect(second?.headers["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
  const { rows } = await pool().query(
    "select kind, status, day, reminder_of is not null as of from invitations order by day",
  );
  expect(rows).toMatchObject([
    { kind: "invitation", status: "sent", of: false },
    { kind: "reminder", status: "sent", day: "2026-04-07", of: true },
  ]);
});

test("sends none if the client hasn't set any", async () => {
  const client = await shop({ config: {} });
  await everyDay(client, "2026-03-08", 50);
  expect(await mails()).toEqual([invitationLine]);
});

test("sends one reminder for concurrent claims", async () => {
  const client = await shop();
  await run(client, "2026-03-08");
  const claimed = await at("2026-04-07", () => Promise.all(Array.from({ length: 5 }, () => claimInvitations(client))));
  expect(claimed.flat()).toHaveLength(1);
  await expect(
    pool().query(
      "update invitations set reminder_of = (select id from invitations where kind = 'invitation'), id = id || 'x'",
    ),
  ).rejects.toThrow(/unique/);
});

describe("no reminder goes to a customer", () => {
  const form = (entries: [string, string][]) => {
    const data = new FormData();
    for (const [name, value] of entries) data.append(name, value);
    return data;
  };

  test("who reviewed through the form", async () => {
    const client = await shop();
    await run(client, "2026-03-08");
    const [mail] = await listMails();
    const outcome = await at("2026-03-20", () =>
      submitInvitationForm(
        linkIn(mail?.text),
        form([
          ["items.1.score", "5"],
          ["items.1.content", "Good"],
          ["author", "Anna"],
        ]),
        null,
      ),
    );
    expect(outcome.outcome).toBe("stored");
    await everyDay(client, "2026-04-06", 10);
    expect(await mails()).toEqual([invitationLine]);
  });

  test("who reviewed an item elsewhere, with the same address or customer id", async () => {
    for (const reviewer of [{ email_key: "anna@x.example" }, { customer_id: "k1" }]) {
      await emptyDatabase();
      const client = await shop();
      await run(client, "2026-03-08");
      await makeReview(client, { id: "00000000000000aa", product_id: "p2", date: "2026-03-20", ...reviewer });
      await run(client, "2026-04-07");
      expect(await mails()).toEqual([invitationLine]);
    }
  });

  test.each([
    [
      "who opted out",
      `insert into suppressions (client_id, email_hash, reason) select client_id, email_hash, 'opt_out' from customers`,
    ],
    [
      "whose mailbox bounced",
      `insert into suppressions (client_id, email_hash, reason) select client_id, email_hash, 'bounce' from customers`,
    ],
    ["whose mail bounced", "update invitations set bounced_at = now(), delivered_at = null"],
    ["whose order opted out", "update customers set opt_out_by_order = true"],
    ["whose items were cancelled", "update order_items set reviewable = false"],
    ["whose items are held back", "update order_items set held_at = now()"],
    [
      "who has another address by now",
      "update customers set email = 'b@x.example', email_key = 'b@x.example', email_hash = 'b'",
    ],
    ["whose window is over", "update order_items set delivery_date = '2026-02-01'"],
  ])("%s", async (_, change) => {
    const client = await shop();
    await run(client, "2026-03-08");
    await pool().query(change);
    await everyDay(client, "2026-04-06", 5);
    expect(await mails()).toEqual([invitationLine]);
  });

  test("who got a later email, except about that one", async () => {
    const client = await shop();
    await run(client, "2026-03-08");
    await makeOrder(client, "o2", "k1", [{ id: "p9", delivery_date: "2026-03-25", name: "Chair" }]);
    await everyDay(client, "2026-04-01", 50);
    expect(await mails()).toEqual([
      invitationLine,
      "2026-04-01 anna@x.example How do you like Chair?",
      "2026-05-01 anna@x.example Reminder: How do you like Chair?",
    ]);
  });

  test("who answers between claim and sending", async () => {
    const client = await shop();
    await run(client, "2026-03-08");
    const [id] = await at("2026-04-07", () => claimInvitations(client));
    await makeReview(client, { id: "00000000000000ab", product_id: "p1", date: "2026-04-07", customer_id: "k1" });
    await at("2026-04-07", () => sendInvitation(client, id as string));
    await everyDay(client, "2026-04-08", 5);
    expect(await mails()).toEqual([invitationLine]);
    const { rows } = await pool().query("select status, error from invitations where kind = 'reminder'");
    expect(rows).toEqual([{ status: "failed", error: "already_reviewed" }]);
    const { rows: days } = await pool().query("select sum(sent)::int as sent from send_days");
    expect(days).toEqual([{ sent: 1 }]);
  });
});

test("counts toward the limit, after invitations, and toward the cooldown", async () => {
  const client = await shop({ send_limit: 1 });
  await run(client, "2026-03-08");
  await makeCustomer(client, { id: "k2", email: "bo@x.example" });
  await makeOrder(client, "o2", "k2", [{ id: "p3", delivery_date: "2026-03-31", name: "Chair" }]);
  await makeOrder(client, "o3", "k1", [{ id: "p4", delivery_date: "2026-04-05", name: "Desk" }]);
  const preview = await at("2026-04-07", () => previewNextRun(client));
  expect(preview.send.map(({ to }) => to)).toEqual(["bo@x.example"]);
  await run(client, "2026-04-07");
  const tomorrow = await at("2026-04-08", () => previewNextRun(client));
  expect(tomorrow.send).toEqual([
    {
      to: "anna@x.example",
      at: "2026-04-08T09:00:00Z",
      items: [
        { order_id: "o1", item_id: "p1" },
        { order_id: "o1", item_id: "p2" },
      ],
      reminder: true,
    },
  ]);
  await run(client, "2026-04-08");
  expect((await mails()).slice(1)).toEqual([
    "2026-04-07 bo@x.example How do you like Chair?",
    "2026-04-08 anna@x.example Reminder: How do you like your order from Lanterna?",
  ]);
  const held = (await at("2026-04-15", () => previewNextRun(client))).held;
  expect(held).toContainEqual({ order_id: "o3", item_id: "p4", reason: "quarantine", until: "2026-04-29" });
});

test("is postponed for items marked as not received, without an additional email", async () => {
  const client = await shop({ config: { reminder_after_days: 21 } });
  await run(client, "2026-03-08");
  const [mail] = await listMails();
  expect(mail?.html).toContain(`/r/${linkIn(mail?.text)}?later=1`);
  const form = new FormData();
  for (const position of [1, 2]) form.set(`items.${position}.later`, "on");
  await at("2026-03-27", () => submitInvitationForm(linkIn(mail?.text), form, null));
  await everyDay(client, "2026-03-28", 20);
  // Reported on the 27th: delivered on the 28th at the earliest, and invited seven days later.
  expect((await mails()).map((line) => line.slice(0, 10))).toEqual(["2026-03-08", "2026-04-04"]);
});

test("isn't sent to an erased person", async () => {
  const client = await shop();
  await run(client, "2026-03-08");
  await pool().query("delete from customers");
  await run(client, "2026-04-07");
  expect(await mails()).toEqual([invitationLine]);
});

test("isn't sent if another customer id of the same person has reviewed", async () => {
  const client = await shop();
  await everyDay(client, "2026-03-08", 1);
  await makeCustomer(client, { id: "k2", email: "Anna@X.example" });
  await makeReview(client, { id: "r1", product_id: "p1", date: "2026-03-20", customer_id: "k2" });
  await pool().query("update reviews set created_at = '2026-03-20' where client_id = $1", [client]);
  await everyDay(client, "2026-04-01", 20);
  expect(await mails()).toEqual([invitationLine]);
});
