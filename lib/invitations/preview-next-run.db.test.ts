import fc from "fast-check";
import { expect, test } from "vitest";
import { systemActor } from "@/lib/accounts/actor";
import { claimInvitations } from "@/lib/invitations/claim-invitations";
import { addDays, type Day } from "@/lib/invitations/days";
import { previewNextRun } from "@/lib/invitations/preview-next-run";
import {
  type HeldItem,
  hasPriority,
  type ItemFacts,
  type PersonFacts,
  planDay,
  planManualSend,
  planSellerDay,
  rulesOf,
  type SendRules,
} from "@/lib/invitations/rules";
import { sendManually } from "@/lib/invitations/send-manually";
import { dayIn, withNow } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { ReviewInput } from "@/lib/reviews/reviews/schema";
import { upsertReview } from "@/lib/reviews/reviews/upsert-review";
import { aClient, uniqueName } from "@/lib/tools/test/factories";
import { makeClient, makeCustomer, makeOrder, makeProduct, makeReview } from "@/lib/tools/test/invitation-rows";
import { propertyRuns } from "@/lib/tools/test/property-runs";

const today = "2026-05-10";
const day = (from: number, to: number) => fc.integer({ min: from, max: to }).map((ago) => addDays(today, -ago));
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const customerIds = ["c1", "c2", "c3", "c4"];
const addresses = ["a@x.example", "b@x.example", "c@x.example"];
const products = ["p1", "p2", "p3", "p4", "p5"];

/** `odd`: mostly items not in the catalog (any more), as for seller-only invitations. */
const world = (odd: boolean) =>
  fc.record({
    settings: fc.record({
      send_emails_after_days: fc.integer({ min: 0, max: 7 }),
      window: fc.integer({ min: 0, max: 12 }),
      quarantine_period: maybe(fc.integer({ min: 0, max: 6 })),
      send_limit: fc.integer({ min: 0, max: 5 }),
      sent: fc.integer({ min: 0, max: odd ? 1 : 4 }),
      seller_only: odd ? fc.constant(true) : fc.boolean(),
    }),
    customers: fc.tuple(
      ...customerIds.map(() =>
        fc.record({
          email: maybe(fc.constantFrom(...addresses)),
          opt_out: fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, fc.boolean()),
        }),
      ),
    ),
    orders: fc.array(
      fc.record({
        customer: fc.constantFrom(...customerIds),
        items: fc.uniqueArray(
          fc.record({
            id: fc.constantFrom(...products),
            delivery_date: fc.oneof({ weight: 9, arbitrary: odd ? day(3, 12) : day(-4, 22) }, fc.constant(null)),
            reviewable: fc.oneof({ weight: odd ? 1 : 8, arbitrary: fc.constant(true) }, fc.boolean()),
            cancelled: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.boolean()),
            held: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.boolean()),
            held_until: maybe(day(-6, 3)),
            invited: fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, fc.boolean()),
          }),
          { selector: (item) => item.id, minLength: 1, maxLength: 4 },
        ),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    deleted: odd ? fc.subarray(products, { minLength: 3 }) : fc.subarray(products, { maxLength: 1 }),
    quarantinedIds: fc.array(fc.tuple(fc.constantFrom(...customerIds), day(-1, 8)), { maxLength: 2 }),
    quarantinedAddresses: fc.array(fc.tuple(fc.constantFrom(...addresses), day(-1, 8)), { maxLength: 1 }),
    suppressed: fc.array(fc.tuple(fc.constantFrom(...addresses), fc.constantFrom("opt_out", "bounce")), {
      maxLength: 1,
    }),
    reviews: fc.array(
      fc.record({
        product_id: fc.constantFrom(...products),
        date: fc.oneof(day(0, 200), day(176, 183)),
        customer_id: maybe(fc.constantFrom(...customerIds)),
        email_key: maybe(fc.constantFrom(...addresses)),
        order_id: maybe(fc.constantFrom("o0", "o1", "o2")),
      }),
      { maxLength: 3 },
    ),
    rated: fc.array(
      fc.record({
        date: fc.oneof(day(0, 200), day(176, 183)),
        customer_id: maybe(fc.constantFrom(...customerIds)),
        email_key: maybe(fc.constantFrom(...addresses)),
      }),
      { maxLength: 1 },
    ),
    /** emails claimed earlier, sent or not */
    left: fc.array(
      fc.record({
        ago: fc.integer({ min: 0, max: 3 }),
        by_hand: fc.boolean(),
        /** claimed; or delegated through a webhook of that name; or by one that has delivered it */
        how: fc.constantFrom("claimed", "works", "works", "paused", "disabled", "told"),
        taken: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.boolean()),
        reminds: fc.boolean(),
        delivered: fc.array(fc.oneof({ weight: 6, arbitrary: day(-2, 22) }, fc.constant(null)), {
          minLength: 1,
          maxLength: 2,
        }),
      }),
      { maxLength: odd ? 1 : 3 },
    ),
  });
