import { isDatabaseAway, isLocked, outsideCalls } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { perProcess } from "@/lib/platform/process";

/** Milliseconds for the items of a batch that met a row that somebody holds: one by one, as far as they come. */
const LONGEST_APART = 3_000;

/** More than a machine works off in the seconds that a caller waits. */
const MOST_WAITING = 10_000;

type Waiting<Item, Result> = {
  item: Item;
  names?: string[];
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/** Milliseconds after which a batch under way counts as stuck, so that others no longer wait for it. */
const PATIENCE_MS = 50;

type Gathering<Item> = {
  /** batches under way at once as a rule, and as many as there may be while some of them are stuck or a full one waits */
  inFlight?: number;
  atMost?: number;
  /** items of a batch */
  most?: number;
  /** names of what an item writes that no other one of its batch may write as well; such items go one batch after the other */
  apart?: (item: Item) => string[];
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
  { inFlight = 1, atMost = 4, most = 100, apart }: Gathering<Item> = {},
): (item: Item) => Promise<Result> {
  return perProcess(`gather:${name}`, () => {
    const queue: Waiting<Item, Result>[] = [];
    let flying = 0;
    let stuck = 0;
    let called = false;

    /** `written` is called when the batch is, and the next may set out. */
    const settle = async (batch: Waiting<Item, Result>[], written = () => {}): Promise<void> => {
      let results: Result[];
      try {
        results = await run(batch.map(({ item }) => item));
      } catch (error) {
        // Whatever becomes of it, everybody hears of it, and the next are let past: behind a batch that never ends all wait.
        try {
          if (batch.length === 1 || isDatabaseAway(error) || ranOutOfTime(error))
            for (const { reject } of batch) reject(error);
          else await settleEach(batch, error);
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
    const settleEach = async (batch: Waiting<Item, Result>[], error: unknown): Promise<void> => {
      const ends = performance.now() + (isLocked(error) ? LONGEST_APART : Number.POSITIVE_INFINITY);
      for (const one of batch) {
        if (performance.now() < ends) await settle([one]);
        else one.reject(error);
      }
    };
    const mayDepart = () => queue.length > 0 && flying < atMost && (flying - stuck < inFlight || queue.length >= most);
    const depart = () => {
      called = false;
      while (mayDepart()) {
        flying += 1;
        let late = false;
        const patience = setTimeout(() => {
          late = true;
          stuck += 1;
          depart();
        }, PATIENCE_MS);
        void settle(take(queue, most), () => {
          clearTimeout(patience);
          flying -= 1;
          if (late) stuck -= 1;
          depart();
        });
      }
    };
    return (item) =>
      new Promise<Result>((resolve, reject) => {
        if (queue.length >= MOST_WAITING) {
          // Better a clear no at once than a yes that comes too late, to a caller who has gone.
          reject(new AppError("unavailable", { reason: "overloaded", headers: { "Retry-After": "2" } }));
          return;
        }
        // What cannot be named is refused here, where it harms nobody else.
        queue.push({ item, names: apart?.(item), resolve, reject });
        if (called || !mayDepart()) return;
        called = true;
        // All requests of this turn of the event loop go together.
        outsideCalls(() => setImmediate(depart));
      });
  });
}

/** What `transaction()` makes of a write that took too long. */
const ranOutOfTime = (error: unknown): boolean => error instanceof AppError && error.code === "unavailable";

/** The next batch out of the queue: the first items, but for those that name what an earlier one of them names. */
function take<Item, Result>(queue: Waiting<Item, Result>[], most: number): Waiting<Item, Result>[] {
  if (!queue[0]?.names) return queue.splice(0, most);
  const named = new Set<string>();
  const batch: Waiting<Item, Result>[] = [];
  const later: Waiting<Item, Result>[] = [];
  for (const waiting of queue.splice(0, most)) {
    const { names = [] } = waiting;
    (names.some((name) => named.has(name)) ? later : batch).push(waiting);
    // Also those of the ones that wait, so that items of one name keep their order.
    for (const name of names) named.add(name);
  }
  queue.unshift(...later);
  return batch;
}
