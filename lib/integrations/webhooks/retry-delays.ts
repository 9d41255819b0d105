// When a webhook is retried, and when it is disabled. Pure functions, testable without a receiver.

/** Seconds between attempts of one event; about a day in total. */
const retryDelays = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400];

/** A webhook without any success for this long is disabled. */
export const DISABLE_AFTER_SECONDS = 24 * 3_600;
/** Maximum seconds between attempts while all events fail. */
const MAX_REST_SECONDS = 600;

/** Adds ±10% jitter, so that concurrent failures aren't retried at the same time. */
export const withJitter = (seconds: number, random: () => number = Math.random): number =>
  seconds * (0.9 + 0.2 * random());

/** Seconds until the next attempt of an event, by failed attempts. */
export const eventRetryDelay = (attempts: number): number =>
  retryDelays[Math.min(attempts, retryDelays.length) - 1] ?? 5;

/** Seconds until the next attempt of a failing webhook, by failed rounds. */
export const webhookRetryDelay = (failures: number): number =>
  Math.min(5 * 2 ** Math.min(failures - 1, 10), MAX_REST_SECONDS);

/** Whether a webhook that has been failing since `since` is given up. */
export const hasFailedTooLong = (since: Date, now: Date): boolean =>
  now.getTime() - since.getTime() >= DISABLE_AFTER_SECONDS * 1_000;

type PendingEvent = { due_at: Date; tried_at: Date | null; leased_by: number | null };
type Receiver = { paused_at: Date | null; disabled_at: Date | null; next_try_at: Date | null };

/**
 * When a pending event is tried next, as far as known: not before its webhook. Null while the webhook is inactive. An
 * event being sent counts as due since its claim, since the end of its lease isn't a planned attempt.
 */
export function nextAttemptAt({ due_at, tried_at, leased_by }: PendingEvent, webhook: Receiver): Date | null {
  if (webhook.paused_at || webhook.disabled_at) return null;
  const due = (leased_by !== null && tried_at) || due_at;
  return webhook.next_try_at && webhook.next_try_at > due ? webhook.next_try_at : due;
}
