import { beforeEach, describe, expect, it } from "vitest";
import { appendEntries } from "@/lib/honesty/append-entries";
import { readEntries, readHead } from "@/lib/honesty/read-log";
import { listUnrecorded, recordInvitations } from "@/lib/honesty/record-invitations";
import { addDays } from "@/lib/invitations/days";
import { withNow } from "@/lib/platform/clock";
import { emptyDatabase } from "@/lib/tools/test/database";
import { rowsOf } from "@/lib/tools/test/factories";
import { makeClient, makeCustomer, makeOrder, makeProduct, makeReview } from "@/lib/tools/test/invitation-rows";

beforeEach(emptyDatabase);

const DAY = "2026-03-10";
/** Delivered so that DAY is the last on which it may be asked about. */
const delivered = addDays(DAY, -60);
const nextMorning = new Date("2026-03-11T08:00:00Z");

const recorded = async () =>
  (await rowsOf("select facts from moderation_events where action = 'invitations' order by id")).map(
    ({ facts }) => facts,
  );

const record = (moment = nextMorning) => withNow(moment, () => recordInvitations("shop"));

async function invited(order: string, columns: Record<string, unknown> = {}): Promise<void> {
  const row = { status: "sent", day: DAY, sent_at: `${DAY}T10:00:00Z`, ...columns };
  const names = Object.keys(row);
  await rowsOf(
    `insert into invitations (client_id, id, ${names.join(", ")}) values ('shop', $1, ${names.map((_, n) => `$${n + 2}`).join(", ")})`,
    [`inv-${order}`, ...Object.values(row)],
  );
  await rowsOf(
    `insert into invitation_items (client_id, invitation_id, order_id, item_id, position)
     select 'shop', $1, $2, id, position from order_items where client_id = 'shop' and order_id = $2`,
    [`inv-${order}`, order],
  );
}

