import { log } from "@/lib/platform/log";

/** Rows that one look brings. */
export const BATCH_SIZE = 100;
/** Looks of one pass, which is one step of a job. */
const MAX_BATCHES = 10;
/** Half a minute: a store that answers slowly, or not, makes a pass no longer. */
const MAX_DURATION_MS = 30_000;

/**
 * What a pass came to: how many went, behind which one the next goes on (null: there is no more), and the first fault of
 * those that did not go (null: there was none).
 */
export type Pass = { removed: number; behind: string | null; fault: string | null };

/**
 * Removes what has files, each by itself: what cannot be removed holds up nothing else. One pass looks at a thousand at most,
 * for half a minute at most, and the next one goes on `behind` it. `next` answers {@link BATCH_SIZE} of what comes after
 * `last` (null: from the beginning), in a steady order, and nothing at the end; what it answers is made of texts, so that a
 * pass can be told where to go on.
 */
export async function deleteInBatches<T extends Record<string, string>>(
  next: (last: T | null) => Promise<T[]>,
  remove: (one: T) => Promise<void>,
  behind: string | null,
): Promise<Pass> {
  const end = Date.now() + MAX_DURATION_MS;
  let last = behind === null ? null : (JSON.parse(behind) as T);
  let removed = 0;
  let fault: string | null = null;
  for (let look = 0; look < MAX_BATCHES && Date.now() < end; look += 1) {
    const batch = await next(last);
    if (batch.length === 0) return { removed, behind: null, fault };
    for (const one of batch) {
      if (Date.now() >= end) break;
      last = one;
      try {
        await remove(one);
        removed += 1;
      } catch (error) {
        // Its words are for the run; why the store failed stands in the cause of the first one, here.
        if (fault === null) log.warn({ err: error }, "could not delete files");
        fault ??= error instanceof Error ? error.message : String(error);
      }
    }
  }
  return { removed, behind: last && JSON.stringify(last), fault };
}
