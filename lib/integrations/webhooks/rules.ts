// When a webhook is tried again. Pure, so that it can be judged without a receiver.

/** Seconds between the tries of one event: a day together. */
const retryDelays = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400];

/** A webhook that took nothing for so long is disabled. */
export const DISABLE_AFTER_SECONDS = 24 * 3_600;
/** While nothing gets through, one event in so long is tried. */
const MAX_REST_SECONDS = 600;

/** A number up to a tenth above or below, so that many who fail together do not come back together. */
export const withJitter = (seconds: number, random: () => number = Math.random): number =>
  seconds * (0.9 + 0.2 * random());

/** Seconds until an event is tried again after so many failed tries. */
export const retryAfter = (attempts: number): number => retryDelays[Math.min(attempts, retryDelays.length) - 1] ?? 5;

/** Seconds until a webhook through which nothing gets is tried again, after so many rounds. */
export const failureRest = (failures: number): number =>
  Math.min(5 * 2 ** Math.min(failures - 1, 10), MAX_REST_SECONDS);

/** Whether a webhook that has failed since `since` is given up. */
export const hasFailedTooLong = (since: Date, now: Date): boolean =>
  now.getTime() - since.getTime() >= DISABLE_AFTER_SECONDS * 1_000;

type PendingEvent = { due_at: Date; tried_at: Date | null; leased_by: number | null };
type Receiver = { paused_at: Date | null; disabled_at: Date | null; next_try_at: Date | null };

/**
 * When an event that waits is tried next, as far as is known: not before its webhook is. Null while the webhook is told
 * nothing. One that is being sent just now is due since it was taken: the end of that time is nobody's plan.
 */
export function nextAttemptAt({ due_at, tried_at, leased_by }: PendingEvent, webhook: Receiver): Date | null {
  if (webhook.paused_at || webhook.disabled_at) return null;
  const due = (leased_by !== null && tried_at) || due_at;
  return webhook.next_try_at && webhook.next_try_at > due ? webhook.next_try_at : due;
}
