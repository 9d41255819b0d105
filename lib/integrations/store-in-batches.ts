import { type ImportOutcome, type OrderToImport, recordOutcomes } from "@/lib/integrations/import-outcomes";
import type { KindName } from "@/lib/integrations/kinds";
import { blockErasures, selectErasedAmong } from "@/lib/orders/erased";
import { storeOrders } from "@/lib/orders/store-order";
import { type Db, isSerializationFailure, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { type EncodedNotices, encodeError } from "@/lib/platform/notices";

export type BatchImport<T extends OrderToImport> = {
  clientId: string;
  type: KindName;
  /** when the orders had been read, or where that is not known exactly, a moment before */
  read: Date;
  /** the last moment at which one can have been placed, where the other system says so */
  placedBy?: (candidate: T) => Date;
  /** what is noted of one that is stored, in the same transaction */
  outcomeOf: (candidate: T) => ImportOutcome;
  refuse: (candidate: T, reason: EncodedNotices) => void;
  /** Orders of people who were erased, where that shows by more than their orders and names. */
  findErased?: (db: Db, batch: T[]) => Promise<string[]>;
};

/**
 * Stores orders of another system as if each had been posted to `/v1/orders`, many in one statement. Those that are
 * refused are told to `refuse`, with the reason, and the others go in; what passes, such as a database that is away, is
 * thrown. Those whose person is erased meanwhile stay away. Answers those that are stored, and how many stayed away. No two
 * may be the same order.
 */
export async function storeInBatches<T extends OrderToImport>(
  posting: BatchImport<T>,
  candidates: T[],
): Promise<{ stored: T[]; erased: number }> {
  const stored: T[] = [];
  let refused = 0;
  const countingImport: BatchImport<T> = {
    ...posting,
    refuse: (candidate, reason) => {
      refused += 1;
      posting.refuse(candidate, reason);
    },
  };
  for (const batch of splitByCustomer(candidates)) stored.push(...(await storeBatch(countingImport, batch)));
  return { stored, erased: candidates.length - stored.length - refused };
}

/** Batches in which nobody appears twice, since one statement cannot write a customer twice; later orders come later. */
function splitByCustomer<T extends OrderToImport>(candidates: T[]): T[][] {
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
const MAX_ATTEMPTS = 4;

/** Stores a batch, or where the database refuses it, each by itself. */
async function storeBatch<T extends OrderToImport>(batchImport: BatchImport<T>, batch: T[]): Promise<T[]> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await storeUnlessErased(batchImport, batch);
    } catch (error) {
      if (isSerializationFailure(error) && attempt < MAX_ATTEMPTS) continue;
      if (isTransient(error)) throw error;
      if (batch.length === 1) {
        const [candidate] = batch as [T];
        if (!(error instanceof AppError)) throw error;
        batchImport.refuse(candidate, encodeError(error));
        return [];
      }
      const stored: T[] = [];
      for (const one of batch) stored.push(...(await storeBatch(batchImport, [one])));
      return stored;
    }
}

/** Orders, their customers and the note of what they said, all together, but for those of erased people. */
function storeUnlessErased<T extends OrderToImport>(batchImport: BatchImport<T>, batch: T[]): Promise<T[]> {
  const { clientId, type, read, placedBy, outcomeOf, findErased } = batchImport;
  return transaction(async (db) => {
    await blockErasures(db, clientId);
    const orders = batch.map((candidate) => ({ ...candidate.order, placed: placedBy?.(candidate) }));
    const erased = await selectErasedAmong(db, clientId, orders, read);
    for (const id of (await findErased?.(db, batch)) ?? []) erased.add(id);
    const left = batch.filter(({ order }) => !erased.has(order.id));
    if (left.length === 0) return left;
    await storeOrders(
      db,
      left.map(({ order }) => ({ clientId, customer: order.customer, order })),
    );
    await recordOutcomes(db, clientId, type, left.map(outcomeOf));
    return left;
  });
}

/** The database is away or was too busy: the same again later. */
const isTransient = (error: unknown): boolean =>
  isSerializationFailure(error) || (error instanceof AppError && error.code === "unavailable");
