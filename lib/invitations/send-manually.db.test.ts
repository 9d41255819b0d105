import { expect, it } from "vitest";
import * as send from "@/app/portal/api/v1/orders/[id]/send/route";
import { pauseItems } from "@/lib/invitations/change-items";
import { explainOrder } from "@/lib/invitations/explain-order";
import { sendInvitation } from "@/lib/invitations/send-invitation";
import { sendManually } from "@/lib/invitations/send-manually";
import { withNow } from "@/lib/platform/clock";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import {
  aClient,
  aMember,
  anOrder,
  hashDatabase,
  rowsOf,
  type TestClient,
  uniqueName,
} from "@/lib/tools/test/factories";

const today = new Date().toISOString().slice(0, 10);
const at = <T>(time: string, work: () => Promise<T>) => withNow(new Date(`${today}T${time}Z`), work);
const post = (id: string, body: unknown, sent: RequestOptions) =>
  call(send, "POST", `/portal/api/v1/orders/${encodeURIComponent(id)}/send`, { ...sent, body });
const anna = { kind: "user", id: "u-anna" } as const;

/** Creates an order delivered today, which without manual sending would wait a week. */
async function aShop(settings: object = {}, ...ids: string[]) {
  const shop = await aClient({ send_emails_after_days: 7, ...settings });
  const email = `${uniqueName("ada")}@x.example`;
  const customer = { id: uniqueName("customer"), email };
  const items = (ids.length > 0 ? ids : ["lamp"]).map((id) => ({ id, name: id, delivery_date: today }));
  const { id } = await anOrder(shop.id, { customer, items });
  return { shop, id, email, customer, items };
}
const mailsOf = ({ id }: TestClient) =>
  rowsOf('select "to", status from mails where client_id = $1 order by created_at', [id]);
const invitationsOf = ({ id }: TestClient) =>
  rowsOf("select id, status, by_hand from invitations where client_id = $1 order by created_at", [id]);

it("sends an order's email without the wait, once for repeated and concurrent calls", async () => {
  const { shop, id, email } = await aShop({}, "lamp", "rug");
  const moderator = await aMember(shop, "moderator");
  const answers = await Promise.all([1, 2, 3].map(() => post(id, {}, moderator)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const results = answers.map(({ json }) => json.data);
  expect(results.filter(({ sent }) => sent.length > 0)).toEqual([
    {
      at: expect.any(String),
      sent: ["lamp", "rug"].map((item_id) => ({ order_id: id, item_id })),
      held: [],
    },
  ]);
  for (const { held } of results.filter(({ sent }) => sent.length === 0))
    expect(held).toMatchObject([
      {
        item_id: "lamp",
        reason: "already_invited",
        sentence: "Not sent: the customer has already been invited.",
      },
      { item_id: "rug", reason: "already_invited" },
    ]);
  const [invitation, ...more] = await invitationsOf(shop);
  expect([invitation, more]).toMatchObject([{ status: "claimed", by_hand: true }, []]);
  const facts = await rowsOf("select name from outbox where data->>'invitation_id' = $1 order by name", [
    invitation.id,
  ]);
  expect(facts.map(({ name }) => name)).toEqual(["invitation/claimed", "invitation/scheduled"]);
  await Promise.all([1, 2].map(() => sendInvitation(shop.id, invitation.id)));
  expect(await mailsOf(shop)).toMatchObject([{ to: email }]);
  const { sentence, timeline } = (await explainOrder(shop.client, id)).get("lamp") ?? {};
  expect(sentence).toMatch(/^Sent on /);
  expect(timeline?.map(({ text }) => text)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Email sent manually by /), "Invitation sent."]),
  );
  const audit = await rowsOf("select action, subject, detail from audit_entries where client_id = $1", [shop.id]);
  expect(audit).toEqual([{ action: "order.sent", subject: id, detail: { items: ["lamp", "rug"] } }]);
});