type World = ReturnType<typeof world> extends fc.Arbitrary<infer W> ? W : never;

/** Writes earlier emails, with webhooks in each state. */
async function writeLeft(client: string, unsent: World["left"]): Promise<void> {
  if (unsent.length > 0)
    await pool().query(
      `insert into webhooks (client_id, id, url, secrets, paused_at, disabled_at)
       values ($1, 'works', '', '', null, null), ($1, 'paused', '', '', now(), null), ($1, 'disabled', '', '', null, now())`,
      [client],
    );
  for (const [index, { ago, by_hand, how, taken, reminds, delivered }] of unsent.entries()) {
    const id = `left${index}`;
    const delegated = how !== "claimed";
    await makeOrder(
      client,
      id,
      "c1",
      delivered.map((delivery_date, at) => ({ id: `left-${at}`, delivery_date })),
    );
    const mail = `insert into invitations (client_id, id, reminder_of, kind, status, day, by_hand, email, email_key, handed_at, taken_at)
                  values ($1, $2, $3, $4, $5, $6, $7, 'left@x.example', 'left@x.example', case when $8 then now() end, case when $9 then now() end)`;
    const asking = reminds ? `${id}-asking` : id;
    if (reminds)
      await pool().query(mail, [client, asking, null, "invitation", "sent", "2025-01-01", false, false, false]);
    await pool().query(mail, [
      ...[client, id, reminds ? asking : null, reminds ? "reminder" : "invitation", delegated ? "sent" : "claimed"],
      ...[addDays(today, -ago), by_hand, delegated, delegated && taken],
    ]);
    for (const at of delivered.keys())
      await pool().query("insert into invitation_items values ($1, $2, $3, $4, 1)", [client, asking, id, `left-${at}`]);
    if (delegated)
      await pool().query(
        `insert into webhook_deliveries (client_id, webhook_id, event, subject, data, happened_at, due_at, state)
         values ($1, $2, 'invitation.handed', $3, '{}', now(), now(), $4)`,
        [client, how === "told" ? "works" : how, id, how === "told" ? "sent" : "pending"],
      );
  }
}

/** Emails that use the day's limit: those sent, and earlier ones with priority. */
const usedUp = ({ settings, left }: World, rules: SendRules): number =>
  settings.sent +
  left.filter(
    ({ ago, by_hand, how, taken, delivered }) =>
      ago > 0 &&
      !(how !== "claimed" && taken) &&
      hasPriority({ by_hand, delivered, pendingDelivery: how === "claimed" ? null : how === "works" }, rules, today),
  ).length;

