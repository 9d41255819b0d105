import { isDatabaseUnavailable, isLockTimeout, outsideTransaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { perProcess } from "@/lib/platform/process";

/** Milliseconds to retry the items of a batch one by one after a lock timeout. */
const MAX_ONE_BY_ONE_MS = 3_000;

/** More than a machine completes while a caller waits. */
const MAX_QUEUED = 10_000;

type QueuedItem<Item, Result> = {
  item: Item;
  conflictKeys?: string[];
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/** Milliseconds after which a running batch counts as stuck, so that others no longer wait for it. */
const STUCK_AFTER_MS = 50;

type BatchOptions<Item> = {
  /** normal number of concurrent batches, and the maximum if some are stuck or a full batch is queued */
  inFlight?: number;
  maxInFlight?: number;
  /** items per batch */
  maxItems?: number;
  /** keys of what an item writes; items with the same key run in separate batches, in order */
  conflictKeys?: (item: Item) => string[];
};

/**
 * Runs concurrent calls as one statement: while `inFlight` batches run, items are queued and then run as one batch of
 * at most `maxItems`; a single item runs immediately. A batch shares the round trip, the plan's startup and, for writes
 * (group commit), the flush to disk. One concurrent batch is fastest: this process reads the next requests meanwhile,
 * while two batches of half the size cost a seventh more in total. More start only behind a stuck batch (a locked row)
 * or if more than one full batch is queued. A promise settles only when its batch is committed; a read sees everything
 * committed before the call.
 *
 * A failed batch is retried item by item, so that a bad item fails alone. Not retried: if the database is unavailable,
 * since the commit is unknown, and after a timeout, since a hundred items would take a hundred times as long. After a
 * lock timeout the retries take three seconds at most; the remaining items fail. `run` must return one result per item,
 * in order, and write all items or none.
 */
export function batch<Item, Result>(
  name: string,
  run: (items: Item[]) => Promise<Result[]>,
  { inFlight = 1, maxInFlight = 4, maxItems = 100, conflictKeys }: BatchOptions<Item> = {},
): (item: Item) => Promise<Result> {
  return perProcess(`batch:${name}`, () => {
    const queue: QueuedItem<Item, Result>[] = [];
    let running = 0;
    let stuckCount = 0;
    let isScheduled = false;

    /** Calls `written` when the batch is done, so that the next can start. */
    const settle = async (batch: QueuedItem<Item, Result>[], written = () => {}): Promise<void> => {
      let results: Result[];
      try {
        results = await run(batch.map(({ item }) => item));
      } catch (error) {
        // Every promise settles and the next batch starts in any case: a batch that never ends would block the queue.
        try {
          if (batch.length === 1 || isDatabaseUnavailable(error) || isTimeout(error))
            for (const { reject } of batch) reject(error);
          else await settleOneByOne(batch, error);
        } catch (failure) {
          for (const { reject } of batch) reject(failure);
        } finally {
          written();
        }
        return;
      }
      written();
      // The next batch's statement is sent first, so that the database works on it while these promises resolve.
      process.nextTick(() => {
        batch.forEach(({ resolve }, index) => {
          resolve(results[index] as Result);
        });
      });
    };
    const settleOneByOne = async (batch: QueuedItem<Item, Result>[], error: unknown): Promise<void> => {
      const deadline = performance.now() + (isLockTimeout(error) ? MAX_ONE_BY_ONE_MS : Number.POSITIVE_INFINITY);
      for (const one of batch) {
        if (performance.now() < deadline) await settle([one]);
        else one.reject(error);
      }
    };
    const canStart = () =>
      queue.length > 0 && running < maxInFlight && (running - stuckCount < inFlight || queue.length >= maxItems);
    const startBatches = () => {
      isScheduled = false;
      while (canStart()) {
        running += 1;
        let late = false;
        const stuckTimer = setTimeout(() => {
          late = true;
          stuckCount += 1;
          startBatches();
        }, STUCK_AFTER_MS);
        void settle(takeBatch(queue, maxItems), () => {
          clearTimeout(stuckTimer);
          running -= 1;
          if (late) stuckCount -= 1;
          startBatches();
        });
      }
    };
    return (item) =>
      new Promise<Result>((resolve, reject) => {
        if (queue.length >= MAX_QUEUED) {
          // Fail fast: the caller may be gone before a late success.
          reject(new AppError("unavailable", { reason: "overloaded", headers: { "Retry-After": "2" } }));
          return;
        }
        // If the keys can't be computed, only this item fails.
        queue.push({ item, conflictKeys: conflictKeys?.(item), resolve, reject });
        if (isScheduled || !canStart()) return;
        isScheduled = true;
        // All requests of this turn of the event loop share a batch.
        outsideTransaction(() => setImmediate(startBatches));
      });
  });
}

/** The error of `transaction()` after its time limit. */
const isTimeout = (error: unknown): boolean => error instanceof AppError && error.code === "unavailable";

/** Removes the next batch from the queue: the first items, except those that share a key with an earlier one. */
function takeBatch<Item, Result>(queue: QueuedItem<Item, Result>[], limit: number): QueuedItem<Item, Result>[] {
  if (!queue[0]?.conflictKeys) return queue.splice(0, limit);
  const usedKeys = new Set<string>();
  const batch: QueuedItem<Item, Result>[] = [];
  const later: QueuedItem<Item, Result>[] = [];
  for (const queued of queue.splice(0, limit)) {
    const { conflictKeys = [] } = queued;
    (conflictKeys.some((name) => usedKeys.has(name)) ? later : batch).push(queued);
    // Postponed items count too, so that items with the same key stay in order.
    for (const name of conflictKeys) usedKeys.add(name);
  }
  queue.unshift(...later);
  return batch;
}