it("sends one item and includes others that are due, since it is the only email of the cooldown", async () => {
  const { shop, id, customer } = await aShop({}, "lamp", "rug");
  const due = await anOrder(shop.id, { customer, items: [{ id: "old", name: "old", delivery_date: "2000-01-01" }] });
  await rowsOf("update order_items set delivery_date = $3::date - 9 where client_id = $1 and order_id = $2", [
    shop.id,
    due.id,
    today,
  ]);
  const result = await at("12:00:00", () => sendManually(anna, shop.client, id, ["rug"]));
  expect(result.sent).toEqual([
    { order_id: due.id, item_id: "old" },
    { order_id: id, item_id: "rug" },
  ]);
  // The other item is now in the cooldown, as after any email.
  expect(await at("12:00:00", () => sendManually(anna, shop.client, id, ["lamp"]))).toMatchObject({
    at: null,
    sent: [],
    held: [{ item_id: "lamp", reason: "quarantine", sentence: expect.stringContaining("one email every 21 days") }],
  });
});

it("explains what prevents an email, and writes nothing", async () => {
  const cases: [string, (made: Awaited<ReturnType<typeof aShop>>) => Promise<unknown>, string, string][] = [
    [
      "no mail at the person's own wish",
      ({ shop, email }) =>
        rowsOf("insert into suppressions (client_id, email_hash, reason) values ($1, $2, 'opt_out')", [
          shop.id,
          personHash(shop.id, "email", email),
        ]),
      "opted_out",
      "opted out of emails",
    ],
    [
      "a mailbox that bounced",
      ({ shop, email }) =>
        rowsOf("insert into suppressions (client_id, email_hash, reason) values ($1, $2, 'bounce')", [
          shop.id,
          personHash(shop.id, "email", email),
        ]),
      "suppressed",
      "bounced",
    ],
    [
      "the day's limit",
      ({ shop }) =>
        rowsOf("insert into send_days (client_id, day, sent) select id, $2, send_limit from clients where id = $1", [
          shop.id,
          today,
        ]),
      "send_limit",
      "daily limit",
    ],
    ["a hold", ({ shop, id }) => pauseItems(anna, shop.client, id, { held: true }), "held", "is paused"],
    [
      "a product that is gone",
      ({ shop }) =>
        rowsOf(
          "insert into products (client_id, id, family_id, name, deleted) values ($1, 'lamp', 'lamp', 'x', true)",
          [shop.id],
        ),
      "product_deleted",
      "no longer in the catalog",
    ],
    [
      "a delivery that is to come",
      ({ shop }) =>
        rowsOf("update order_items set delivery_date = $2::date + 3 where client_id = $1", [shop.id, today]),
      "too_early",
      "Scheduled for",
    ],
    [
      "a window that is over",
      ({ shop }) =>
        rowsOf("update order_items set delivery_date = $2::date - 61 where client_id = $1", [shop.id, today]),
      "too_late",
      "the invitation window expired",
    ],
    [
      "a review that is there",
      ({ shop, id, customer }) =>
        rowsOf(
          `insert into reviews (client_id, id, source, product_id, score, date, customer_id, order_id, feedback_token)
           values ($1, $2, 'web', 'lamp', 5, $3, $4, $5, $2)`,
          [shop.id, uniqueName("review"), today, customer.id, id],
        ),
      "already_reviewed",
      "already reviewed this item",
    ],
  ];
  for (const [what, happens, reason, words] of cases) {
    const made = await aShop();
    await happens(made);
    const before = await hashDatabase();
    const result = await at("12:00:00", () => sendManually(anna, made.shop.client, made.id));
    expect(result, what).toMatchObject({ at: null, sent: [], held: [{ item_id: "lamp", reason }] });
    expect(result.held[0]?.sentence, what).toContain(words);
    expect(await hashDatabase(), what).toBe(before);
  }
});

it("respects sending hours: an email sent manually at night goes in the morning", async () => {
  const { shop, id } = await aShop({ config: { time_zone: "UTC", send_hours: [8, 20] } });
  const result = await at("05:00:00", () => sendManually(anna, shop.client, id));
  expect(result).toMatchObject({ at: `${today}T08:00:00Z`, sent: [{ item_id: "lamp" }] });
  const [{ id: invitation }] = await invitationsOf(shop);
  await at("05:01:00", () => sendInvitation(shop.id, invitation));
  expect(await mailsOf(shop)).toEqual([]);
  await at("08:01:00", () => sendInvitation(shop.id, invitation));
  expect(await mailsOf(shop)).toHaveLength(1);
  expect(await invitationsOf(shop)).toMatchObject([{ status: "sent" }]);
});

