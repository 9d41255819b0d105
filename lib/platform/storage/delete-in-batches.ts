import { log } from "@/lib/platform/log";

/** Rows per batch. */
export const BATCH_SIZE = 100;
/** Batches per call, which is one step of a job. */
const MAX_BATCHES = 10;
/** Time limit per call, also if the storage is slow or doesn't respond. */
const MAX_DURATION_MS = 30_000;

/**
 * The result of a call: number of deleted items, where the next call continues (null: done), and the first error (null:
 * none).
 */
export type DeletionResult = { removed: number; continueAfter: string | null; error: string | null };

/**
 * Deletes items with files, one at a time: a failure doesn't block the others. Processes at most a thousand items in
 * half a minute; the next call continues after `behind`. `next` returns up to {@link BATCH_SIZE} items after `last`
 * (null: from the start), in a stable order, and none at the end. Items contain only strings, so that `behind` can be
 * stored as JSON.
 */
export async function deleteInBatches<T extends Record<string, string>>(
  next: (last: T | null) => Promise<T[]>,
  remove: (one: T) => Promise<void>,
  continueAfter: string | null,
): Promise<DeletionResult> {
  const end = Date.now() + MAX_DURATION_MS;
  let last = continueAfter === null ? null : (JSON.parse(continueAfter) as T);
  let removed = 0;
  let firstError: string | null = null;
  for (let batchNumber = 0; batchNumber < MAX_BATCHES && Date.now() < end; batchNumber += 1) {
    const batch = await next(last);
    if (batch.length === 0) return { removed, continueAfter: null, error: firstError };
    for (const one of batch) {
      if (Date.now() >= end) break;
      last = one;
      try {
        await remove(one);
        removed += 1;
      } catch (error) {
        // The message is for the run; the log has the cause of the first error.
        if (firstError === null) log.warn({ err: error }, "could not delete files");
        firstError ??= error instanceof Error ? error.message : String(error);
      }
    }
  }
  return { removed, continueAfter: last && JSON.stringify(last), error: firstError };
}
