import { appendAttemptSql, lockWebhook, selectWebhook, type WebhookRow } from "@/lib/integrations/webhooks/rows";
import { failureRest, hasFailedTooLong, retryAfter, withJitter } from "@/lib/integrations/webhooks/rules";
import { type Attempt, type Message, type Outcome, sendMessage } from "@/lib/integrations/webhooks/send-message";
import { MIN_ATTEMPTS } from "@/lib/integrations/webhooks/values";
import { describeDelegated } from "@/lib/invitations/describe-delegated";
import { recordExternalSends } from "@/lib/invitations/record-external-sends";
import { DELEGATED_EVENT } from "@/lib/invitations/values";
import { now } from "@/lib/platform/clock";
import { isHolderDead, leaseHolder } from "@/lib/platform/db/lease-holder";
import {
  type Db,
  isDatabaseUnavailable,
  isLockTimeout,
  isSerializationFailure,
  pool,
  transaction,
} from "@/lib/platform/db/pool";
import { LEASE_MS, withLease } from "@/lib/platform/db/with-lease";
import { AppError } from "@/lib/platform/errors";
import type { GuardedRequest } from "@/lib/platform/http/guarded-fetch";
import { log } from "@/lib/platform/log";
import { encodeNotices } from "@/lib/platform/notices";
import { mailDisabled } from "./mail-disabled";

/** Events that are sent side by side; of one subject there is only ever one. */
const CONCURRENCY = 8;
/** A step of a job is over in about so long. */
const STEP_MS = 20_000;
/** Where the client's mails are just being planned, one looks again after so long. */
const BUSY_RETRY_MS = 60_000;

/** `wait`: seconds until there is more to do, as far as that is known; null: nothing is due. */
export type Delivered = { sent: number; failed: number; withdrawn: number; wait: number | null };

type Claimed = Message & { id: number; attempts: number };

/**
 * Tells a webhook what is due: of each subject the oldest event only, so that nobody hears of a review's end before its
 * beginning. While nothing gets through, one event at a time is tried, less and less often; after a day the webhook is
 * disabled, and its client's admins are told. What a receiver does is no failure of the run. Safe to repeat and to run
 * several times at once; an event may arrive twice, under the same id.
 */
export async function deliverDue(
  clientId: string,
  webhookId: string,
  network?: GuardedRequest["network"],
): Promise<Delivered> {
  const ends = Date.now() + STEP_MS;
  const done = { sent: 0, failed: 0, withdrawn: 0 };
  for (;;) {
    const webhook = await selectWebhook(clientId, webhookId);
    if (!webhook || webhook.paused_at || webhook.disabled_at) return { ...done, wait: null };
    const secondsUntilRetry = webhook.next_try_at ? (webhook.next_try_at.getTime() - now().getTime()) / 1_000 : 0;
    if (secondsUntilRetry > 0) return { ...done, wait: secondsUntilRetry };
    const acquiredAt = performance.now();
    const claimed = await claim(webhook, webhook.failing_since ? 1 : CONCURRENCY);
    if (claimed.length === 0) return { ...done, wait: await nextDue(webhook) };
    const renew = () => renewLeases(clientId, claimed);
    const tried = await withLease({ acquiredAt, ms: LEASE_MS, renew }, (isHeld) =>
      sendAll(webhook, claimed, isHeld, network),
    );
    for (const { outcome } of tried)
      if (outcome.ok || !outcome.later) done[outcome.ok ? "sent" : outcome.withdrawn ? "withdrawn" : "failed"] += 1;
    if (Date.now() > ends) return { ...done, wait: 0 };
  }
}

/**
 * Tells events side by side, each as soon as it is put together: what the next one waits for must not come between the
 * judgement of a mail and its telling. What became of each is noted as soon as it is known; what failed waits for the rest,
 * which says whether the receiver or the event is to blame. What could not be noted (a connection broke) is noted once more in
 * the end; where that fails too it throws, and what was told is told again when its lease is over, under its old id.
 */
async function sendAll(
  webhook: WebhookRow,
  messages: Claimed[],
  isHeld: () => boolean,
  network?: GuardedRequest["network"],
): Promise<SentEvent[]> {
  const settling = createSettler(webhook);
  let before: Promise<unknown> = Promise.resolve();
  const ends = await Promise.allSettled(
    messages.map(async (message): Promise<SentEvent> => {
      // One after the other: they may wait for whoever plans the client's mails, and must not hold all connections meanwhile.
      const ready = before.then(() => prepareMessage(webhook, message));
      before = ready;
      const what = await ready;
      if (!isHeld()) throw new Error("The lease expired before the event was sent: another process may be sending it.");
      const one = { message, ...("ok" in what ? { outcome: what } : await sendMessage(webhook, what, network)) };
      if (!hasFailed(one)) await settling.note(one);
      return one;
    }),
  );
  const tried = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
  const failed = tried.filter(hasFailed);
  const othersDelivered = tried.some(({ outcome }) => outcome.ok);
  const noted: PromiseSettledResult<void>[] = [];
  for (const some of [failed, ...settling.unsaved().map((one) => [one])])
    noted.push(...(await Promise.allSettled([saveOutcomes(webhook, some, othersDelivered)])));
  const broken = [...ends, ...noted].find((end) => end.status === "rejected");
  if (broken) throw broken.reason;
  return tried;
}

