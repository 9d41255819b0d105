import { beforeEach, expect, test } from "vitest";
import { claimInvitations, unsentInvitations } from "@/lib/invitations/claim-invitations";
import { previewNextRun } from "@/lib/invitations/preview-next-run";
import { sendInvitation } from "@/lib/invitations/send-invitation";
import { withNow } from "@/lib/platform/clock";
import { longTransaction, pool } from "@/lib/platform/db/pool";
import { listMails } from "@/lib/platform/mail/list-mails";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { emptyDatabase } from "@/lib/tools/test/database";
import { countBlockedQueries } from "@/lib/tools/test/factories";
import { makeClient, makeCustomer, makeOrder, makeProduct } from "@/lib/tools/test/invitation-rows";
import { insertInvitations } from "./insert-invitations";
import { selectCustomer } from "./rules-sql";
import { lockClient } from "./sql";

beforeEach(emptyDatabase);

const day = (date: string) => new Date(`${date}T09:00:00Z`);
const at = <T>(date: string, work: () => T): T => withNow(day(date), work);

/** Runs the job. */
async function run(client: string, date: string): Promise<void> {
  await at(date, async () => {
    await claimInvitations(client);
    for (const id of await unsentInvitations(client)) await sendInvitation(client, id);
  });
}

const sentTo = async (to?: string) => (await listMails(to === undefined ? {} : { to })).map((mail) => mail.to);
const item = (id: string, delivery_date = "2026-03-01") => ({ id, delivery_date });

async function shop(settings: Record<string, unknown> = {}, email = "anna@x.example") {
  const client = await makeClient("shop", settings);
  await makeCustomer(client, { id: "k1", email, name: "Anna Karlsson" });
  await makeOrder(client, "o1", "k1", [{ ...item("p1"), name: "Lamp" }]);
  return client;
}

test("sends one email to a customer, however often the job runs", async () => {
  const client = await shop();
  await run(client, "2026-03-08");
  await run(client, "2026-03-08");
  await run(client, "2026-03-30");
  expect(await sentTo()).toEqual(["anna@x.example"]);
  const { rows } = await pool().query("select status, day, sent_at, expires_at from invitations");
  expect(rows).toMatchObject([{ status: "sent", day: "2026-03-08" }]);
  expect(rows[0].expires_at.toISOString().slice(0, 10)).toBe("2026-09-04");
  const { rows: facts } = await pool().query("select name, data from outbox order by id");
  expect(facts.map(({ name }) => name)).toEqual(["invitation/scheduled", "invitation/sent"]);
  expect(JSON.stringify(facts)).not.toContain("anna");
});

test("treats two customer ids with one address in any spelling as one customer", async () => {
  const client = await shop();
  await makeCustomer(client, { id: "k2", email: " ANNA@X.example", name: "Anna K." });
  await makeOrder(client, "o2", "k2", [item("p2"), item("p3", "2026-03-03")]);
  await run(client, "2026-03-10");
  await makeOrder(client, "o3", "k2", [item("p4", "2026-03-05")]);
  await run(client, "2026-03-14");
  expect(await sentTo()).toHaveLength(1);
  const { rows } = await pool().query("select order_id, item_id, position from invitation_items order by position");
  expect(rows.map(({ order_id, item_id }) => `${order_id}/${item_id}`)).toEqual(["o1/p1", "o2/p2", "o2/p3"]);
  const preview = await at("2026-03-14", () => previewNextRun(client));
  expect(preview.held).toContainEqual({ order_id: "o3", item_id: "p4", reason: "quarantine", until: "2026-03-31" });
  await run(client, "2026-03-31");
  expect(await sentTo()).toHaveLength(2);
});

test("keeps the cooldown when the address changes", async () => {
  const client = await shop();
  await run(client, "2026-03-08");
  await pool().query(
    "update customers set email = 'new@x.example', email_key = 'new@x.example', email_hash = $2 where client_id = $1",
    [client, personHash(client, "email", "new@x.example")],
  );
  await makeOrder(client, "o2", "k1", [item("p2", "2026-03-05")]);
  await run(client, "2026-03-20");
  expect(await sentTo()).toEqual(["anna@x.example"]);
});

test("waits for items due soon, at most three days from the oldest and not past its window", async () => {
  const client = await shop();
  await makeOrder(client, "o2", "k1", [item("p2", "2026-03-03"), item("p3", "2026-03-05")]);
  await run(client, "2026-03-08");
  expect(await sentTo()).toEqual([]);
  const preview = await at("2026-03-08", () => previewNextRun(client));
  expect(preview.held).toContainEqual({
    order_id: "o1",
    item_id: "p1",
    reason: "waiting_for_items",
    until: "2026-03-10",
  });
  await run(client, "2026-03-10");
  expect(await sentTo()).toHaveLength(1);
  const { rows } = await pool().query("select item_id from invitation_items order by item_id");
  expect(rows.map((row) => row.item_id)).toEqual(["p1", "p2"]);
});

