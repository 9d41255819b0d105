import { type Db, pool, transaction, wasUndone } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import { selectErased } from "@/lib/integrations/erased-orders";
import type { KindName } from "@/lib/integrations/kinds";
import { dropTaken, type Fate, holdTaken, keepFates, noteTaken, type Taken } from "@/lib/integrations/order-fates";
import { storeOrders } from "@/lib/orders/store-order";

export type Posting<T extends Taken> = {
  clientId: string;
  type: KindName;
  /** what is noted of one that is stored, in the same transaction */
  fateOf: (candidate: T) => Fate;
  refuse: (candidate: T, reason: string) => void;
  /**
   * Holds what an erasure would take first of these people, until the transaction ends, and answers those who were erased,
   * where that shows by more than their orders.
   */
  erasedAmong?: (db: Db, batch: T[]) => Promise<T[]>;
};

/**
 * Stores orders of another system as if each had been posted to `/v1/orders`, many in one statement. Those that are
 * refused are told to `refuse`, with the reason, and the others go in; what passes, such as a database that is away, is
 * thrown. Those whose person is erased meanwhile stay away. Answers those that are stored, and how many stayed away. No two
 * may be the same order.
 */
export async function postApart<T extends Taken>(
  posting: Posting<T>,
  candidates: T[],
): Promise<{ stored: T[]; erased: number }> {
  await noteTaken(pool(), posting.clientId, posting.type, candidates);
  const stored: T[] = [];
  let refused = 0;
  const counting: Posting<T> = {
    ...posting,
    refuse: (candidate, reason) => {
      refused += 1;
      posting.refuse(candidate, reason);
    },
  };
  for (const batch of apart(candidates)) stored.push(...(await post(counting, batch)));
  return { stored, erased: candidates.length - stored.length - refused };
}

/** Batches in which nobody appears twice, since one statement cannot write a customer twice; later orders come later. */
function apart<T extends Taken>(candidates: T[]): T[][] {
  const batches: T[][] = [];
  const last = new Map<string, number>();
  for (const candidate of candidates) {
    const customer = candidate.order.customer.id;
    const at = (last.get(customer) ?? -1) + 1;
    last.set(customer, at);
    batches[at] ??= [];
    batches[at].push(candidate);
  }
  return batches;
}

/** Stores a batch, or where the database refuses it, each by itself. */
async function post<T extends Taken>(posting: Posting<T>, batch: T[]): Promise<T[]> {
  try {
    return await storeUnerased(posting, batch);
  } catch (error) {
    if (isPassing(error)) throw error;
    if (batch.length === 1) {
      const [candidate] = batch as [T];
      if (!(error instanceof AppError)) throw error;
      posting.refuse(candidate, error.message);
      await dropTaken(pool(), posting.clientId, posting.type, [candidate.order.id]);
      return [];
    }
    const stored: T[] = [];
    for (const one of batch) stored.push(...(await post(posting, [one])));
    return stored;
  }
}

/** How often a batch is tried where another write stood in its way. */
const TRIES = 4;

/** Stores those of a batch who are not being erased. */
async function storeUnerased<T extends Taken>(posting: Posting<T>, batch: T[]): Promise<T[]> {
  let left = batch;
  for (let tried = 1; left.length > 0; )
    try {
      await storeBatch(posting, left);
      break;
    } catch (error) {
      if (error instanceof Erased) {
        left = left.filter(({ order }) => !error.orders.has(order.id));
        await dropTaken(pool(), posting.clientId, posting.type, [...error.orders]);
      } else if (!wasUndone(error) || tried++ === TRIES) throw error;
    }
  return left;
}

/** Some were erased while they were in our hands: nothing of the batch is stored. */
class Erased extends Error {
  override name = "Erased";
  constructor(readonly orders: ReadonlySet<string>) {
    super("erased meanwhile");
  }
}

/**
 * Orders, their customers and the note of what they said, all together. An erasure takes what is noted of a person before it
 * looks for their rows: it has done so by now and left a hash of the order, or waits for this transaction and finds them.
 */
function storeBatch<T extends Taken>({ clientId, type, fateOf, erasedAmong }: Posting<T>, batch: T[]): Promise<void> {
  const ids = batch.map(({ order }) => order.id);
  return transaction(async (db) => {
    await holdTaken(db, clientId, type, ids);
    const people = (await erasedAmong?.(db, batch)) ?? [];
    if (people.length > 0) throw new Erased(new Set(people.map(({ order }) => order.id)));
    await storeOrders(
      db,
      batch.map(({ order }) => ({ clientId, customer: order.customer, order })),
    );
    const erased = await selectErased(db, clientId, type, "order", ids);
    if (erased.size > 0) throw new Erased(erased);
    await keepFates(db, clientId, type, batch.map(fateOf));
  });
}

/** The database is away or was too busy: the same again later. */
const isPassing = (error: unknown): boolean =>
  wasUndone(error) || (error instanceof AppError && error.code === "unavailable");
