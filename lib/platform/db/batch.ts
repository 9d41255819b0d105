import { isDatabaseUnavailable, isLockTimeout, outsideTransaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { perProcess } from "@/lib/platform/process";

/** Milliseconds for the items of a batch that met a row that somebody holds: one by one, as far as they come. */
const MAX_ONE_BY_ONE_MS = 3_000;

/** More than a machine works off in the seconds that a caller waits. */
const MAX_QUEUED = 10_000;

type QueuedItem<Item, Result> = {
  item: Item;
  conflictKeys?: string[];
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/** Milliseconds after which a batch under way counts as stuck, so that others no longer wait for it. */
const STUCK_AFTER_MS = 50;

type BatchOptions<Item> = {
  /** batches under way at once as a rule, and as many as there may be while some of them are stuck or a full one waits */
  inFlight?: number;
  maxInFlight?: number;
  /** items of a batch */
  maxItems?: number;
  /** names of what an item writes that no other one of its batch may write as well; such items go one batch after the other */
  conflictKeys?: (item: Item) => string[];
};

/**
 * Gathers what is asked at the same time into one statement: while `inFlight` statements are under way, items wait and
 * then go as one batch of at most `most`; an item alone goes at once. A batch shares what a single statement costs: the
 * round trip, what a plan costs to start, and for writes (group commit) the flush to disk. One at a time, measured: while
 * the database works on one batch this process reads the requests of the next, and two at a time make batches of half the
 * size, which cost a seventh more of both. Only behind a batch that is stuck (a row that somebody holds), or where more
 * wait than one batch takes, further ones set out. Each promise settles when its batch is done, that is committed, not
 * before; a read sees everything that was committed before it was asked.
 *
 * A batch that fails is repeated item by item, so that a bad one harms only itself; not where the database is away, since
 * nobody then knows what was committed, nor where it ran out of its time, since a hundred items would take a hundred
 * times that. Where it met a row that somebody holds, that takes three seconds at most, and what is left then is refused.
 * `run` answers one result for each item, in order, and writes all of them or none.
 */
export function batch<Item, Result>(
  name: string,
  run: (items: Item[]) => Promise<Result[]>,
  { inFlight = 1, maxInFlight = 4, maxItems = 100, conflictKeys }: BatchOptions<Item> = {},
): (item: Item) => Promise<Result> {
  return perProcess(`batch:${name}`, () => {
    const queue: QueuedItem<Item, Result>[] = [];
    let running = 0;
    let stuck = 0;
    let isScheduled = false;

    /** `written` is called when the batch is, and the next may set out. */
    const settle = async (batch: QueuedItem<Item, Result>[], written = () => {}): Promise<void> => {
      let results: Result[];
      try {
        results = await run(batch.map(({ item }) => item));
      } catch (error) {
        // Whatever becomes of it, everybody hears of it, and the next are let past: behind a batch that never ends all wait.
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
      // The next batch's statement is sent in the coming tick, and the database works on it while these are answered.
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
      queue.length > 0 && running < maxInFlight && (running - stuck < inFlight || queue.length >= maxItems);
    const startBatches = () => {
      isScheduled = false;
      while (canStart()) {
        running += 1;
        let late = false;
        const stuckTimer = setTimeout(() => {
          late = true;
          stuck += 1;
          startBatches();
        }, STUCK_AFTER_MS);
        void settle(takeBatch(queue, maxItems), () => {
          clearTimeout(stuckTimer);
          running -= 1;
          if (late) stuck -= 1;
          startBatches();
        });
      }
    };
    return (item) =>
      new Promise<Result>((resolve, reject) => {
        if (queue.length >= MAX_QUEUED) {
          // Better a clear no at once than a yes that comes too late, to a caller who has gone.
          reject(new AppError("unavailable", { reason: "overloaded", headers: { "Retry-After": "2" } }));
          return;
        }
        // What cannot be named is refused here, where it harms nobody else.
        queue.push({ item, conflictKeys: conflictKeys?.(item), resolve, reject });
        if (isScheduled || !canStart()) return;
        isScheduled = true;
        // All requests of this turn of the event loop go together.
        outsideTransaction(() => setImmediate(startBatches));
      });
  });
}

/** What `transaction()` makes of a write that took too long. */
const isTimeout = (error: unknown): boolean => error instanceof AppError && error.code === "unavailable";

/** The next batch out of the queue: the first items, but for those that name what an earlier one of them names. */
function takeBatch<Item, Result>(queue: QueuedItem<Item, Result>[], most: number): QueuedItem<Item, Result>[] {
  if (!queue[0]?.conflictKeys) return queue.splice(0, most);
  const named = new Set<string>();
  const batch: QueuedItem<Item, Result>[] = [];
  const later: QueuedItem<Item, Result>[] = [];
  for (const waiting of queue.splice(0, most)) {
    const { conflictKeys = [] } = waiting;
    (conflictKeys.some((name) => named.has(name)) ? later : batch).push(waiting);
    // Also those of the ones that wait, so that items of one name keep their order.
    for (const name of conflictKeys) named.add(name);
  }
  queue.unshift(...later);
  return batch;
}