test("never invites a person twice or exceeds the day's limit with concurrent claims", async () => {
  const client = await makeClient("shop", { send_limit: 7 });
  for (let n = 0; n < 20; n++) {
    // Each address belongs to two customer ids with one order each.
    for (const twin of ["a", "b"]) {
      await makeCustomer(client, { id: `k${n}${twin}`, email: `k${n}@x.example` });
      await makeOrder(client, `o${n}${twin}`, `k${n}${twin}`, [item(`p${twin}`)]);
    }
  }
  const claimed = await at("2026-03-08", () => Promise.all(Array.from({ length: 6 }, () => claimInvitations(client))));
  const ids = claimed.flat();
  expect(ids).toHaveLength(7);
  // Every email is sent by several processes concurrently.
  await at("2026-03-08", () => Promise.all([...ids, ...ids, ...ids].map((id) => sendInvitation(client, id))));
  const first = await sentTo();
  expect(first).toHaveLength(7);
  await run(client, "2026-03-08");
  expect(await sentTo()).toHaveLength(7);
  await run(client, "2026-03-09");
  await run(client, "2026-03-10");
  await run(client, "2026-03-11");
  const all = await sentTo();
  expect(all).toHaveLength(20);
  expect(new Set(all).size).toBe(20);
  const { rows } = await pool().query("select sent from send_days order by day");
  expect(rows.map(({ sent }) => sent)).toEqual([7, 7, 6]);
});

test("sends yesterday's remaining emails before new invitations", async () => {
  const client = await makeClient("shop", { send_limit: 2 });
  const order = async (n: number) => {
    await makeCustomer(client, { id: `k${n}`, email: `k${n}@x.example` });
    await makeOrder(client, `o${n}`, `k${n}`, [item("p", `2026-02-0${n}`)]);
  };
  for (const n of [1, 2, 3, 4, 5]) await order(n);
  const unsent = await at("2026-03-08", () => claimInvitations(client)); // and the mail service is down
  expect(unsent).toHaveLength(2);
  const preview = await at("2026-03-09", () => previewNextRun(client));
  expect(preview.send).toEqual([]);
  expect(preview.held).toContainEqual({ order_id: "o3", item_id: "p", reason: "send_limit", until: "2026-03-10" });
  await run(client, "2026-03-09");
  expect((await sentTo()).sort()).toEqual(["k1@x.example", "k2@x.example"]);
  await run(client, "2026-03-10");
  await run(client, "2026-03-11");
  expect((await sentTo()).sort()).toEqual([1, 2, 3, 4, 5].map((n) => `k${n}@x.example`));
  const { rows } = await pool().query("select day, sent from send_days where sent > 0 order by day");
  expect(rows.map(({ sent }) => sent)).toEqual([2, 2, 1]);
});

test("applies the contract's limit if it is lower", async () => {
  const client = await shop({ send_limit: 1, contract_send_limit: 1 });
  await makeCustomer(client, { id: "k2", email: "bo@x.example" });
  await makeOrder(client, "o2", "k2", [item("p2", "2026-02-27")]);
  await run(client, "2026-03-08");
  expect(await sentTo()).toEqual(["bo@x.example"]);
  const preview = await at("2026-03-08", () => previewNextRun(client));
  expect(preview.held).toContainEqual({ order_id: "o1", item_id: "p1", reason: "send_limit", until: "2026-03-09" });
});

test("sends invitations claimed before a crash once, later", async () => {
  const client = await shop();
  const [id] = await at("2026-03-08", () => claimInvitations(client));
  expect(await sentTo()).toEqual([]);
  expect(await unsentInvitations(client)).toEqual([id]);
  await run(client, "2026-03-08");
  await run(client, "2026-03-08");
  expect(await sentTo()).toHaveLength(1);
});

test("counts an email for the day it is sent", async () => {
  const client = await shop({ send_limit: 1 });
  await at("2026-03-08", () => claimInvitations(client));
  // The ninth is full: that many were sent before the limit was lowered.
  await pool().query("insert into send_days (client_id, day, sent) values ($1, '2026-03-09', 1)", [client]);
  const [anna] = await at("2026-03-09", () => unsentInvitations(client));
  await at("2026-03-09", () => sendInvitation(client, anna as string));
  expect(await sentTo()).toEqual([]);
  await at("2026-03-11", () => sendInvitation(client, anna as string));
  expect(await sentTo()).toEqual(["anna@x.example"]);
  await makeOrder(client, "o3", "k1", [item("p3", "2026-03-10")]);
  const preview = await at("2026-03-31", () => previewNextRun(client));
  expect(preview.held).toContainEqual({ order_id: "o3", item_id: "p3", reason: "quarantine", until: "2026-04-01" });
});

