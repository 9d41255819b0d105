import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { claimInvitations, unsentInvitations } from "@/lib/invitations/claim-invitations";
import { addDays, type Day } from "@/lib/invitations/days";
import { readInvitationToken } from "@/lib/invitations/links";
import { previewNextRun } from "@/lib/invitations/preview-next-run";
import {
  type HeldItem,
  type HeldReason,
  type ItemFacts,
  type PersonFacts,
  planDay,
  planManualSend,
  REVIEW_INTERVAL_DAYS,
  type SendRules,
} from "@/lib/invitations/rules";
import { sendInvitations } from "@/lib/invitations/send-invitation";
import { sendManually } from "@/lib/invitations/send-manually";
import { withNow } from "@/lib/platform/clock";
import { isDatabaseUnavailable, pool } from "@/lib/platform/db/pool";
import { formatDay } from "@/lib/platform/i18n/format";
import { perProcess } from "@/lib/platform/process";
import { rowsOf } from "@/lib/tools/test/factories";
import { type ResendFailure, resendFake } from "@/lib/tools/test/resend-fake";
import { dayOf, hourOf, seededRandom, simulateYear, type Year, type YearItem } from "@/lib/tools/test/simulated-year";

// A store's year: orders arrive, people object, review and share addresses, settings change, the mail service and the
// database fail, two runs and three senders work concurrently. Checks the sent emails against what happened.
// The default is a season of a small store; CANDOR_YEAR=full runs a whole year with 20,000 customers and 60,000 orders,
// and CANDOR_YEAR_SEED another one.

const full = process.env.CANDOR_YEAR === "full";
const size = full ? { customers: 20_000, orders: 60_000, days: 365 } : { customers: 70, orders: 300, days: 70 };
const seed = Number(process.env.CANDOR_YEAR_SEED ?? 1);
const CLIENT = "year";
const moderator = { kind: "user", id: "moderator" } as const;
const HOUR_MS = 3_600_000;
/** Reasons for withdrawing a claimed email, and how the test counts them. */
const takenBack = { opted_out: "objected", suppressed: "objected", not_reviewable: "changed" } as const;

const failures: ResendFailure[] = [];
const refused = new Set<string>();
const service = await resendFake(failures, { refuse: ({ to }) => refused.has(addressOf([to].flat()[0] ?? "")) });
Object.assign(process.env, service.settings, { MAIL_TIMEOUT: "1" });
const breaker = new pg.Client({ connectionString: process.env.DATABASE_URL });
breaker.on("error", () => undefined);
await breaker.connect();
afterAll(async () => {
  await breaker.end();
  await service.close();
});

const addressOf = (to: string): string =>
  to
    .replace(/^.*<|>$/g, "")
    .trim()
    .toLowerCase();

/** A sent email: `day` and `at` are those of its first try, `claimed` the day it was claimed. */
type Sent = { id: string; person: string; at: Date; day: Day; claimed: Day; byHand: boolean; items: YearItem[] };

