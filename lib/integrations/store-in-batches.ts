import { type ImportOutcome, recordOutcomes, type Taken } from "@/lib/integrations/import-outcomes";
import type { KindName } from "@/lib/integrations/kinds";
import { holdErasures, keepAway } from "@/lib/orders/erased";
import { storeOrders } from "@/lib/orders/store-order";
import { type Db, transaction, wasUndone } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { type Kept, keepError } from "@/lib/platform/notices";

export type Posting<T extends Taken> = {
  clientId: string;
  type: KindName;
  /** when the orders had been read, or where that is not known exactly, a moment before */
  read: Date;
  /** the last moment at which one can have been placed, where the other system says so */
  placedBy?: (candidate: T) => Date;
  /** what is noted of one that is stored, in the same transaction */
  fateOf: (candidate: T) => ImportOutcome;
  refuse: (candidate: T, reason: Kept) => void;
  /** Orders of people who were erased, where that shows by more than their orders and names. */
  erasedAmong?: (db: Db, batch: T[]) => Promise<string[]>;
};

/**
 * Stores orders of another system as if each had been posted to `/v1/orders`, many in one statement. Those that are
 * refused are told to `refuse`, with the reason, and the others go in; what passes, such as a database that is away, is
 * thrown. Those whose person is erased meanwhile stay away. Answers those that are stored, and how many stayed away. No two
 * may be the same order.
 */
export async function storeInBatches<T extends Taken>(
  posting: Posting<T>,
  candidates: T[],
): Promise<{ stored: T[]; erased: number }> {
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

/** How often a batch is tried where another write stood in its way. */
const TRIES = 4;

/** Stores a batch, or where the database refuses it, each by itself. */
async function post<T extends Taken>(posting: Posting<T>, batch: T[]): Promise<T[]> {
  for (let tried = 1; ; tried += 1)
    try {
      return await storeUnerased(posting, batch);
    } catch (error) {
      if (wasUndone(error) && tried < TRIES) continue;
      if (isPassing(error)) throw error;
      if (batch.length === 1) {
        const [candidate] = batch as [T];
        if (!(error instanceof AppError)) throw error;
        posting.refuse(candidate, keepError(error));
        return [];
      }
      const stored: T[] = [];
      for (const one of batch) stored.push(...(await post(posting, [one])));
      return stored;
    }
}

/** Orders, their customers and the note of what they said, all together, but for those of erased people. */
function storeUnerased<T extends Taken>(posting: Posting<T>, batch: T[]): Promise<T[]> {
  const { clientId, type, read, placedBy, fateOf, erasedAmong } = posting;
  return transaction(async (db) => {
    await holdErasures(db, clientId);
    const orders = batch.map((candidate) => ({ ...candidate.order, placed: placedBy?.(candidate) }));
    const erased = await keepAway(db, clientId, orders, read);
    for (const id of (await erasedAmong?.(db, batch)) ?? []) erased.add(id);
    const left = batch.filter(({ order }) => !erased.has(order.id));
    if (left.length === 0) return left;
    await storeOrders(
      db,
      left.map(({ order }) => ({ clientId, customer: order.customer, order })),
    );
    await recordOutcomes(db, clientId, type, left.map(fateOf));
    return left;
  });
}

/** The database is away or was too busy: the same again later. */
const isPassing = (error: unknown): boolean =>
  wasUndone(error) || (error instanceof AppError && error.code === "unavailable");
