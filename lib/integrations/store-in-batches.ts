import { type ImportOutcome, type OrderToImport, recordOutcomes } from "@/lib/integrations/import-outcomes";
import type { KindName } from "@/lib/integrations/kinds";
import { blockErasures, selectBlockedOrders } from "@/lib/orders/erased-hashes";
import { storeOrders } from "@/lib/orders/store-order";
import { type Db, isSerializationFailure, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { type EncodedNotices, encodeError } from "@/lib/platform/notices";

export type BatchImport<T extends OrderToImport> = {
  clientId: string;
  type: KindName;
  /** when the orders had been read, or an earlier time if unknown */
  read: Date;
  /** latest time at which an order can have been placed, if the other system reports it */
  placedBy?: (candidate: T) => Date;
  /** outcome to record for a stored order, in the same transaction */
  outcomeOf: (candidate: T) => ImportOutcome;
  refuse: (candidate: T, reason: EncodedNotices) => void;
  /** ids of orders of erased people, if more than the order id and customer identify them */
  findErased?: (db: Db, batch: T[]) => Promise<string[]>;
};

/**
 * Stores orders of another system as if they were posted to `/v1/orders`, many per statement. Order ids must be
 * distinct. Passes rejected orders to `refuse` and stores the others; throws transient errors, such as an unavailable
 * database. Skips orders of people erased meanwhile. Returns the stored orders and the number of skipped ones.
 */
export async function storeInBatches<T extends OrderToImport>(
  options: BatchImport<T>,
  candidates: T[],
): Promise<{ stored: T[]; erased: number }> {
  const stored: T[] = [];
  let refused = 0;
  const countingImport: BatchImport<T> = {
    ...options,
    refuse: (candidate, reason) => {
      refused += 1;
      options.refuse(candidate, reason);
    },
  };
  for (const batch of splitByCustomer(candidates)) stored.push(...(await storeBatch(countingImport, batch)));
  return { stored, erased: candidates.length - stored.length - refused };
}

/**
 * Batches without repeated customers, since one statement can't write a customer twice. Keeps the order per customer.
 */
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

/** Attempts per batch if concurrent writes interfere. */
const MAX_ATTEMPTS = 4;

/** Stores a batch, or each order separately if the batch is rejected. */
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

/** Stores orders, customers and outcomes in one transaction, except those of erased people. */
function storeUnlessErased<T extends OrderToImport>(batchImport: BatchImport<T>, batch: T[]): Promise<T[]> {
  const { clientId, type, read, placedBy, outcomeOf, findErased } = batchImport;
  return transaction(async (db) => {
    await blockErasures(db, clientId);
    const orders = batch.map((candidate) => ({ ...candidate.order, placed: placedBy?.(candidate) }));
    const erased = await selectBlockedOrders(db, clientId, orders, read);
    for (const id of (await findErased?.(db, batch)) ?? []) erased.add(id);
    const remaining = batch.filter(({ order }) => !erased.has(order.id));
    if (remaining.length === 0) return remaining;
    await storeOrders(
      db,
      remaining.map(({ order }) => ({ clientId, customer: order.customer, order })),
    );
    await recordOutcomes(db, clientId, type, remaining.map(outcomeOf));
    return remaining;
  });
}

/** The database is unavailable or too busy: retry later. */
const isTransient = (error: unknown): boolean =>
  isSerializationFailure(error) || (error instanceof AppError && error.code === "unavailable");
