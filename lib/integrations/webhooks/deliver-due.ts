import { notify } from "@/lib/accounts/notifications/notify";
import {
  eventRetryDelay,
  hasFailedTooLong,
  webhookRetryDelay,
  withJitter,
} from "@/lib/integrations/webhooks/retry-delays";
import { appendAttemptSql, lockWebhook, selectWebhook, type WebhookRow } from "@/lib/integrations/webhooks/rows";
import {
  type DeliveryAttempt,
  type Outcome,
  sendMessage,
  type WebhookMessage,
} from "@/lib/integrations/webhooks/send-message";
import { MIN_ATTEMPTS } from "@/lib/integrations/webhooks/values";
import { describeDelegated } from "@/lib/invitations/describe-delegated";
import { recordDelegatedSends } from "@/lib/invitations/record-delegated-sends";
import { DELEGATED_EVENT } from "@/lib/invitations/values";
import { now } from "@/lib/platform/clock";
import { isHolderDeadSql, leaseHolder } from "@/lib/platform/db/lease-holder";
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

/** Events sent concurrently; of one subject, only one at a time. */
const CONCURRENCY = 8;
/** Approximate duration of a job step. */
const STEP_MS = 20_000;
/** Wait if the client's invitations are locked. */
const BUSY_RETRY_MS = 60_000;

/** `wait`: seconds until the next delivery may be due; null if none is pending. */
export type DueEventsResult = { sent: number; failed: number; withdrawn: number; nextInSeconds: number | null };

type ClaimedEvent = WebhookMessage & { id: number; attempts: number };

/**
 * Sends due events to a webhook, of each subject only the oldest, so that events of a review arrive in order. While all
 * fail, one event at a time is tried, less and less often; after a day, the webhook is disabled and the client's admins
 * are emailed. The receiver's failures aren't failures of the run. May run concurrently; an event may arrive twice,
 * with the same id.
 */
export async function deliverDueEvents(
  clientId: string,
  webhookId: string,
  network?: GuardedRequest["network"],
): Promise<DueEventsResult> {
  const ends = Date.now() + STEP_MS;
  const done = { sent: 0, failed: 0, withdrawn: 0 };
  for (;;) {
    const webhook = await selectWebhook(clientId, webhookId);
    if (!webhook || webhook.paused_at || webhook.disabled_at) return { ...done, nextInSeconds: null };
    const secondsUntilRetry = webhook.next_try_at ? (webhook.next_try_at.getTime() - now().getTime()) / 1_000 : 0;
    if (secondsUntilRetry > 0) return { ...done, nextInSeconds: secondsUntilRetry };
    const acquiredAt = performance.now();
    const claimed = await claim(webhook, webhook.failing_since ? 1 : CONCURRENCY);
    if (claimed.length === 0) return { ...done, nextInSeconds: await nextDue(webhook) };
    const renew = () => renewLeases(clientId, claimed);
    const tried = await withLease({ acquiredAt, ms: LEASE_MS, renew }, (isHeld) =>
      sendAll(webhook, claimed, isHeld, network),
    );
    for (const { outcome } of tried)
      if (outcome.ok || !outcome.later) done[outcome.ok ? "sent" : outcome.withdrawn ? "withdrawn" : "failed"] += 1;
    if (Date.now() > ends) return { ...done, nextInSeconds: 0 };
  }
}

/**
 * Sends events concurrently, each as soon as it's prepared, so that no wait comes between checking an invitation and
 * sending it. Saves successes immediately; failures wait for the rest, which shows whether the receiver or the event is
 * the cause. Retries failed saves at the end. If that fails too, throws: the events are sent again with their ids after
 * the lease.
 */