test("doesn't send a remaining email if another was sent since, and frees its items", async () => {
  const client = await shop();
  const [old] = await at("2026-03-08", () => claimInvitations(client));
  await makeOrder(client, "o2", "k1", [item("p2", "2026-03-10")]);
  const [fresh] = await at("2026-03-30", () => claimInvitations(client));
  await at("2026-03-30", () => sendInvitation(client, fresh as string));
  await at("2026-03-30", () => sendInvitation(client, old as string));
  expect(await sentTo()).toHaveLength(1);
  const preview = await at("2026-03-30", () => previewNextRun(client));
  expect(preview.held).toContainEqual({ order_id: "o1", item_id: "p1", reason: "quarantine", until: "2026-04-20" });
});

test("stops an email if the customer opts out between claim and sending, and explains it", async () => {
  const client = await shop();
  const [id] = await at("2026-03-08", () => claimInvitations(client));
  await pool().query("insert into suppressions (client_id, email_hash, reason) values ($1, $2, 'opt_out')", [
    client,
    personHash(client, "email", "anna@x.example"),
  ]);
  await at("2026-03-08", () => sendInvitation(client, id as string));
  expect(await sentTo()).toEqual([]);
  const preview = await at("2026-03-08", () => previewNextRun(client));
  expect(preview.held).toEqual([{ order_id: "o1", item_id: "p1", reason: "opted_out", until: null }]);
  const { rows } = await pool().query("select sent from send_days");
  expect(rows).toEqual([{ sent: 0 }]);
  await pool().query("delete from suppressions");
  await run(client, "2026-03-08");
  expect(await sentTo()).toHaveLength(1);
});

test("sends nothing after an order's opt-out, a bounce, or an item cancelled or paused since the claim", async () => {
  for (const change of [
    "update customers set opt_out_by_order = true",
    `insert into suppressions (client_id, email_hash, reason) select client_id, email_hash, 'bounce' from customers`,
    "update order_items set reviewable = false",
    "update order_items set held_at = now()",
    "delete from orders",
  ]) {
    await emptyDatabase();
    const client = await shop();
    const [id] = await at("2026-03-08", () => claimInvitations(client));
    await pool().query(change);
    await at("2026-03-08", () => sendInvitation(client, id as string));
    expect(await sentTo(), change).toEqual([]);
  }
});

test("ignores an invitation erased in the meantime", async () => {
  const client = await shop();
  const [id] = await at("2026-03-08", () => claimInvitations(client));
  await pool().query("delete from invitations");
  await at("2026-03-08", () => sendInvitation(client, id as string));
  expect(await sentTo()).toEqual([]);
});

test("claims nothing outside the sending hours or for an unknown client", async () => {
  const client = await shop({ config: { send_hours: [10, 18], time_zone: "Europe/Berlin" } });
  const claimAt = (moment: string) => withNow(new Date(moment), () => claimInvitations(client));
  expect(await claimAt("2026-03-08T08:59:00Z")).toEqual([]);
  expect(await claimAt("2026-03-08T17:00:00Z")).toEqual([]);
  expect(await claimAt("2026-03-08T09:00:00Z")).toHaveLength(1);
  await expect(claimInvitations("nobody")).rejects.toMatchObject({ code: "not_found" });
});

test("sends claimed invitations only in the sending hours", async () => {
  const client = await shop({ config: { send_hours: [10, 18], time_zone: "Europe/Berlin" } });
  const [id = ""] = await withNow(new Date("2026-03-08T16:59:00Z"), () => claimInvitations(client));
  const sendAt = (moment: string) => withNow(new Date(moment), () => sendInvitation(client, id));
  await sendAt("2026-03-08T17:01:00Z");
  await sendAt("2026-03-09T08:59:00Z");
  expect(await sentTo()).toEqual([]);
  await sendAt("2026-03-09T09:00:00Z");
  expect(await sentTo()).toEqual(["anna@x.example"]);
});