it("is withdrawn like any email if the customer objects before it is sent", async () => {
  const { shop, id, email } = await aShop();
  await at("12:00:00", () => sendManually(anna, shop.client, id));
  await rowsOf("insert into suppressions (client_id, email_hash, reason) values ($1, $2, 'opt_out')", [
    shop.id,
    personHash(shop.id, "email", email),
  ]);
  const [{ id: invitation }] = await invitationsOf(shop);
  await at("12:01:00", () => sendInvitation(shop.id, invitation));
  expect(await mailsOf(shop)).toEqual([]);
  expect((await explainOrder(shop.client, id)).get("lamp")).toMatchObject({ reason: "opted_out" });
});

it("keeps, when withdrawn, the cooldown of an email sent to another address of the person", async () => {
  const { shop, id, customer } = await aShop({ quarantine_period: 0 });
  const sendAll = () =>
    at("12:01:00", async () => {
      for (const { id: invitation } of await invitationsOf(shop)) await sendInvitation(shop.id, invitation);
    });
  await at("12:00:00", () => sendManually(anna, shop.client, id));
  await sendAll();
  const moved = `${uniqueName("ada")}@y.example`;
  const later = await anOrder(shop.id, {
    customer: { ...customer, email: moved },
    items: [{ id: "rug", name: "rug", delivery_date: today }],
  });
  const result = await at("12:00:00", () => sendManually(anna, shop.client, later.id));
  expect(result.sent).toEqual([{ order_id: later.id, item_id: "rug" }]);
  await rowsOf("insert into suppressions (client_id, email_hash, reason) values ($1, $2, 'opt_out')", [
    shop.id,
    personHash(shop.id, "email", moved),
  ]);
  await sendAll();
  expect((await invitationsOf(shop)).map(({ status }) => status).sort()).toEqual(["failed", "sent"]);
  expect(
    await rowsOf("select last_day::text from quarantines where client_id = $1 and person_hash = $2", [
      shop.id,
      personHash(shop.id, "customer", customer.id),
    ]),
  ).toEqual([{ last_day: today }]);
});

it("resets the cooldown, when withdrawn, to the sent email, not to a withdrawn reminder", async () => {
  const { shop, id, email, customer } = await aShop();
  const before = (days: number) => new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
  const insert = (invitation: string, kind: string, reminderOf: string | null, status: string, day: string) =>
    rowsOf(
      `insert into invitations (client_id, id, kind, reminder_of, customer_id, email, email_key, status, day)
       values ($1, $2, $3, $4, $5, $6, $6, $7, $8)`,
      [shop.id, invitation, kind, reminderOf, customer.id, email, status, day],
    );
  const [first, reminder] = [uniqueName("inv"), uniqueName("inv")];
  const old = await anOrder(shop.id, { customer, items: [{ id: "old", name: "old", delivery_date: "2000-01-01" }] });
  await insert(first, "invitation", null, "sent", before(30));
  await rowsOf("insert into invitation_items values ($1, $2, $3, 'old', 1)", [shop.id, first, old.id]);
  await insert(reminder, "reminder", first, "failed", before(9));
  await at("12:00:00", () => sendManually(anna, shop.client, id));
  const sentWords = async () =>
    (await explainOrder(shop.client, id))
      .get("lamp")
      ?.timeline.flatMap(({ text }) => (/manual/i.test(text) ? [text.replace(/ by \S+?(?=\.| canceled)/, "")] : []));
  expect(await sentWords()).toEqual(["Email sent manually."]);
  await pauseItems(anna, shop.client, id, { held: true });
  const [claimed] = await rowsOf("select id from invitations where client_id = $1 and status = 'claimed'", [shop.id]);
  await at("12:01:00", () => sendInvitation(shop.id, claimed.id));
  expect(await rowsOf("select distinct last_day::text from quarantines where client_id = $1", [shop.id])).toEqual([
    { last_day: before(30) },
  ]);
  expect(await sentWords()).toEqual(["Manual email canceled before it was sent."]);
});