describe("the invitations of a day", () => {
  it("are the items asked about that day, and those whose last day it was, by reason", async () => {
    await makeClient("shop");
    const customers: Record<string, object> = { none: {}, out: { opt_out: true }, bounced: {}, again: {} };
    for (const id of ["ann", "bob", "cat", ...Object.keys(customers)])
      await makeCustomer("shop", { id, email: id === "none" ? null : `${id}@x.example`, ...customers[id] });
    await rowsOf(
      "insert into suppressions (client_id, email_hash, reason) select client_id, email_hash, 'bounce' from customers where id = 'bounced'",
    );
    await rowsOf(
      "insert into quarantines (client_id, person_hash, last_day) select client_id, id_hash, $1::date - 3 from customers where id = 'again'",
      [DAY],
    );
    await makeProduct("shop", "gone", { deleted: true });
    await makeOrder("shop", "sent", "ann", [
      { id: "p1", delivery_date: addDays(DAY, -20) },
      { id: "p2", delivery_date: delivered },
    ]);
    await invited("sent");
    await makeOrder("shop", "failed", "ann", [{ id: "p1", delivery_date: delivered }]);
    await invited("failed", { status: "failed", sent_at: null, mail_id: "mail-1" });
    await makeOrder("shop", "earlier", "ann", [{ id: "p3", delivery_date: delivered }]);
    await invited("earlier", { day: "2026-01-20", sent_at: "2026-01-20T10:00:00Z" });
    await makeOrder("shop", "mixed", "bob", [
      { id: "cancelled", delivery_date: delivered, reviewable: false, cancelled: true },
      { id: "unknown", delivery_date: delivered, reviewable: false },
      { id: "held", delivery_date: delivered, held: true },
      { id: "gone", delivery_date: delivered },
      { id: "reviewed", delivery_date: delivered },
      { id: "due", delivery_date: delivered },
      { id: "open", delivery_date: addDays(delivered, 1) },
      { id: "undelivered" },
    ]);
    await makeReview("shop", { id: "r1", product_id: "reviewed", date: "2026-03-01", order_id: "mixed" });
    for (const id of Object.keys(customers)) await makeOrder("shop", id, id, [{ id: "p", delivery_date: delivered }]);
    expect(await record()).toBe(1);
    expect(await recorded()).toEqual([
      {
        day: DAY,
        sent: 2,
        skipped: {
          already_reviewed: 1,
          excluded: 1,
          failed: 1,
          held: 1,
          no_email: 1,
          not_reviewable: 1,
          opted_out: 1,
          product_deleted: 1,
          quarantine: 1,
          suppressed: 1,
          too_late: 1,
        },
      },
    ]);
    await appendEntries();
    const { size = 0 } = (await readHead("shop")) ?? {};
    expect((await Array.fromAsync(readEntries("shop", size))).at(-1)).toMatchObject({
      type: "invitations",
      day: DAY,
      sent: 2,
    });
  });

  it("name the day's limit where it was used up", async () => {
    await makeClient("shop", { send_limit: 1 });
    await makeCustomer("shop", { id: "ann", email: "ann@x.example" });
    await makeOrder("shop", "o", "ann", [{ id: "p", delivery_date: delivered }]);
    await rowsOf("insert into send_days (client_id, day, sent) values ('shop', $1, 1)", [DAY]);
    await record();
    expect(await recorded()).toEqual([{ day: DAY, sent: 0, skipped: { send_limit: 1 } }]);
  });

  it("end with the day in the store's time zone", async () => {
    await makeClient("shop", { config: { time_zone: "America/New_York" } });
    await makeCustomer("shop", { id: "ann", email: "ann@x.example" });
    for (const [order, sent_at] of Object.entries({
      early: "2026-03-10T03:59:00Z",
      first: "2026-03-10T04:00:00Z",
      last: "2026-03-11T03:59:00Z",
    })) {
      await makeOrder("shop", order, "ann", [{ id: "p", delivery_date: addDays(DAY, -20) }]);
      await invited(order, { sent_at });
    }
    expect(await record(new Date("2026-03-11T03:59:59Z"))).toBe(1);
    expect(await record(new Date("2026-03-11T04:00:00Z"))).toBe(1);
    expect(await recorded()).toEqual([
      { day: addDays(DAY, -1), sent: 1, skipped: {} },
      { day: DAY, sent: 2, skipped: {} },
    ]);
  });

  it("count a delegated email on the day on which its sender accepted it", async () => {
    await makeClient("shop");
    await makeCustomer("shop", { id: "ann", email: "ann@x.example" });
    const handed = { sent_at: "2026-03-08T10:00:00Z", handed_at: "2026-03-08T10:00:00Z", day: "2026-03-08" };
    for (const [order, taken_at] of Object.entries({ taken: `${DAY}T12:00:00Z`, waiting: null })) {
      await makeOrder("shop", order, "ann", [{ id: "p", delivery_date: addDays(DAY, -20) }]);
      await invited(order, { ...handed, taken_at });
    }
    await record();
    expect(await recorded()).toEqual([{ day: DAY, sent: 1, skipped: {} }]);
  });
});