/** The receiver was tried, or ought to have been, and did not take it. */
const hasFailed = ({ outcome }: SentEvent): boolean => !outcome.ok && !outcome.withdrawn && !outcome.later;

/**
 * Settles one event after the other, those together that came to their end while others were being settled. `unnoted`: those
 * for which it failed.
 */
function createSettler(webhook: WebhookRow) {
  let waiting: SentEvent[] = [];
  let last: Promise<void> = Promise.resolve();
  const left: SentEvent[] = [];
  const saveWaiting = async () => {
    const ready = waiting;
    waiting = [];
    await saveOutcomes(webhook, ready).catch((error: unknown) => {
      log.warn({ err: error, webhook: webhook.id }, "could not save event deliveries; retrying");
      left.push(...ready);
    });
  };
  return {
    note: (one: SentEvent): Promise<void> => {
      waiting.push(one);
      last = last.then(saveWaiting);
      return last;
    },
    unsaved: (): SentEvent[] => left,
  };
}

/** An event as it is sent. What names a customer is put in now, and is nowhere else; where it no longer holds, nothing is sent. */
async function prepareMessage(webhook: WebhookRow, message: Message): Promise<Message | Outcome> {
  if (message.event !== DELEGATED_EVENT) return message;
  const notDelivered = { ok: false, status: null, gone: false, wait: null } as const;
  const invitation = await describeDelegated(webhook.client_id, String(message.data.invitation_id)).catch(
    (error: unknown) => {
      // Whoever plans the client's mails is at work, or the database is away: the receiver had no part in it.
      if (isBusy(error)) return { later: new Date(now().getTime() + BUSY_RETRY_MS) };
      // What was sent beside it must be noted all the same.
      log.warn({ err: error, webhook: webhook.id }, "could not prepare an event");
      return null;
    },
  );
  if (!invitation) return { ...notDelivered, error: encodeNotices({ reason: "event_not_put_together" }) };
  if ("withdrawn" in invitation)
    return { ...notDelivered, error: encodeNotices({ reason: invitation.withdrawn }), withdrawn: true };
  if ("later" in invitation)
    return { ...notDelivered, error: encodeNotices({ reason: "event_waits" }), later: invitation.later };
  return { ...message, data: invitation.data };
}

const isBusy = (error: unknown): boolean =>
  isDatabaseUnavailable(error) ||
  isSerializationFailure(error) ||
  isLockTimeout(error) ||
  (error instanceof AppError && error.code === "unavailable");

const isOldestOfSubjectSql = `not exists (
  select from webhook_deliveries e where e.client_id = d.client_id and e.webhook_id = d.webhook_id
     and e.subject = d.subject and e.state = 'pending' and e.id < d.id)`;

/**
 * Takes events for a while: until they are settled, what follows them waits. They are chosen once, as an array: a plan may
 * ask `in (…)` again for each row, and be given others each time, beyond any limit.
 */
async function claim(webhook: WebhookRow, most: number): Promise<Claimed[]> {
  const moment = now();
  const { rows } = await pool().query<Claimed>(
    `update webhook_deliveries c set due_at = $5, leased_by = $6, attempts = attempts + 1, tried_at = $3
      where client_id = $1 and id = any(array(
        select d.id from webhook_deliveries d
         where d.client_id = $1 and d.webhook_id = $2 and d.state = 'pending' and d.due_at <= $3 and ${isOldestOfSubjectSql}
         order by d.due_at, d.id limit $4 for update skip locked))
        and c.due_at <= $3
     returning id, message_id, event, data, happened_at, attempts`,
    [webhook.client_id, webhook.id, moment, most, leaseEnd(), leaseHolder()],
  );
  return rows.sort((a, b) => a.id - b.id); // the oldest first has what is left of a day's limit
}

const leaseEnd = (): Date => new Date(now().getTime() + LEASE_MS);

/**
 * Renews what is still ours, by its number of attempts, and has not run out. A row that somebody holds at this moment is left
 * to the next time.
 */
export async function renewLeases(clientId: string, held: Pick<Claimed, "id" | "attempts">[]): Promise<void> {
  await pool().query(
    `update webhook_deliveries set due_at = $3 where client_id = $1 and id in (
       select d.id from webhook_deliveries d
         join jsonb_to_recordset($2::jsonb) as o(id bigint, attempts int) using (id, attempts)
        where d.client_id = $1 and d.state = 'pending' and d.leased_by is not null and d.due_at > $4 for update of d skip locked)`,
    [clientId, JSON.stringify(held.map(({ id, attempts }) => ({ id, attempts }))), leaseEnd(), now()],
  );
}