test("renders sender, links and texts in the customer's language, and escapes hostile names", async () => {
  const client = await makeClient("shop", {
    display_name: `Lampor & <Ljus>`,
    email_name: `Lampor, "Ljus"\r\nBcc: x@y`,
    contact_email: "hej@lampor.example",
    locale: "en_GB",
    config: { accent_color: "#0f766e", from_address: "omdome@lampor.example", logo_url: "javascript:alert(1)" },
  });
  await makeProduct(client, "p2", { name: "Taklampa", image_url: "https://img.example/p2.jpg" });
  await makeCustomer(client, {
    id: "k1",
    email: "anna@x.example",
    name: `Anna <script>alert("1")</script>`,
    lang: "sv-SE",
  });
  await makeOrder(client, "o1", "k1", [
    { ...item("p1"), name: `"><img src=x onerror=alert(1)> {{ customer_email }}` },
    item("p2"),
  ]);
  await run(client, "2026-03-08");
  const [mail] = await listMails({ to: "ANNA@x.example" });
  if (!mail) throw new Error("no mail");
  expect(mail.from).toBe(`"Lampor, \\"Ljus\\" Bcc: x@y" <omdome@lampor.example>`);
  expect(mail.reply_to).toBe("hej@lampor.example");
  expect(mail.subject).toBe("Vad tycker du om ditt köp hos Lampor & <Ljus>?");
  expect(mail.created_at.slice(0, 10)).toBe("2026-03-08");
  expect(mail.html).toContain("https://img.example/p2.jpg");
  expect(mail.html).not.toMatch(/<script|<img src=x|javascript:/);
  expect(mail.html).toContain("{{ customer_email }}");
  expect(mail.html).toContain("Hej Anna &lt;script&gt;");
  expect(mail.html).toContain("#0f766e");
  const link = /http:\/\/localhost:3000\/r\/[\w-]+/.exec(mail.text ?? "")?.[0];
  for (const position of [1, 2])
    for (const score of [1, 2, 3, 4, 5]) expect(mail.html).toContain(`${link}?item=${position}&amp;score=${score}`);
  const optOut = /http:\/\/localhost:3000\/o\/[\w-]+/.exec(mail.html ?? "")?.[0];
  expect(mail.headers).toMatchObject({
    "List-Unsubscribe": `<${optOut}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  });
  expect(`${link}${optOut}`).not.toContain("anna");
});

test("gives a client's template the documented variables, and falls back to ours if it fails", async () => {
  const client = await shop({
    config: {
      max_items: 1,
      subject: "{{ client_name }}: {{ items[0].name }}",
      html_template: "{{ format }} {{ all_items_present }} {{ items.size }} {{ items[0].order_id }} {{ opt_out_url }}",
      text_template: "{% if %}",
    },
  });
  await makeOrder(client, "o2", "k1", [item("p2", "2026-03-02")]);
  await run(client, "2026-03-09");
  const [mail] = await listMails();
  expect(mail?.subject).toBe("Lanterna: Lamp");
  expect(mail?.html).toMatch(/^html false 1 o1 http:\/\/localhost:3000\/o\//);
  expect(mail?.text).toContain("You can review all items on the review page.");
});

test("keeps the cooldown of an email claimed while another is withdrawn", async () => {
  const client = await shop({ quarantine_period: 0 });
  await at("2026-03-08", () => claimInvitations(client));
  const [first] = await unsentInvitations(client);
  await pool().query("update order_items set reviewable = false, reviewable_set = false where order_id = 'o1'");
  await makeOrder(client, "o2", "k1", [item("p2")]);
  const customer = await selectCustomer(pool(), client, "anna@x.example");
  // A second email of the day is written but not committed while the first is withdrawn.
  const sending = await longTransaction(async (db) => {
    await lockClient(db, client);
    const second = {
      id: "inv_second",
      email_key: "anna@x.example",
      items: [{ order_id: "o2", item_id: "p2" }],
      customer,
    };
    await insertInvitations(db, client, "2026-03-08", day("2026-03-08"), [second]);
    const released = at("2026-03-08", () => sendInvitation(client, first as string));
    await expect.poll(countBlockedQueries, { timeout: 20_000 }).toBeGreaterThan(0);
    return { released };
  });
  await sending.released;
  const { rows } = await pool().query("select id, status from invitations order by id = $1 desc", [first]);
  expect(rows).toEqual([
    { id: first, status: "failed" },
    { id: "inv_second", status: "claimed" },
  ]);
  const { rows: quarantines } = await pool().query("select distinct last_day from quarantines");
  expect(quarantines).toEqual([{ last_day: "2026-03-08" }]);
});

test.for([
  ["is canceled", "2026-03-08", "update order_items set reviewable = false, reviewable_set = false", "failed"],
  ["counts for another day", "2026-03-09", "select", "sent"],
] as const)(
  "an email that %s holds no lock that a holder of the client's lock waits for",
  async ([, date, change, status]) => {
    const client = await shop();
    await at("2026-03-08", () => claimInvitations(client));
    const [id] = await unsentInvitations(client);
    await pool().query(change);
    const sending = await longTransaction(async (db) => {
      await lockClient(db, client);
      const sent = at(date, () => sendInvitation(client, id as string));
      await expect.poll(countBlockedQueries, { timeout: 20_000 }).toBeGreaterThan(0);
      await db.query("select from invitations where client_id = $1 and id = $2 for update", [client, id]);
      return { sent };
    });
    await sending.sent;
    const { rows } = await pool().query("select status, day from invitations");
    expect(rows).toEqual([{ status, day: date }]);
  },
);