async function sendAll(
  webhook: WebhookRow,
  messages: ClaimedEvent[],
  isHeld: () => boolean,
  network?: GuardedRequest["network"],
): Promise<SentEvent[]> {
  const settler = createSettler(webhook);
  let before: Promise<unknown> = Promise.resolve();
  const ends = await Promise.allSettled(
    messages.map(async (message): Promise<SentEvent> => {
      // Serially: preparing may wait for a run of the invitations, and must not occupy all connections meanwhile.
      const ready = before.then(() => prepareMessage(webhook, message));
      before = ready;
      const prepared = await ready;
      if (!isHeld()) throw new Error("The lease expired before the event was sent: another process may be sending it.");
      const one = {
        message,
        ...("ok" in prepared ? { outcome: prepared } : await sendMessage(webhook, prepared, network)),
      };
      if (!hasFailed(one)) await settler.add(one);
      return one;
    }),
  );
  const tried = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
  const failed = tried.filter(hasFailed);
  const othersDelivered = tried.some(({ outcome }) => outcome.ok);
  const saveResults: PromiseSettledResult<void>[] = [];
  for (const some of [failed, ...settler.unsaved().map((one) => [one])])
    saveResults.push(...(await Promise.allSettled([saveOutcomes(webhook, some, othersDelivered)])));
  const broken = [...ends, ...saveResults].find((end) => end.status === "rejected");
  if (broken) throw broken.reason;
  return tried;
}

/** The receiver didn't accept the event, or couldn't be called. */
const hasFailed = ({ outcome }: SentEvent): boolean => !outcome.ok && !outcome.withdrawn && !outcome.later;

/** Saves outcomes serially, batching those that arrive during a save. `unsaved`: outcomes that couldn't be saved. */
function createSettler(webhook: WebhookRow) {
  let queued: SentEvent[] = [];
  let last: Promise<void> = Promise.resolve();
  const unsavedEvents: SentEvent[] = [];
  const saveWaiting = async () => {
    const ready = queued;
    queued = [];
    await saveOutcomes(webhook, ready).catch((error: unknown) => {
      log.warn({ err: error, webhook: webhook.id }, "could not save event deliveries; retrying");
      unsavedEvents.push(...ready);
    });
  };
  return {
    add: (one: SentEvent): Promise<void> => {
      queued.push(one);
      last = last.then(saveWaiting);
      return last;
    },
    unsaved: (): SentEvent[] => unsavedEvents,
  };
}

/**
 * Prepares an event for sending. Personal data is only added now and stored nowhere; an invitation that no longer
 * applies isn't sent.
 */