/** Makes due at once what these processes were sending, if they are dead. */
export async function reclaimEvents(holders: number[]): Promise<void> {
  await pool().query(
    `update webhook_deliveries set due_at = $1, leased_by = null where (client_id, id) in (
       select client_id, id from webhook_deliveries
        where state = 'pending' and leased_by = any($2) and ${isHolderDead("leased_by")} for update skip locked)`,
    [now(), holders],
  );
}

async function nextDue(webhook: WebhookRow): Promise<number | null> {
  const { rows } = await pool().query<{ due_at: Date | null }>(
    `select min(due_at) as due_at from webhook_deliveries d
      where client_id = $1 and webhook_id = $2 and state = 'pending' and ${isOldestOfSubjectSql}`,
    [webhook.client_id, webhook.id],
  );
  const due = rows[0]?.due_at;
  return due ? Math.max(0, (due.getTime() - now().getTime()) / 1_000) : null;
}

type SentEvent = { message: Claimed; outcome: Outcome; attempt?: Attempt };

/**
 * Notes what became of events, as far as nobody else did. Rows are held in one order by whoever holds several: invitations,
 * then the webhook, then its deliveries, each kind by key. `othersDelivered`: beside these others got through.
 */
async function saveOutcomes(webhook: WebhookRow, some: SentEvent[], othersArrived = false): Promise<void> {
  if (some.length === 0) return;
  const tried = some.toSorted((one, other) => one.message.id - other.message.id);
  const moment = now();
  const after = (seconds: number) => new Date(moment.getTime() + seconds * 1_000);
  await transaction(async (db) => {
    const anySent = tried.some(({ outcome }) => outcome.ok);
    // While others get through, what one event is refused for is its own fault, and it stops being tried after a day.
    const hasFailedForGood = (one: SentEvent) =>
      hasFailed(one) &&
      othersArrived &&
      hasFailedTooLong(one.message.happened_at, moment) &&
      one.message.attempts >= MIN_ATTEMPTS;
    await recordExternalInvitations(db, webhook.client_id, tried, hasFailedForGood);
    const row = await lockWebhook(webhook.client_id, webhook.id, db);
    for (const one of tried) {
      const { message, outcome } = one;
      const { ok, status } = outcome;
      const wait = outcome.ok ? 0 : (outcome.wait ?? withJitter(retryAfter(message.attempts)));
      const later = outcome.ok ? undefined : outcome.later;
      const state = ok ? "sent" : outcome.withdrawn ? "withdrawn" : hasFailedForGood(one) ? "failed" : "pending";
      await db.query(
        // Reckoned from what was read: a connection may break after this is committed, and it is then done once more.
        `update webhook_deliveries set state = $3, status = $4, error = $5, due_at = $6, leased_by = null,
                attempt_log = ${appendAttemptSql("$9")},
                attempts = case when attempts = $8 then $8 - $7 else attempts end
          where client_id = $1 and id = $2 and state = 'pending'`,
        [
          ...[webhook.client_id, message.id, state, status],
          ...[outcome.ok ? null : outcome.error, later ?? after(wait), later ? 1 : 0, message.attempts],
          one.attempt ? JSON.stringify(one.attempt) : null,
        ],
      );
    }
    if (anySent) {
      await db.query(
        `update webhooks set failing_since = null, failures = 0, next_try_at = null, last_error = null, last_sent_at = $3
          where client_id = $1 and id = $2`,
        [row.client_id, row.id, moment],
      );
    }
    const failed = tried.flatMap(({ outcome }) => (outcome.ok || outcome.withdrawn || outcome.later ? [] : [outcome]));
    const gone = failed.find((outcome) => outcome.gone);
    const worst = gone ?? failed[0];
    if (!worst || (othersArrived && !gone)) return;
    const since = row.failing_since ?? moment;
    const reason = gone ? "gone" : hasFailedTooLong(since, moment) ? "failing" : null;
    const failures = row.failures + 1;
    await db.query(
      `update webhooks set failing_since = $3, failures = $4, next_try_at = $5, last_error = $6,
              disabled_at = $7, disabled_reason = $8
        where client_id = $1 and id = $2`,
      [
        ...[row.client_id, row.id, since, failures, after(worst.wait ?? withJitter(failureRest(failures)))],
        ...[worst.error, reason && moment, reason],
      ],
    );
    if (reason) await mailDisabled(db, row, { reason, since, moment, error: worst.error });
  });
}

/** Has the invitations that were handed over know whether the merchant's own sender took them, or is told of them no more. */
async function recordExternalInvitations(
  db: Db,
  clientId: string,
  tried: SentEvent[],
  isGivenUp: (one: SentEvent) => boolean,
): Promise<void> {
  const invitations = tried.filter(({ message }) => message.event === DELEGATED_EVENT);
  const idOf = ({ message }: SentEvent) => String(message.data.invitation_id);
  const accepted = invitations.filter(({ outcome }) => outcome.ok).map(idOf);
  const notSent = invitations.filter(({ outcome }) => !outcome.ok && outcome.notSent).map(idOf);
  await recordExternalSends(db, clientId, {
    accepted,
    failed: invitations.filter(isGivenUp).map(idOf),
    notSent,
  });
}