describe("items that the store withheld", () => {
  const ordersWith = async (columns: string) =>
    (await rowsOf(`select order_id from order_items where ${columns} order by order_id`)).map(
      ({ order_id }) => order_id,
    );
  const withheld = (isWithheld = true) => ordersWith(`withheld = ${isWithheld} and not canceled`);
  const canceled = () => ordersWith("withheld is not null and canceled");
  const excluded = { id: "lamp", name: "Lamp", delivery_date: delivered, reviewable: false, cancelled: true };

  async function shopWith(orders: Record<string, { item?: object; person?: object }>, settings = {}): Promise<void> {
    await makeClient("shop", settings);
    await record(new Date(`${delivered}T08:00:00Z`));
    await email("another", addDays(DAY, -10));
    for (const [order, { item, person }] of Object.entries(orders)) {
      await makeCustomer("shop", { id: order, email: `${order}@x.example`, ...person });
      await makeOrder("shop", order, order, [{ ...excluded, ...item }]);
    }
    await rowsOf("update orders set created_at = '2026-01-02'");
    await rowsOf("update order_items set held_at = '2026-01-02' where held_at is not null");
  }

  /** Has the store exclude the items of an order, before the first day to ask about them. */
  async function exclude(order: string): Promise<void> {
    await rowsOf("update order_items set reviewable = false, reviewable_set = false where order_id like $1", [order]);
    await rowsOf("update order_items set withheld_late = false where order_id like $1", [order]);
  }

  const include = (order: string) =>
    rowsOf("update order_items set reviewable = true, reviewable_set = true where order_id like $1", [order]);

  /** Repeats the last night's marking. */
  async function markAgain(): Promise<void> {
    await rowsOf("update recorded_exclusions set last_delivery = $1", [addDays(delivered, -1)]);
    await record();
  }

  const email = (id: string, day: string) =>
    rowsOf(
      `insert into invitations (client_id, id, email_key, status, day, created_at)
       values ('shop', $1, $1 || '@x.example', 'sent', $2, $2::date)`,
      [id, day],
    );

  it("are those excluded or paused on their last day that nothing else kept from being asked about", async () => {
    await shopWith({
      excluded: {},
      paused: { item: { reviewable: true, cancelled: false, held: true } },
      resumed: { item: { reviewable: true, cancelled: false, held: true, held_until: DAY } },
      later: { item: { reviewable: true, cancelled: false, held: true, held_until: addDays(DAY, 1) } },
      due: { item: { reviewable: true, cancelled: false } },
      unnamed: { item: { name: undefined } },
      "unnamed-included": { item: { name: undefined, reviewable: true, cancelled: false } },
      unknown: { item: { name: undefined, cancelled: false } },
      open: { item: { delivery_date: addDays(delivered, 1) } },
      earlier: { item: { delivery_date: addDays(delivered, -1) } },
      nowhere: { person: { email: null } },
      out: { person: { opt_out: true } },
      bounced: {},
      gone: { item: { id: "gone" } },
      late: {},
      reviewed: {},
      rated: {},
      "rated-before": {},
    });
    await makeProduct("shop", "gone", { deleted: true });
    await rowsOf(
      "insert into suppressions (client_id, email_hash, reason) select client_id, email_hash, 'bounce' from customers where id = 'bounced'",
    );
    await rowsOf("update orders set created_at = $1 where id = 'late'", [DAY]);
    await makeReview("shop", { id: "r1", product_id: "lamp", date: "2026-01-10", order_id: "reviewed" });
    const of = (id: string) => ({ product_id: "lamp", customer_id: id });
    await makeReview("shop", { id: "r2", date: addDays(DAY, -179), ...of("rated") });
    await makeReview("shop", { id: "r3", date: addDays(DAY, -180), ...of("rated-before") });
    await record();
    expect(await withheld()).toEqual(["excluded", "later", "paused", "rated-before"]);
    // Only the daily limit kept these from it, or no run came.
    expect(await withheld(false)).toEqual(["due", "resumed"]);
  });

  it("aren't those in the cooldown of an email that was too early to ask about them", async () => {
    const opens = addDays(delivered, 7);
    const mailed = {
      before: addDays(opens, -1),
      within: opens,
      ended: addDays(DAY, -60),
      "before-order": addDays(opens, 9),
      reminder: opens,
      "by-hand": opens,
      "about-the-store": opens,
      reminded: addDays(opens, 14),
      later: addDays(DAY, 1),
    };
    await shopWith(Object.fromEntries(Object.keys(mailed).map((id) => [id, {}])), {
      quarantine_period: 60,
      send_emails_after_days: 7,
    });
    await rowsOf("update orders set created_at = $1 where id = 'before-order'", [addDays(opens, 10)]);
    for (const [id, day] of Object.entries(mailed)) await email(id, day);
    await rowsOf("update invitations set kind = 'reminder' where id in ('reminder', 'reminded')");
    await rowsOf("update invitations set by_hand = true where id = 'by-hand'");
    // Nothing else could be asked about: it would have asked about the item.
    await rowsOf("update invitations set kind = 'seller' where id = 'about-the-store'");
    // The reminder of an invitation that would have asked about the item.
    await rowsOf("update invitations set email_key = 'reminded@x.example' where id = 'another'");
    await rowsOf("update invitations set day = $1 where id = 'another'", [opens]);
    await record();
    expect(await withheld()).toEqual(["about-the-store", "by-hand", "ended", "later", "reminded", "within"]);
  });

  it("aren't those excluded or paused on the first day to ask about them, or later", async () => {
    const paused = { item: { reviewable: true, cancelled: false, held: true } };
    await shopWith({ early: {}, late: {}, "paused-early": paused, "paused-late": paused });
    await rowsOf("update order_items set withheld_late = true where order_id like '%late'");
    await record();
    expect([await withheld(), await withheld(false)]).toEqual([
      ["early", "paused-early"],
      ["late", "paused-late"],
    ]);
  });

  describe("are late or early, by when it was excluded or paused", () => {
    const isLate = async () => (await rowsOf("select withheld_late from order_items"))[0].withheld_late;
    const change = (set: string) => rowsOf(`update order_items set ${set}`);
    // At each hour, one of them has another date than the database.
    const time_zone = new Date().getUTCHours() >= 10 ? "Pacific/Kiritimati" : "Pacific/Pago_Pago";
    const today = `(now() at time zone '${time_zone}')::date`;

    beforeEach(async () => {
      await shopWith(
        { o: { item: { reviewable: true, cancelled: false } } },
        { send_emails_after_days: 7, config: { time_zone } },
      );
    });

    it.each([
      ["excluded", "reviewable_set = false"],
      ["paused", "held_at = now()"],
      ["paused for some days", `held_at = now(), held_until = ${today} + 5`],
    ])("%s", async (_, set) => {
      await change(`delivery_date = ${today} - 6`);
      await change(set);
      expect(await isLate()).toBe(false);
      await change("reviewable_set = null, held_at = null, held_until = null");
      await change(`delivery_date = ${today} - 7`);
      expect(await isLate()).toBe(false);
      await change(set);
      expect(await isLate()).toBe(true);
      // Another day of delivery, or a longer time to wait, doesn't change what happened.
      await rowsOf("update clients set send_emails_after_days = 30");
      await change(`delivery_date = ${today} + 30`);
      expect(await isLate()).toBe(true);
      await change("reviewable_set = null, held_at = null, held_until = null");
      expect(await isLate()).toBe(false);
    });

    it("from the first of them on, if it is excluded while it is paused, or paused for longer", async () => {
      await change(`delivery_date = ${today} - 6`);
      await change(`held_at = now() - interval '1 hour', held_until = ${today} + 5`);
      await change(`delivery_date = ${today} - 9`);
      await change(`held_at = now(), held_until = ${today} + 9`);
      await change("reviewable_set = false");
      await change("held_at = null, held_until = null");
      expect(await isLate()).toBe(false);
      // Not if the pause was over.
      await change(`reviewable_set = null, held_at = now(), held_until = ${today} - 2`);
      await change("reviewable_set = false");
      expect(await isLate()).toBe(true);
    });

    it("and canceled until the end of the day of delivery", async () => {
      const canceled = async () => (await rowsOf("select canceled from order_items"))[0].canceled;
      await change(`delivery_date = ${today}`);
      await change("reviewable_set = false");
      expect(await canceled()).toBe(true);
      await change("reviewable_set = null");
      await change(`delivery_date = ${today} - 1`);
      await change("reviewable_set = false");
      expect(await canceled()).toBe(false);
    });

    it("and early without a day of delivery, or if it comes with the exclusion", async () => {
      await change("delivery_date = null");
      await change("reviewable_set = false");
      expect(await isLate()).toBe(false);
      await change("reviewable_set = null");
      await change(`reviewable_set = false, delivery_date = ${today} - 9`);
      expect(await isLate()).toBe(false);
    });
  });

  it("aren't those of an email that was planned, also if it is given up, before the marking or after it", async () => {
    const included = { item: { reviewable: true, cancelled: false } };
    const orders = { before: included, after: included, open: included, failed: included, seller: included };
    await shopWith({ ...orders, excluded: {} });
    await rowsOf("update order_items set delivery_date = delivery_date + 1 where order_id = 'open'");
    for (const order of ["before", "after", "open"]) await invited(order, { status: "claimed", sent_at: null });
    // An email about the store asks about no item.
    await invited("seller", { status: "claimed", sent_at: null, kind: "seller" });
    await invited("failed", { status: "failed", sent_at: null, mail_id: "mail-1" });
    const giveUp = (order: string) => rowsOf("delete from invitation_items where order_id = $1", [order]);
    await giveUp("before");
    await record();
    expect([await withheld(), await withheld(false)]).toEqual([["excluded"], ["before"]]);
    for (const order of ["after", "open", "seller"]) await giveUp(order);
    expect([await withheld(), await withheld(false)]).toEqual([["excluded"], ["after", "before"]]);
    await markAgain();
    expect(await withheld(false)).toEqual(["after", "before", "seller"]);
    const asked = await rowsOf("select order_id from order_items where asked");
    expect(asked).toEqual([{ order_id: "failed" }]);
  });

  it("stay so, and none is added later", async () => {
    await shopWith({ excluded: {}, due: { item: { reviewable: true, cancelled: false } } });
    await record();
    await include("excluded");
    await exclude("due");
    await record(new Date("2026-03-11T20:00:00Z"));
    await record(new Date("2026-03-12T20:00:00Z"));
    expect([await withheld(), await withheld(false)]).toEqual([["excluded"], ["due"]]);
  });

  it("are marked as things are then, if a day is marked again", async () => {
    await shopWith({ excluded: {}, due: { item: { reviewable: true, cancelled: false } }, out: {} });
    await record();
    expect([await withheld(), await withheld(false)]).toEqual([["excluded", "out"], ["due"]]);
    await include("excluded");
    await exclude("due");
    await rowsOf("update customers set opt_out_by_order = true where id = 'out'");
    await markAgain();
    expect([await withheld(), await withheld(false)]).toEqual([["due"], ["excluded"]]);
    // If the store asks for a longer time, some of them are asked about after all.
    await include("due");
    for (const order of ["due", "excluded"]) await invited(order);
    await markAgain();
    expect([await withheld(), await withheld(false)]).toEqual([[], []]);
  });

  it("are those excluded with the day of a delivery that is over, and not with one that is ahead", async () => {
    const included = { reviewable: true, cancelled: false };
    await shopWith({
      delivered: { item: { ...included, delivery_date: "2999-01-01" } },
      moved: { item: included },
    });
    const excludeWith = (order: string, day: string) =>
      rowsOf(
        "update order_items set delivery_date = $2, reviewable = false, reviewable_set = false where order_id = $1",
        [order, day],
      );
    await excludeWith("delivered", delivered);
    await excludeWith("moved", "2999-01-01");
    await rowsOf("update order_items set delivery_date = $1", [delivered]);
    await record();
    expect([await withheld(), await canceled()]).toEqual([["delivered"], ["moved"]]);
    // Once it is marked, it stays canceled.
    for (const change of [include, exclude]) {
      await change("moved");
      expect([await withheld(), await canceled()]).toEqual([["delivered"], ["moved"]]);
    }
  });

  it("are those that came excluded, also if they get their day later, and canceled if they were excluded before", async () => {
    const undated = { delivery_date: null };
    await shopWith({
      came: { item: undated },
      removed: {},
      canceled: { item: { ...undated, reviewable: true, cancelled: false } },
    });
    await exclude("canceled");
    await rowsOf("update order_items set delivery_date = null");
    await rowsOf("update order_items set delivery_date = $1", [delivered]);
    await record();
    expect([await withheld(), await canceled()]).toEqual([["came", "removed"], ["canceled"]]);
  });

  it("are canceled if they were so before their delivery, and none if the store sent nothing in their days", async () => {
    const included = { item: { reviewable: true, cancelled: false, delivery_date: "2999-01-01" } };
    await shopWith({ canceled: included, again: included, excluded: { item: { reviewable: true, cancelled: false } } });
    const change = (set: string, order = "") =>
      rowsOf(`update order_items set ${set} where order_id like $1`, [`%${order}`]);
    await exclude("%");
    await include("again");
    await change(`delivery_date = '${delivered}'`);
    await exclude("again");
    await rowsOf("update invitations set day = $1", [addDays(delivered, 6)]);
    await record();
    expect(await withheld()).toEqual([]);
    await rowsOf("update invitations set day = $1", [addDays(delivered, 7)]);
    await markAgain();
    expect([await withheld(), await canceled()]).toEqual([["again", "excluded"], ["canceled"]]);
    // With another day of delivery, they can be asked about again. What happens then counts.
    await change(`delivery_date = '${addDays(delivered, 30)}', reviewable = true, reviewable_set = true`, "again");
    await change(`delivery_date = '${addDays(delivered, -1)}', reviewable = true, reviewable_set = true`, "excluded");
    expect(await withheld()).toEqual(["again", "excluded"]);
    await record(new Date("2026-04-10T08:00:00Z"));
    expect(await withheld()).toEqual(["excluded"]);
  });

  it("are recorded for each delivery, also if the store asks for another time, or the job didn't run", async () => {
    const deliveries = async () =>
      Object.values((await rowsOf("select first_delivery, last_delivery from recorded_exclusions"))[0]);
    const at = (day: string) => record(new Date(`${day}T08:00:00Z`));
    await makeClient("shop");
    expect(await withNow(nextMorning, () => listUnrecorded(null))).toEqual(["shop"]);
    await at("2026-03-01");
    expect(await deliveries()).toEqual(["2026-03-01", "2026-02-28"]);
    await email("another", "2026-04-20");
    await makeCustomer("shop", { id: "ann", email: "ann@x.example" });
    const days = ["2026-02-28", "2026-03-01", "2026-03-31", "2026-04-01", "2026-04-02"];
    for (const day of days) await makeOrder("shop", day, "ann", [{ ...excluded, delivery_date: day }]);
    await rowsOf("update orders set created_at = '2026-02-01'");
    await at("2026-04-30");
    expect(await withheld()).toEqual([]);
    await at("2026-05-01");
    expect(await withheld()).toEqual(["2026-03-01"]);
    // From 60 days to 30: the last day of a month of deliveries is over at once.
    await rowsOf("update clients set send_emails_before_days = 30");
    await at("2026-05-02");
    expect([await withheld(), await deliveries()]).toEqual([days.slice(1, 4), ["2026-03-01", "2026-04-01"]]);
    await rowsOf("update clients set send_emails_before_days = 90");
    // From then to 90 days: these days aren't over any more, so they are recorded again.
    await at("2026-05-03");
    expect([await withheld(), await deliveries()]).toEqual([days.slice(1, 4), ["2026-03-01", "2026-02-28"]]);
    await rowsOf("update order_items set reviewable = true, reviewable_set = null where order_id = '2026-03-31'");
    await at("2026-10-01");
    expect(await withheld()).toEqual(["2026-03-01", "2026-04-01", "2026-04-02"]);
  });

  it("are final after 90 days, or when the store first asks, however long it does", async () => {
    await shopWith(
      {
        excluded: { item: { delivery_date: addDays(DAY, -90) } },
        open: { item: { delivery_date: addDays(DAY, -89) } },
      },
      { send_emails_before_days: 3650 },
    );
    await rowsOf("update recorded_exclusions set first_delivery = $1::date, last_delivery = $1::date - 1", [
      addDays(DAY, -90),
    ]);
    await record();
    expect(await withheld()).toEqual(["excluded"]);
    expect(await recorded()).toEqual([]);
    await rowsOf("update clients set send_emails_after_days = 100");
    await rowsOf("update order_items set withheld = null");
    await rowsOf("update recorded_exclusions set last_delivery = $1", [addDays(DAY, -120)]);
    await record();
    expect(await withheld()).toEqual([]);
  });
});

