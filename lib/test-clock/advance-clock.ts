import type { Actor } from "@/lib/accounts/actor";
import { recordAudit } from "@/lib/accounts/record-audit";
import { type ClientRow, isTestStore, readClient, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { syncs } from "@/lib/integrations/sync-part";
import { reminderDaysOf } from "@/lib/invitations/claim-reminders";
import { allowsSellerOnly, rulesOf, sendHoursOf } from "@/lib/invitations/rules";
import { lockInvitations } from "@/lib/invitations/try-lock-invitations";
import { nextOverdueAt } from "@/lib/moderation/queue/notify-overdue";
import { dayIn, now } from "@/lib/platform/clock";
import { dropCached } from "@/lib/platform/db/cache";
import { type Db, isSerializationFailure, longTransaction, pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { perProcess } from "@/lib/platform/process";
import {
  type Advance,
  DAY_MS,
  type DueDays,
  daysUntilNext,
  dueWithin,
  lastSendMoment,
  MAX_DAYS,
  workKinds,
} from "@/lib/test-clock/rules";
import { runWork } from "@/lib/test-clock/run-work";
import type { AdvancedClock } from "@/lib/test-clock/schema";
import { notTestStore, showClock } from "@/lib/test-clock/show-clock";
import { countExpiring, countSince, extendAdvance, moveRows, selectDueDays } from "./sql";

/** How long a call goes on; with much to do it advances the clock by fewer days. */
const MAX_MS = 45_000;

/**
 * Advances a test store's clock, from one day with due work to the next, and does that work on its day. Times of its rows
 * are moved into the past, so that the database's clock and every rule apply unchanged; the clock itself is the number of
 * days. `purge` deletes what expired of the store. Returns the new clock with what happened: after 45 seconds it has advanced by fewer
 * days. Throws `conflict` for a store that isn't a test store, and while its clock is being advanced by another call. A
 * call that dies has advanced the clock by some of the days, which the audit log has.
 */
export async function advanceClock(
  actor: Pick<Actor, "kind" | "id">,
  clientId: string,
  by: Advance,
  purge: (clientId: string) => Promise<void>,
): Promise<AdvancedClock> {
  const ends = Date.now() + MAX_MS;
  const done = await withClockLock(clientId, async () => {
    const before = await readTestStore(clientId);
    const target = by === "next" ? (daysUntilNext(await dueDaysOf(before)) ?? 0) : by;
    const most = target > MAX_DAYS ? 0 : target;
    let days = 0;
    while (days < most && Date.now() < ends)
      days += await advanceToNextWork(actor, clientId, { most: most - days, isFirst: days === 0 }, ends);
    const deleted = days > 0 ? await deleteExpired(clientId, purge) : 0;
    const client = await readTestStore(clientId);
    const counts = await countSince(pool(), clientId, new Date(now().getTime() - days * DAY_MS));
    return { ...showClock(client), advanced_days: days, ...(days > 0 ? counts : noCounts), deleted };
  });
  if (!done) throw new AppError("conflict", { reason: "test_clock_busy" });
  return done;
}

/** Deletes what expired, adds it to this call's audit entry and returns how much. What can't be deleted is left to the nightly run. */
async function deleteExpired(clientId: string, purge: (clientId: string) => Promise<void>): Promise<number> {
  const before = await countExpiring(pool(), clientId);
  await purge(clientId).catch((error) => log.error({ err: error }, "expired data can't be deleted"));
  const deleted = Math.max(0, before - (await countExpiring(pool(), clientId)));
  if (deleted > 0) await extendAdvance(pool(), clientId, { days: 0, removed: deleted });
  return deleted;
}

const noCounts = { invitations: 0, reminders: 0, emails: 0, webhooks: 0 };

/**
 * Advances by up to `most` days to the next one with due work, and does it, as far as there is time. Returns by how many.
 * What fails, such as a partner's server, is done by the scheduled jobs.
 */
async function advanceToNextWork(
  actor: Pick<Actor, "kind" | "id">,
  clientId: string,
  { most, isFirst }: { most: number; isFirst: boolean },
  ends: number,
): Promise<number> {
  const client = await readTestStore(clientId);
  const { expiry: _, ...due } = await dueDaysOf(client);
  const days = Math.min(daysUntilNext(due) ?? most, most);
  await moveTimes(clientId, days, (db) =>
    isFirst
      ? recordAudit(db, {
          clientId,
          actor,
          action: "test_clock.advanced",
          subject: clientId,
          detail: { days, removed: 0 },
        })
      : extendAdvance(db, clientId, { days, removed: 0 }),
  );
  const at = sendMomentOf(client);
  const work = new Set(dueWithin(due, days));
  // Invitations cause events for webhooks.
  if (work.has("invitations")) work.add("webhooks");
  for (const kind of workKinds)
    if (work.has(kind))
      await runWork[kind](clientId, at, ends).catch((error) =>
        log.error({ err: error, client: clientId }, `a test store's ${kind} failed`),
      );
  return days;
}

async function readTestStore(clientId: string): Promise<ClientRow> {
  const client = await readClient(pool(), clientId);
  if (!client) throw new AppError("not_found", { reason: "client_not_found", params: { id: clientId } });
  if (!isTestStore(client)) throw notTestStore();
  return client;
}

const sendMomentOf = (client: ClientRow): Date => lastSendMoment(sendHoursOf(client.config), timeZoneOf(client), now());

async function dueDaysOf(client: ClientRow): Promise<DueDays> {
  const [due, overdueAt] = await Promise.all([
    selectDueDays(pool(), client.id, {
      today: dayIn(timeZoneOf(client), sendMomentOf(client)),
      rules: rulesOf(client),
      reminderDays: reminderDaysOf(client),
      sellerOnly: allowsSellerOnly(client),
      syncs: Object.keys(syncs),
    }),
    nextOverdueAt(client),
  ]);
  if (overdueAt) due.overdue = Math.max(1, Math.ceil((overdueAt.getTime() - now().getTime()) / DAY_MS));
  return due;
}

/** Attempts of a transaction that others' writes may deadlock with. */
const MAX_ATTEMPTS = 3;

/** Moves the rows, and records it in the same transaction. */
async function moveTimes(clientId: string, days: number, record: (db: Db) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await longTransaction(async (db) => {
        await lockInvitations(db, clientId);
        if (!(await moveRows(db, clientId, days))) throw notTestStore();
        await record(db);
      });
      dropCached("client", clientId);
      return;
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isSerializationFailure(error)) throw error;
    }
  }
}

/** Stores whose clocks this process advances at once: each holds a connection. */
const MAX_AT_ONCE = 2;
const advancing = () => perProcess("test-clocks-advancing", () => new Set<string>());

/**
 * Runs `work` exclusively per store, across processes. Null if another call does, or too many do here. The lock ends with
 * the process.
 */
async function withClockLock<T>(clientId: string, work: () => Promise<T>): Promise<T | null> {
  if (advancing().has(clientId) || advancing().size >= MAX_AT_ONCE) return null;
  advancing().add(clientId);
  try {
    return await withSessionLock(clientId, work);
  } finally {
    advancing().delete(clientId);
  }
}

async function withSessionLock<T>(clientId: string, work: () => Promise<T>): Promise<T | null> {
  const db = await pool().connect();
  try {
    const { rows } = await db.query<{ got: boolean }>(
      "select pg_try_advisory_lock(hashtextextended('test-clock|' || $1, 0)) as got",
      [clientId],
    );
    if (!rows[0]?.got) return null;
    try {
      return await work();
    } finally {
      await db.query("select pg_advisory_unlock(hashtextextended('test-clock|' || $1, 0))", [clientId]);
    }
  } finally {
    db.release();
  }
}