test(`${size.days} days of ${size.customers} customers and ${size.orders} orders, seed ${seed}`, {
  timeout: full ? 3_600_000 : 300_000,
}, async () => {
  const year = await simulateYear(CLIENT, size, seed);
  const random = seededRandom(seed + 1);
  const byDay = new Map<Day, number>();
  const lastTo = new Map<string, Day>();
  /** invitations whose email arrived, and the day of its first try */
  const seen = new Map<string, Day>();
  /** invitations whose email may have been sent, by the time of that try: they are retried unchanged */
  const inDoubt = new Map<string, Date>();
  /** orders sent manually, or tried to, and the day: as `order day` */
  const manualSends = new Set<string>();
  /** errors not caused by a broken connection or the mail service */
  const unexpectedErrors: unknown[] = [];
  const counts = {
    hand: 0,
    refused: 0,
    broken: 0,
    later: 0,
    evaluated: 0,
    explained: 0,
    full: 0,
    quarantined: 0,
    held: 0,
    /** withdrawn before sending: */
    objected: 0,
    changed: 0,
    /** sent on a later day than claimed */
    late: 0,
  };
  let clock = new Date(`${year.days[0]}T00:00:00Z`);

  for (const [index, day] of year.days.entries()) {
    await year.simulateMorning(day);
    if (random() < 0.02) refused.add(`k${Math.floor(random() * size.customers)}@mail.example`);
    // Every tenth day nothing fails, and all remaining emails are sent: then everything is checked.
    const calm = index % 10 === 9;
    for (const hour of calm ? [5, 9, 13] : full ? [9, 14] : [random() < 0.5 ? 9 : 14]) {
      const at = new Date(`${day}T${String(hour).padStart(2, "0")}:30:00Z`);
      await advanceTime(at.getTime() - clock.getTime());
      clock = at;
      failures.length = 0;
      if (!calm) failures.push(...randomFailures(random));
      const breaks = !calm && random() < 0.3;
      await Promise.all([invite(at, breaks), invite(at, false), ...(calm ? [] : [sendSomeManually(year, at)])]);
      // And again after the runs: the day's limit may be used up by then.
      if (!calm) await sendSomeManually(year, at);
      await send(at, !calm && random() < 0.3);
      await checkSentEmails(year, at);
    }
    if (calm) {
      await recount(day);
      await explain(year, day, clock);
    }
    expect(unexpectedErrors, day).toEqual([]);
    if (full && calm) process.stderr.write(`${day}: ${seen.size} mails, ${Math.round(performance.now() / 1_000)} s\n`);
  }

  for (const { error, many } of await rowsOf(
    `select error, count(*)::int as many from invitations
      where client_id = $1 and status = 'failed' and mail_id is null group by error`,
    [CLIENT],
  ))
    for (const [reason, counted] of Object.entries(takenBack)) if (error === reason) counts[counted] += many;

  expect(seen.size).toBeGreaterThan(size.orders / 5);
  // Every kind of difficulty occurred.
  const missing = Object.entries(counts).filter(([, many]) => many === 0);
  expect(missing, `of ${JSON.stringify(counts)}`).toEqual([]);

  /** One run; `breaks`: its database connection is cut at a random time. */
  async function invite(at: Date, breaks: boolean): Promise<void> {
    const work = withNow(at, () => claimInvitations(CLIENT)).catch(failed);
    if (breaks) await cutConnection(random);
    await work;
  }

  /** Handles a failed run: a broken connection is expected, anything else is a defect. */
  function failed(error: unknown): void {
    const { code } = error as { code?: string };
    if (code === "unavailable" || isDatabaseUnavailable(error)) counts.broken++;
    else unexpectedErrors.push(error);
  }

  /** People send emails of some orders manually, each with two clicks, during the runs. */
  async function sendSomeManually(year: Year, at: Date): Promise<void> {
    const orders = year.items.size === 0 ? [] : [year.recentOrderId(), year.recentOrderId()];
    const clicks = orders.flatMap((order) => [order, order]);
    await Promise.all(
      clicks.map(async (order) => {
        await sleep(random() * 15);
        manualSends.add(`${order} ${dayOf(at)}`);
        const result = await withNow(at, () => sendManually(moderator, { id: CLIENT }, order)).catch(failed);
        if (!result) return;
        if (result.sent.length > 0) counts.hand++;
        else counts.refused++;
      }),
    );
  }

  /** Three concurrent senders with overlapping parts of the unsent invitations, each retrying as jobs do. */
  async function send(at: Date, breaks: boolean): Promise<void> {
    const ids = await unsentInvitations(CLIENT);
    if (ids.length === 0) return;
    const sender = async (from: number) => {
      const ownIds = [...ids.slice(from), ...ids.slice(0, from)];
      // A service that is down for hours is retried less often if many wait, since each try writes every email again.
      const most = full && failures.length > 100 ? 1 : 3;
      for (let tries = 0; tries < most; tries += 1) {
        let done = true;
        for (let start = 0; start < ownIds.length; start += 50)
          await withNow(at, () => sendInvitations(CLIENT, ownIds.slice(start, start + 50))).catch((error) => {
            done = false;
            if (error.code === "unavailable") counts.later++;
            else failed(error);
          });
        perProcess("mail-pause", () => ({ until: 0 })).until = 0; // the pause it requested is over
        if (done) return;
      }
    };
    const work = Promise.all([0, 1, 2].map((part) => sender(Math.floor((ids.length * part) / 3))));
    if (breaks) await cutConnection(random);
    await work;
  }

  /** Checks everything that arrived since against what happened. */
  async function checkSentEmails(year: Year, at: Date): Promise<void> {
    const emails = service.sent.splice(0);
    service.calls.length = 0;
    const ids = emails.map(({ html = "" }) => {
      const token = /\/r\/([\w-]+)/.exec(html)?.[1] ?? "";
      return readInvitationToken(token)?.invitationId ?? "";
    });
    const rows = await rowsOf(
      `select n.id, n.claimed_at, n.by_hand, array_agg(json_build_array(i.order_id, i.item_id)::text) as items
         from invitations n join invitation_items i on i.client_id = n.client_id and i.invitation_id = n.id
        where n.client_id = $1 and n.id = any($2) group by n.id, n.claimed_at, n.by_hand`,
      [CLIENT, ids],
    );
    const known = new Map(rows.map((row) => [row.id, row]));
    for (const [index, letter] of emails.entries()) {
      const id = ids[index] as string;
      const row = known.get(id);
      expect(row, `${id} has items`).toBeDefined();
      const moment = inDoubt.get(id) ?? at;
      checkMail({
        id,
        person: addressOf([letter.to].flat()[0] as string),
        at: moment,
        day: dayOf(moment),
        claimed: dayOf(row.claimed_at),
        byHand: row.by_hand,
        items: row.items.map((key: string) => year.items.get(JSON.stringify(JSON.parse(key))) as YearItem),
      });
    }
    const doubtful = await rowsOf(
      `select n.id from invitations n join mails m on m.id = n.mail_id
        where n.client_id = $1 and n.status = 'claimed' and m.status = 'queued' and m.doubtful_since is not null`,
      [CLIENT],
    );
    for (const { id } of doubtful) if (!inDoubt.has(id)) inDoubt.set(id, at);
    // Emails that the service rejected, or that may have been sent but failed, count as invited.
    const failed = await rowsOf(
      `select n.day, n.email_key, json_agg(json_build_array(i.order_id, i.item_id)) as items
         from invitations n join invitation_items i on i.client_id = n.client_id and i.invitation_id = n.id
        where n.client_id = $1 and n.status = 'failed' group by n.id, n.day, n.email_key`,
      [CLIENT],
    );
    for (const { day, email_key, items } of failed) {
      for (const key of items) (year.items.get(JSON.stringify(key)) as YearItem).invited = true;
      if ((lastTo.get(email_key) ?? "") < day) lastTo.set(email_key, day);
    }
  }

  function checkMail(mail: Sent): void {
    const { id, person, at, day, claimed, byHand, items } = mail;
    const where = `${id} to ${person} on ${day}`;
    counts.evaluated++;
    expect(seen.has(id), `${where}: sent once`).toBe(false);
    seen.set(id, day);
    if (day > claimed) counts.late++;
    // One email per person and cooldown.
    const before = lastTo.get(person);
    if (before)
      expect(addDays(before, year.rulesOn(claimed).quarantineDays) <= day, `${where}: last ${before}`).toBe(true);
    lastTo.set(person, before && before > day ? before : day);
    // Within the sending hours and the day's limit.
    const [from, to] = year.settingsOn(day).hours;
    expect(hourOf(at) >= from && hourOf(at) < to, `${where}: at ${at.toISOString()}`).toBe(true);
    const today = (byDay.get(day) ?? 0) + 1;
    byDay.set(day, today);
    if (today === year.rulesOn(day).limit) counts.full++;
    expect(today, `${where}: limit`).toBeLessThanOrEqual(year.rulesOn(day).limit);
    // No email to people who objected or bounced.
    const yearPerson = year.people.get(person);
    expect(
      yearPerson && (yearPerson.blockedSince === null || yearPerson.blockedSince > day),
      `${where}: objected ${yearPerson?.blockedSince}`,
    ).toBe(true);
    for (const item of items) {
      const what = `${where}: ${item.order_id} ${item.item_id}`;
      expect(item.person, what).toBe(person);
      expect(item.invited, `${what} asked for twice`).toBe(false);
      item.invited = true;
      const delivered = item.delivery_date as Day;
      // Items sent manually need not wait; others in the same email must be due.
      const isManual = byHand && manualSends.has(`${item.order_id} ${claimed}`);
      const opens = (day: Day) => addDays(delivered, isManual ? 0 : year.rulesOn(day).afterDays);
      // Due when claimed; items postponed since then are due when sent.
      expect(opens(claimed) <= claimed || opens(day) <= day, `${what} too early`).toBe(true);
      const held = item.holds.filter(({ from, until }) => from <= day && (until === null || until > day));
      expect(held, `${what} was paused`).toEqual([]);
      expect(day <= addDays(delivered, year.rulesOn(day).beforeDays), `${what} too late`).toBe(true);
      expect(
        item.blockedSince === null || item.blockedSince > day,
        `${what} was blocked since ${item.blockedSince}`,
      ).toBe(true);
      const reviewed = item.reviews.filter(
        (review) => review.day <= day && addDays(review.date, REVIEW_INTERVAL_DAYS) > day,
      );
      expect(reviewed, `${what} was reviewed`).toEqual([]);
    }
  }

  /** Checks the service's own records: what it says it sent has arrived on that day, and every day's count is right. */
  async function recount(today: Day): Promise<void> {
    const rows = await rowsOf(
      "select id, day, status, mail_id is not null as mailed from invitations where client_id = $1 and day is not null",
      [CLIENT],
    );
    const countsByDay = new Map<Day, number>();
    for (const { id, day, status, mailed } of rows) {
      if (status === "sent") expect(seen.get(id), `${today}: ${id} is recorded as sent on ${day}`).toBe(day);
      // Withdrawn emails count for no day; emails the mail service rejected do.
      if (status !== "failed" || mailed) countsByDay.set(day, (countsByDay.get(day) ?? 0) + 1);
    }
    const sendDays = await rowsOf("select day, sent from send_days where client_id = $1 and sent > 0 order by day", [
      CLIENT,
    ]);
    expect(sendDays).toEqual([...countsByDay].sort().map(([day, sent]) => ({ day, sent })));
  }

  /** At the end of a calm day: all due people have been emailed, and every other item has the right reason. */
  async function explain(year: Year, day: Day, at: Date): Promise<void> {
    const unsent = await rowsOf("select id from invitations where client_id = $1 and status = 'claimed'", [CLIENT]);
    const [{ sent }] = await rowsOf(
      "select coalesce(max(sent), 0) as sent from send_days where client_id = $1 and day = $2",
      [CLIENT, day],
    );
    const { limit } = year.rulesOn(day);
    if (unsent.length > 0) {
      // Emails stay claimed only if the day's limit is used up, and then no new claims were made before them.
      expect(sent, `${day}: ${unsent.length} are claimed and unsent`).toBe(limit);
      const claims = await rowsOf("select claimed_at from invitations where client_id = $1 and day = $2", [
        CLIENT,
        day,
      ]);
      expect(claims.filter(({ claimed_at }) => dayOf(claimed_at) === day)).toEqual([]);
      return;
    }
    const people = new Map(
      [...year.people].map(([email, person]) => [email, { ...person, invited: lastTo.get(email) ?? null }]),
    );
    const expected = planDay([...year.items.values()], people, year.rulesOn(day), day, sent);
    if (sent < limit) expect(expected.send, `${day}: due and not served`).toEqual([]);
    const preview = await withNow(at, () => previewNextRun(CLIENT, { explain: true }));
    expect(preview.send.length, day).toBe(expected.send.length);
    expect(sorted(preview.held)).toEqual(sorted(expected.held));
    expect(preview.held.filter((held) => !expectExplained(held, year.rulesOn(day)))).toEqual([]);
    counts.explained += preview.held.length;
    await sendSome(year, people, day, at, sent);
    counts.held += preview.held.filter(({ reason, until }) => reason === "held" && until !== null).length;
    counts.quarantined += preview.held.filter(({ reason }) => reason === "quarantine").length;
  }

  /** On a calm day, after all due emails are sent: manual sending follows the rules. */
  async function sendSome(
    year: Year,
    people: ReadonlyMap<string, PersonFacts>,
    day: Day,
    at: Date,
    sent: number,
  ): Promise<void> {
    const order = year.recentOrderId();
    const own = (item: ItemFacts) => item.order_id === order;
    const items = [...year.items.values()];
    const person = items.find(own)?.person ?? null;
    const personItems = items.filter((item) => own(item) || (person !== null && item.person === person));
    const expected = planManualSend(personItems, own, people.get(person ?? "") ?? null, year.rulesOn(day), day, sent);
    manualSends.add(`${order} ${day}`);
    const result = await withNow(at, () => sendManually(moderator, { id: CLIENT }, order));
    expect(result.sent, `${day}: ${order} by hand`).toEqual(
      expected.send.map(({ order_id, item_id }) => ({ order_id, item_id })),
    );
    expect(sorted(result.held.map((held) => ({ order_id: order, ...held })))).toEqual(sorted(expected.held));
    await send(at, false);
    await checkSentEmails(year, at);
  }
});

