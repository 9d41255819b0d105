import { CALL_TIMEOUT_MS } from "@/lib/integrations/engagement/client";
import { LEASE_MS } from "@/lib/platform/db/with-lease";

/** Times of the worker, shortened in tests. */
export type Timing = {
  /** milliseconds per request */
  timeout: number;
  /** seconds to pause requests after a 429 without `Retry-After` */
  defaultRetryAfter: number;
  /** milliseconds that a claim lasts, unless renewed */
  lease: number;
  /** milliseconds after the start of a post until its outcome is final */
  settle: number;
  /** minimum milliseconds of repeated rejections before an erasure is given up */
  refusalPeriod: number;
  /** seconds until the next attempt, by the number of attempts */
  backoff: readonly number[];
};

/** The platform recommends retries after 10 s, 30 s, 60 s and 300 s; later ones are rare. */
export const defaultTiming: Timing = {
  timeout: CALL_TIMEOUT_MS,
  defaultRetryAfter: 10,
  lease: LEASE_MS,
  settle: CALL_TIMEOUT_MS + 10_000,
  refusalPeriod: 24 * 60 * 60_000,
  backoff: [10, 30, 60, 300, 300, 300, 1_800, 3_600],
};

/** Seconds until the next attempt, with up to 20% jitter. */
export const retryDelay = ({ backoff }: Timing, attempts: number): number =>
  (backoff[Math.min(attempts, backoff.length) - 1] ?? 10) * (1 + Math.random() / 5);