describe("recording days", () => {
  async function shopWithDays(count: number): Promise<void> {
    await makeClient("shop");
    await makeCustomer("shop", { id: "none" });
    for (let n = 0; n < count; n++)
      await makeOrder("shop", `o${n}`, "none", [{ id: "p", delivery_date: addDays(delivered, -n) }]);
  }

  it("catches up at most 31 days, oldest first, and leaves out days without items", async () => {
    await shopWithDays(40);
    await rowsOf("delete from order_items where order_id in ('o3', 'o4')");
    expect(await withNow(nextMorning, () => listUnrecorded(null))).toEqual(["shop"]);
    expect(await record()).toBe(29);
    const days = (await recorded()).map(({ day }) => day);
    expect([days[0], days.at(-1)]).toEqual([addDays(DAY, -30), DAY]);
    expect(days).toEqual(days.toSorted());
    expect(await withNow(nextMorning, () => listUnrecorded(null))).toEqual([]);
    expect(await record()).toBe(0);
  });

  it("records each day once if several processes do it at once", async () => {
    await shopWithDays(5);
    const counts = await Promise.all(Array.from({ length: 4 }, () => record()));
    expect(counts.reduce((sum, count) => sum + count)).toBe(5);
    expect((await recorded()).map(({ day }) => day)).toEqual([4, 3, 2, 1, 0].map((n) => addDays(DAY, -n)));
  });

  it("is a job, which needs no client's name", async () => {
    const { runJob } = await import("@/inngest/jobs");
    await makeClient("shop");
    await makeCustomer("shop", { id: "none" });
    const yesterday = addDays(new Date().toISOString().slice(0, 10), -1);
    await makeOrder("shop", "o", "none", [{ id: "p", delivery_date: addDays(yesterday, -60) }]);
    const report = await runJob("record-invitations");
    expect(report.runs.map(({ function: name, status }) => [name, status])).toEqual([["record-invitations", "done"]]);
    expect(await recorded()).toEqual([{ day: yesterday, sent: 0, skipped: { no_email: 1 } }]);
  });
});