const sorted = (held: HeldItem[]) =>
  held.map(({ order_id, item_id, reason, until }) => `${order_id} ${item_id} ${reason} ${until}`).sort();

/** Whether an item's sentence contains the reason and the first day it no longer applies. */
function expectExplained(
  { reason, until, sentence = "" }: HeldItem & { sentence?: string },
  rules: SendRules,
): boolean {
  const words: Record<HeldReason, RegExp> = {
    already_invited: /has already been invited/,
    already_reviewed: until === null ? /has already reviewed this item/ : /reviewed this product in the last 180 days/,
    not_reviewable: /is excluded or not in the catalog/,
    no_delivery_date: /the delivery date is unknown/,
    product_deleted: /is no longer in the catalog/,
    held: until === null ? /is paused indefinitely/ : /is paused until/,
    no_email: /email address is unknown/,
    opted_out: /opted out of emails/,
    suppressed: /bounced or were marked as spam/,
    too_late: /the invitation window expired on/,
    too_early: new RegExp(`are invited ${rules.afterDays} days? after delivery`),
    quarantine: new RegExp(`one email (?:a day|every ${rules.quarantineDays} days)`),
    waiting_for_items: /items are combined in one email/,
    send_limit: rules.limit === 0 ? /the daily email limit is 0/ : new RegExp(`daily limit of ${rules.limit} emails?`),
  };
  const begins = until ? `Scheduled for ${formatDay(until, "en-GB")} or later: ` : "Not sent: ";
  return sentence.startsWith(begins) && words[reason].test(sentence) && sentence.endsWith(".");
}