async function prepareMessage(webhook: WebhookRow, message: WebhookMessage): Promise<WebhookMessage | Outcome> {
  if (message.event !== DELEGATED_EVENT) return message;
  const notDelivered = { ok: false, status: null, isGone: false, retryAfterSeconds: null } as const;
  const invitation = await describeDelegated(webhook.client_id, String(message.data.invitation_id)).catch(
    (error: unknown) => {
      // The client's invitations are locked, or the database is unavailable: the receiver isn't the cause.
      if (isBusy(error)) return { later: new Date(now().getTime() + BUSY_RETRY_MS) };
      // Outcomes of events sent concurrently must still be saved.
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
 * Claims events; until they are settled, later ones of their subjects wait. Rows are selected once as an array: a plan
 * could evaluate `in (…)` again for each row and get other rows each time, beyond any limit.
 */
async function claim(webhook: WebhookRow, limit: number): Promise<ClaimedEvent[]> {
  const moment = now();
  const { rows } = await pool().query<ClaimedEvent>(
    `update webhook_deliveries c set due_at = $5, leased_by = $6, attempts = attempts + 1, tried_at = $3
      where client_id = $1 and id = any(array(
        select d.id from webhook_deliveries d
         where d.client_id = $1 and d.webhook_id = $2 and d.state = 'pending' and d.due_at <= $3 and ${isOldestOfSubjectSql}
         order by d.due_at, d.id limit $4 for update skip locked))
        and c.due_at <= $3
     returning id, message_id, event, data, happened_at, attempts`,
    [webhook.client_id, webhook.id, moment, limit, leaseEnd(), leaseHolder()],
  );
  return rows.sort((a, b) => a.id - b.id); // the oldest gets what is left of a daily limit
}

const leaseEnd = (): Date => new Date(now().getTime() + LEASE_MS);

/** Renews own leases, identified by their attempts, that haven't expired. Locked rows are left to the next renewal. */
export async function renewLeases(clientId: string, held: Pick<ClaimedEvent, "id" | "attempts">[]): Promise<void> {
  await pool().query(
    `update webhook_deliveries set due_at = $3 where client_id = $1 and id in (
       select d.id from webhook_deliveries d
         join jsonb_to_recordset($2::jsonb) as o(id bigint, attempts int) using (id, attempts)
        where d.client_id = $1 and d.state = 'pending' and d.leased_by is not null and d.due_at > $4 for update of d skip locked)`,
    [clientId, JSON.stringify(held.map(({ id, attempts }) => ({ id, attempts }))), leaseEnd(), now()],
  );
}

/** Makes events of these workers due now if the workers are dead. */
export async function reclaimEvents(holders: number[]): Promise<void> {
  await pool().query(
    `update webhook_deliveries set due_at = $1, leased_by = null where (client_id, id) in (
       select client_id, id from webhook_deliveries
        where state = 'pending' and leased_by = any($2) and ${isHolderDeadSql("leased_by")} for update skip locked)`,
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

type SentEvent = { message: ClaimedEvent; outcome: Outcome; attempt?: DeliveryAttempt };

/**
 * Saves outcomes of events that are still pending. Lock order, as in all transactions with several of them:
 * invitations, then the webhook, then its deliveries, each by key. `othersArrived`: other events were delivered
 * meanwhile.
 */
async function saveOutcomes(webhook: WebhookRow, some: SentEvent[], othersArrived = false): Promise<void> {
  if (some.length === 0) return;
  const tried = some.toSorted((one, other) => one.message.id - other.message.id);
  const moment = now();
  const after = (seconds: number) => new Date(moment.getTime() + seconds * 1_000);
  await transaction(async (db) => {
    const anySent = tried.some(({ outcome }) => outcome.ok);
    // If others are delivered, a rejection is specific to the event, which is given up after a day.
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
      const delaySeconds = outcome.ok
        ? 0
        : (outcome.retryAfterSeconds ?? withJitter(eventRetryDelay(message.attempts)));
      const later = outcome.ok ? undefined : outcome.later;
      const state = ok ? "sent" : outcome.withdrawn ? "withdrawn" : hasFailedForGood(one) ? "failed" : "pending";
      await db.query(
        // Computed from the claimed values, since it's repeated if the connection breaks after the commit.
        `update webhook_deliveries set state = $3, status = $4, error = $5, due_at = $6, leased_by = null,
                attempt_log = ${appendAttemptSql("$9")},
                attempts = case when attempts = $8 then $8 - $7 else attempts end
          where client_id = $1 and id = $2 and state = 'pending'`,
        [
          ...[webhook.client_id, message.id, state, status],
          ...[outcome.ok ? null : outcome.error, later ?? after(delaySeconds), later ? 1 : 0, message.attempts],
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
    const goneOutcome = failed.find((outcome) => outcome.isGone);
    const worst = goneOutcome ?? failed[0];
    if (!worst || (othersArrived && !goneOutcome)) return;
    const since = row.failing_since ?? moment;
    const reason = goneOutcome ? "gone" : hasFailedTooLong(since, moment) ? "failing" : null;
    const failures = row.failures + 1;
    await db.query(
      `update webhooks set failing_since = $3, failures = $4, next_try_at = $5, last_error = $6,
              disabled_at = $7, disabled_reason = $8
        where client_id = $1 and id = $2`,
      [
        ...[
          row.client_id,
          row.id,
          since,
          failures,
          after(worst.retryAfterSeconds ?? withJitter(webhookRetryDelay(failures))),
        ],
        ...[worst.error, reason && moment, reason],
      ],
    );
    if (!reason) return;
    await mailDisabled(db, row, { reason, since, moment, error: worst.error });
    await notify(db, {
      clientId: row.client_id,
      to: { role: "admin" },
      kind: "webhook_disabled",
      params: { url: row.url },
      path: `/portal/integrations/webhooks/${encodeURIComponent(row.id)}`,
      dedupeKey: `webhook_disabled:${row.id}`,
    });
  });
}

/** Records whether the external sender accepted invitations, and which ones are given up. */
async function recordExternalInvitations(
  db: Db,
  clientId: string,
  tried: SentEvent[],
  hasFailedForGood: (one: SentEvent) => boolean,
): Promise<void> {
  const invitations = tried.filter(({ message }) => message.event === DELEGATED_EVENT);
  const idOf = ({ message }: SentEvent) => String(message.data.invitation_id);
  const accepted = invitations.filter(({ outcome }) => outcome.ok).map(idOf);
  const notSent = invitations.filter(({ outcome }) => !outcome.ok && outcome.notSent).map(idOf);
  await recordDelegatedSends(db, clientId, {
    accepted,
    failed: invitations.filter(hasFailedForGood).map(idOf),
    notSent,
  });
}