async function write(client: string, world: World): Promise<void> {
  const { window, sent, seller_only, ...settings } = world.settings;
  await makeClient(client, {
    ...settings,
    config: { seller_only },
    send_emails_before_days: settings.send_emails_after_days + window,
  });
  await pool().query("insert into send_days (client_id, day, sent) values ($1, $2, $3)", [client, today, sent]);
  for (const [index, id] of customerIds.entries()) await makeCustomer(client, { id, ...world.customers[index]! });
  for (const [index, { customer, items }] of world.orders.entries()) {
    const lines = items.map((item) => ({ ...item, cancelled: item.cancelled && !item.reviewable }));
    await makeOrder(client, `o${index}`, customer, lines);
    const invited = items.filter((item) => item.invited);
    if (invited.length === 0) continue;
    await pool().query("insert into invitations (client_id, id, status, day) values ($1, $2, 'sent', $3)", [
      client,
      `i${index}`,
      "2025-01-01",
    ]);
    for (const item of invited)
      await pool().query("insert into invitation_items values ($1, $2, $3, $4, 1)", [
        client,
        `i${index}`,
        `o${index}`,
        item.id,
      ]);
  }
  await writeLeft(client, world.left);
  for (const id of world.deleted) await makeProduct(client, id, { deleted: true });
  const person =
    "insert into quarantines values ($1, $2, $3) on conflict (client_id, person_hash) do update set last_day = greatest(quarantines.last_day, excluded.last_day)";
  for (const [id, last] of world.quarantinedIds)
    await pool().query(person, [client, personHash(client, "customer", id), last]);
  for (const [email, last] of world.quarantinedAddresses)
    await pool().query(person, [client, personHash(client, "email", email), last]);
  for (const [email, reason] of world.suppressed)
    await pool().query("insert into suppressions (client_id, email_hash, reason) values ($1, $2, $3)", [
      client,
      personHash(client, "email", email),
      reason,
    ]);
  for (const [index, review] of world.reviews.entries())
    await makeReview(client, { id: `${client}${index}`, ...review });
  for (const { date, customer_id, email_key } of world.rated)
    await pool().query(
      `insert into seller_reviews (client_id, id, source, score, date, customer_id, email_key, feedback_token)
       values ($1, 's', 'web', 4, $2, $3, $4, $5)`,
      [client, date, customer_id, email_key, `${client}-s`],
    );
}

/** The same world as input of the pure rules. */
function facts(world: World): { items: ItemFacts[]; people: Map<string, PersonFacts> } {
  const email = (id: string) => world.customers[customerIds.indexOf(id)]?.email ?? null;
  const newest = (days: Day[]) => days.sort().at(-1) ?? null;
  const people = new Map<string, PersonFacts>();
  for (const address of addresses) {
    const ids = customerIds.filter((id) => email(id) === address);
    if (ids.length === 0) continue;
    people.set(address, {
      opted_out:
        ids.some((id) => world.customers[customerIds.indexOf(id)]?.opt_out) ||
        world.suppressed.some(([who, reason]) => who === address && reason === "opt_out"),
      suppressed: world.suppressed.some(([who, reason]) => who === address && reason !== "opt_out"),
      invited: newest([
        ...world.quarantinedIds.filter(([id]) => ids.includes(id)).map(([, last]) => last),
        ...world.quarantinedAddresses.filter(([who]) => who === address).map(([, last]) => last),
      ]),
      rated_shop: newest(
        world.rated
          .filter(({ customer_id, email_key }) => email_key === address || ids.includes(customer_id ?? ""))
          .map(({ date }) => date),
      ),
    });
  }
  const items = world.orders.flatMap(({ customer, items }, index) =>
    items.map((item) => ({
      order_id: `o${index}`,
      item_id: item.id,
      delivery_date: item.delivery_date,
      reviewable: item.reviewable,
      cancelled: item.cancelled && !item.reviewable,
      held: item.held && item.held_until === null,
      held_until: item.held ? item.held_until : null,
      invited: item.invited,
      answered: world.reviews.some(({ order_id, product_id }) => order_id === `o${index}` && product_id === item.id),
      product_deleted: world.deleted.includes(item.id),
      reviewed: newest(
        world.reviews
          .filter((review) => review.product_id === item.id)
          .filter(
            ({ customer_id, email_key }) =>
              email(customer) !== null &&
              ((customer_id !== null && email(customer_id) === email(customer)) || email_key === email(customer)),
          )
          .map((review) => review.date),
      ),
      person: email(customer),
    })),
  );
  const unsentItems = world.left.flatMap(({ delivered }, index) =>
    delivered.map((delivery_date, at) => ({
      ...{ order_id: `left${index}`, item_id: `left-${at}`, delivery_date, person: email("c1") },
      ...{ invited: true, reviewable: true, cancelled: false, held: false, held_until: null },
      ...{ answered: false, product_deleted: false, reviewed: null },
    })),
  );
  return { items: [...items, ...unsentItems], people };
}