/** Also advances the database's leases; the service clears keys once nothing is in doubt. */
async function advanceTime(ms: number): Promise<void> {
  const { rowCount } = await pool().query(
    `update mails set handed_at = handed_at - $1 * interval '1 ms', doubtful_since = doubtful_since - $1 * interval '1 ms'
      where status = 'queued'`,
    [ms],
  );
  if (rowCount === 0 && ms > 3 * HOUR_MS) service.clearIdempotencyKeys();
}

function randomFailures(random: () => number): ResendFailure[] {
  const kinds: ResendFailure[] = [
    { status: 500 },
    { status: 429, name: "rate_limit_exceeded" },
    { status: 429, name: "rate_limit_exceeded", retryAfter: "30" },
    { status: 503, text: "<html>" },
    "hang up after",
    "hang up before",
    null,
  ];
  // Sometimes it accepts nothing for hours.
  if (random() < 0.35) return Array.from({ length: 5_000 }, () => kinds[1] as ResendFailure);
  const many = random() < 0.5 ? 0 : random() < 0.8 ? 2 : 12;
  return Array.from({ length: many }, () => kinds[Math.floor(random() * kinds.length)] as ResendFailure);
}

/** Cuts a working connection, as when a process or the network fails. */
async function cutConnection(random: () => number): Promise<void> {
  await sleep(random() * 12);
  await breaker.query(
    `select pg_terminate_backend(pid, 2000) from pg_stat_activity
      where datname = current_database() and application_name = 'candor' and state <> 'idle' limit 1`,
  );
  await sleep(20); // until the pool notices it
}
