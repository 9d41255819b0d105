import { CALL_TIMEOUT_MS } from "@/lib/integrations/engagement/client";
import { LEASE_MS } from "@/lib/platform/db/with-lease";

/** How patient the worker is. Tests are less. */
export type Timing = {
  /** milliseconds for one call */
  timeout: number;
  /** seconds until nobody asks again after "too many", where the platform does not say */
  defaultRetryAfter: number;
  /** milliseconds for which a delivery is whose who took it, unless renewed */
  lease: number;
  /** milliseconds after a post began until it is sure that it has happened or will not */
  settle: number;
  /** milliseconds over which refusals of an erasure are spread at least, before it is given up */
  refusalPeriod: number;
  /** seconds until the next attempt, by how many there were */
  backoff: readonly number[];
};

/** The platform's own advice for attempts: 10 s, 30 s, 60 s, 300 s; what still fails then is asked for rarely. */
export const defaultTiming: Timing = {
  timeout: CALL_TIMEOUT_MS,
  defaultRetryAfter: 10,
  lease: LEASE_MS,
  settle: CALL_TIMEOUT_MS + 10_000,
  refusalPeriod: 24 * 60 * 60_000,
  backoff: [10, 30, 60, 300, 300, 300, 1_800, 3_600],
};

/** Seconds until the next attempt, a fifth more at most, so that not all come at once. */
export const retryDelay = ({ backoff }: Timing, attempts: number): number =>
  (backoff[Math.min(attempts, backoff.length) - 1] ?? 10) * (1 + Math.random() / 5);