const sorted = (held: HeldItem[]) =>
  held.map((entry) => JSON.stringify(entry, ["order_id", "item_id", "reason", "until"])).sort();

/** Claimed invitations in the format of a preview. */
async function claimedMails(client: string, ids: string[]) {
  const { rows } = await pool().query(
    `select n.email as "to", json_agg(json_build_object('order_id', i.order_id, 'item_id', i.item_id) order by i.position) as items
       from unnest($2::text[]) with ordinality as given(id, place)
       join invitations n on n.client_id = $1 and n.id = given.id
       join invitation_items i on i.client_id = $1 and i.invitation_id = given.id group by given.place, n.email order by given.place`,
    [client, ids],
  );
  return rows;
}

/** A fixed seed, since the tests also assert that each kind of email occurred. */
const seed = 20_261_125;

let number = 0;
test.for([
  { shops: "any data", odd: false, numRuns: propertyRuns(40) },
  { shops: "orders of what the catalogue does not know", odd: true, numRuns: propertyRuns(20) },
])("SQL and the pure rules decide the same on $shops", { timeout: 120_000 }, async ({ odd, numRuns }) => {
  let [aboutShops, firsts] = [0, 0];
  await fc.assert(
    fc.asyncProperty(world(odd), async (world) => {
      const client = `shop-${++number}`;
      await write(client, world);
      const { window, sent, seller_only, ...settings } = world.settings;
      const rules = rulesOf({
        ...settings,
        send_emails_before_days: settings.send_emails_after_days + window,
        contract_send_limit: null,
      });
      const { items, people } = facts(world);
      const used = usedUp(world, rules);
      firsts += used - sent;
      const expected = planDay(items, people, rules, today, used);
      // People emailed today get no seller-only invitation.
      const after = new Map(people);
      for (const { person } of expected.send)
        after.set(person, { ...(after.get(person) as PersonFacts), invited: today });
      const room = Math.max(0, rules.limit - used - expected.send.length);
      const seller = seller_only ? planSellerDay(items, after, rules, today, room) : [];
      const preview = await withNow(new Date(`${today}T12:00:00Z`), () => previewNextRun(client));
      aboutShops += seller.length;
      const toPreview = (mails: typeof expected.send, more: object) =>
        mails.map(({ person, items }) => ({
          to: person,
          items: items.map(({ order_id, item_id }) => ({ order_id, item_id })),
          ...more,
        }));
      expect(preview.send.map(({ at: _, ...mail }) => mail)).toEqual([
        ...toPreview(expected.send, {}),
        ...toPreview(seller, { seller_only: true }),
      ]);
      expect(sorted(preview.held)).toEqual(sorted(expected.held));
      // A run claims exactly what the preview predicted.
      const claimed = await withNow(new Date(`${today}T12:00:00Z`), () => claimInvitations(client));
      expect(await claimedMails(client, claimed)).toEqual(preview.send.map(({ to, items }) => ({ to, items })));
    }),
    { numRuns, seed },
  );
  if (odd) expect(aboutShops).toBeGreaterThan(0);
  expect(firsts).toBeGreaterThan(0);
});