it("is available to the client's moderators, for existing items", async () => {
  const { shop, id } = await aShop();
  const foreign = await aShop();
  const empty = await anOrder(shop.id, { items: [] });
  const [viewer, moderator] = [await aMember(shop, "viewer"), await aMember(shop, "moderator")];
  const before = await hashDatabase();
  const answers = [
    await post(id, {}, viewer),
    await post(foreign.id, {}, moderator),
    await post("none", {}, moderator),
    await post(empty.id, {}, moderator),
    await post(id, { items: ["lamp", "x"] }, moderator),
    await post(id, { items: [] }, moderator),
    await post(id, {}, { key: shop.key }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 404, 404, 404, 404, 422, 401]);
  expect(await hashDatabase()).toBe(before);
});

it("is offered only if it would be accepted", async () => {
  const day = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
  const ready = [{ id: "lamp", name: "Lamp", delivery_date: today }];
  const customer = () => ({ id: uniqueName("customer"), email: `${uniqueName("ada")}@x.example` });
  const shops: [TestClient, NonNullable<Parameters<typeof anOrder>[1]>[]][] = [
    [
      await aClient({ send_emails_after_days: 7 }),
      [
        { customer: customer(), items: ready },
        { customer: { id: "nobody" }, items: ready },
        { customer: { ...customer(), opt_out: true }, items: ready },
        {
          customer: customer(),
          items: [
            { id: "coming", name: "Coming", delivery_date: day(3) },
            { id: "old", name: "Old", delivery_date: day(-400) },
            { id: "undated", name: "Undated" },
          ],
        },
      ],
    ],
    [await aClient({ send_limit: 0 }), [{ customer: customer(), items: ready }]],
    [await aClient({ config: { own_sender: true } }), [{ customer: customer(), items: ready }]],
    // The day's only email is the first one's.
    [
      await aClient({ send_limit: 1 }),
      [
        { customer: customer(), items: ready },
        { customer: customer(), items: ready },
      ],
    ],
  ];
  const offered: boolean[] = [];
  for (const [shop, orders] of shops) {
    const { client } = shop;
    const moderator = await aMember(shop, "moderator");
    for (const given of orders) {
      const { id } = await anOrder(shop.id, given);
      const explanations = await explainOrder(client, id);
      for (const [item, { sendable }] of explanations) {
        offered.push(sendable);
        const answer = await post(id, { items: [item] }, moderator);
        expect([item, answer.json.data?.at != null]).toEqual([item, sendable]);
        if (sendable) expect((await explainOrder(client, id)).get(item)?.sendable).toBe(false);
      }
    }
  }
  expect(offered).toEqual([true, false, false, false, false, false, false, false, true, false]);
});

it("is announced for the delivery day if nothing else prevents it, and offered then", async () => {
  const ahead = new Date(Date.parse(today) + 3 * 86_400_000);
  const items = [{ id: "coming", name: "Coming", delivery_date: ahead.toISOString().slice(0, 10) }];
  const customer = { id: uniqueName("customer"), email: `${uniqueName("ada")}@x.example` };
  const explainItem = async (settings: object, order: Parameters<typeof anOrder>[1]) => {
    const { id, client } = await aClient({ send_emails_after_days: 7, ...settings });
    const placed = await anOrder(id, { items, ...order });
    const explained = async () => (await explainOrder(client, placed.id)).get("coming");
    const [before, then] = [await explained(), await withNow(ahead, explained)];
    return [before?.sendable, before?.sendableLater, then?.sendable, then?.sendableLater];
  };
  expect(await explainItem({}, { customer })).toEqual([false, true, true, false]);
  expect(await explainItem({}, { customer: { ...customer, opt_out: true } })).toEqual([false, false, false, false]);
  expect(await explainItem({}, { customer: { id: customer.id } })).toEqual([false, false, false, false]);
  expect(await explainItem({ send_limit: 0 }, { customer })).toEqual([false, false, false, false]);
  expect(await explainItem({ config: { own_sender: true } }, { customer })).toEqual([false, false, false, false]);
});
