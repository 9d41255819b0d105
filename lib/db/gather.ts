import { isDatabaseAway, outsideCalls } from "@/lib/db/pool";
import { perProcess } from "@/lib/db/process";
import { AppError } from "@/lib/errors";

/** More than a machine works off in the seconds that a caller waits. */
const MOST_WAITING = 10_000;

type Waiting<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };

type Gathering<Item> = {
  inFlight?: number;
  most?: number;
  /** names of what an item writes that no other one of its batch may write as well; such items go one batch after the other */
  apart?: (item: Item) => string[];
};

/**
 * Gathers what is asked at the same time into one statement: while `inFlight` statements are under way, items wait and
 * then go as one batch of at most `most`; an item alone goes at once. A batch shares what a single statement costs: the
 * round trip, what a plan costs to start, and for writes (group commit) the flush to disk. Two at a time, measured: while
 * one is flushed the other works, and the process reads and answers requests beside them; more make smaller batches. Each
 * promise settles when its batch is done, that is committed, not before; a read sees everything that was committed before
 * it was asked.
 *
 * A batch that fails is repeated item by item, so that a bad one harms only itself; not where the database is away, since
 * nobody then knows what was committed, nor where it ran out of its time, since a hundred items would take a hundred
 * times that. `run` answers one result for each item, in order, and writes all of them or none.
 */
export function gather<Item, Result>(
  name: string,
  run: (items: Item[]) => Promise<Result[]>,
  { inFlight = 2, most = 100, apart }: Gathering<Item> = {},
): (item: Item) => Promise<Result> {
  return perProcess(`gather:${name}`, () => {
    const queue: Waiting<Item, Result>[] = [];
    let flying = 0;
    let called = false;

    const settle = async (batch: Waiting<Item, Result>[]): Promise<void> => {
      try {
        const results = await run(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => {
          resolve(results[index] as Result);
        });
      } catch (error) {
        if (batch.length === 1 || isDatabaseAway(error) || ranOutOfTime(error))
          for (const { reject } of batch) reject(error);
        else for (const one of batch) await settle([one]);
      }
    };
    const depart = () => {
      called = false;
      while (flying < inFlight && queue.length > 0) {
        flying += 1;
        void settle(take(queue, most, apart)).finally(() => {
          flying -= 1;
          if (queue.length > 0) depart();
        });
      }
    };
    return (item) =>
      new Promise<Result>((resolve, reject) => {
        if (queue.length >= MOST_WAITING) {
          // Better a clear no at once than a yes that comes too late, to a caller who has gone.
          reject(
            new AppError("unavailable", "Too much at once. Try again shortly.", { headers: { "Retry-After": "2" } }),
          );
          return;
        }
        queue.push({ item, resolve, reject });
        if (called || flying >= inFlight) return;
        called = true;
        // All requests of this turn of the event loop go together.
        outsideCalls(() => setImmediate(depart));
      });
  });
}

/** What `transaction()` makes of a write that took too long. */
const ranOutOfTime = (error: unknown): boolean => error instanceof AppError && error.code === "unavailable";

/** The next batch out of the queue: the first items, but for those that name what an earlier one of them names. */
function take<Item, Result>(
  queue: Waiting<Item, Result>[],
  most: number,
  apart: Gathering<Item>["apart"],
): Waiting<Item, Result>[] {
  if (!apart) return queue.splice(0, most);
  const named = new Set<string>();
  const batch: Waiting<Item, Result>[] = [];
  const later: Waiting<Item, Result>[] = [];
  for (const waiting of queue.splice(0, most)) {
    const names = apart(waiting.item);
    (names.some((name) => named.has(name)) ? later : batch).push(waiting);
    // Also those of the ones that wait, so that items of one name keep their order.
    for (const name of names) named.add(name);
  }
  queue.unshift(...later);
  return batch;
}