test("sends manually what the rules say, and nothing the second time", { timeout: 120_000 }, async () => {
  let [mails, along, refused] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(world(false), async (world) => {
      const client = `hand-${++number}`;
      await write(client, world);
      const { window, sent: _, seller_only: __, ...settings } = world.settings;
      const rules = rulesOf({
        ...settings,
        send_emails_before_days: settings.send_emails_after_days + window,
        contract_send_limit: null,
      });
      const { items, people } = facts(world);
      const own = (item: ItemFacts) => item.order_id === "o0";
      const person = items.find(own)?.person ?? null;
      const personItems = items.filter((item) => own(item) || (person !== null && item.person === person));
      const expected = planManualSend(
        personItems,
        own,
        people.get(person ?? "") ?? null,
        rules,
        today,
        usedUp(world, rules),
      );
      const send = () => withNow(new Date(`${today}T12:00:00Z`), () => sendManually(systemActor, { id: client }, "o0"));
      const result = await send();
      const named = expected.send.map(({ order_id, item_id }) => ({ order_id, item_id }));
      expect(result.sent).toEqual(named);
      expect(result.held.map(({ sentence: _, ...held }) => ({ order_id: "o0", ...held }))).toEqual(expected.held);
      for (const { sentence } of result.held)
        expect(sentence).toMatch(/^(Not sent:|Won’t be sent:|Scheduled for) .+\.$/);
      const claimed = await pool().query(
        "select id from invitations where client_id = $1 and status = 'claimed' and id not like 'left%'",
        [client],
      );
      expect(
        await claimedMails(
          client,
          claimed.rows.map(({ id }) => id),
        ),
      ).toEqual(named.length > 0 ? [{ to: person, items: named }] : []);
      const again = await send();
      expect(again.sent).toEqual([]);
      for (const { order_id, item_id } of named)
        if (order_id === "o0")
          expect(again.held).toContainEqual(expect.objectContaining({ item_id, reason: "already_invited" }));
      mails += named.length > 0 ? 1 : 0;
      along += expected.send.filter((item) => !own(item)).length;
      refused += expected.held.length;
    }),
    { numRuns: propertyRuns(75), seed },
  );
  expect([mails > 0, along > 0, refused > 0]).toEqual([true, true, true]);
});

test("uses the client's days: near midnight, the same moment is another day elsewhere", async () => {
  for (const [zone, sends] of [
    ["Asia/Tokyo", 1],
    ["UTC", 0],
    ["America/Los_Angeles", 0],
  ] as const) {
    const client = await makeClient(`zone-${zone}`, { config: { time_zone: zone } });
    await makeCustomer(client, { id: "k", email: "k@x.example" });
    await makeOrder(client, "o", "k", [{ id: "p", delivery_date: "2026-05-04" }]);
    const moment = new Date("2026-05-10T16:00:00Z"); // 11 May in Tokyo, seven days after delivery
    const preview = await withNow(moment, () => previewNextRun(client));
    expect(preview.send).toHaveLength(sends);
    if (!sends)
      expect(preview.held).toEqual([{ order_id: "o", item_id: "p", reason: "too_early", until: "2026-05-11" }]);
    expect(dayIn(zone, moment)).toBe(sends ? "2026-05-11" : "2026-05-10");
  }
});

test("previews the run of the next sending hours if called outside them", async () => {
  const client = await makeClient("hours", { config: { time_zone: "Europe/Stockholm", send_hours: [8, 20] } });
  await makeCustomer(client, { id: "k", email: "K@x.example " });
  await makeOrder(client, "o", "k", [{ id: "p", delivery_date: "2026-05-04" }]);
  const preview = await withNow(new Date("2026-05-10T21:30:00Z"), () => previewNextRun(client));
  expect(preview.send).toEqual([
    { to: "K@x.example ", at: "2026-05-11T06:00:00Z", items: [{ order_id: "o", item_id: "p" }] },
  ]);
});

test("throws for an unknown client", async () => {
  await expect(previewNextRun("nobody")).rejects.toMatchObject({ code: "not_found" });
});

test("never invites an item whose review was posted with its delivery date, however long the window", async () => {
  const { client } = await aClient({ send_emails_after_days: 0, send_emails_before_days: 3_650 });
  await withNow(new Date("2026-05-10T12:00:00Z"), async () => {
    const order = {
      id: uniqueName("order"),
      customer: { id: uniqueName("customer"), email: `${uniqueName("ada")}@x.example` },
      item: { id: "lamp", name: "Lamp", delivery_date: "2026-05-01" },
    };
    await upsertReview(systemActor, client, ReviewInput.parse({ author: "Ada", score: 5, extract: "Bright.", order }));
    for (const later of ["2026-05-10", "2026-11-20", "2028-01-01"]) {
      const preview = await withNow(new Date(`${later}T12:00:00Z`), () => previewNextRun(client.id));
      expect(preview.send).toEqual([]);
      expect(preview.held).toEqual([{ order_id: order.id, item_id: "lamp", reason: "already_reviewed", until: null }]);
      expect(await withNow(new Date(`${later}T12:00:00Z`), () => claimInvitations(client.id))).toEqual([]);
    }
  });
});
