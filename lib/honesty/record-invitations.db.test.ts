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
