import { wasUndone } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import { postOrders } from "@/lib/orders/post-orders";
import type { OrderInput } from "@/lib/orders/schema";

/**
 * Stores orders of another system as if each had been posted to `/v1/orders`, many in one statement. Those that are
 * refused are told to `refuse`, with the reason, and the others go in; what passes, such as a database that is away, is
 * thrown. Answers those that are stored. No two may be the same order.
 */
export async function postApart<T extends { order: OrderInput }>(
  clientId: string,
  candidates: T[],
  refuse: (candidate: T, reason: string) => void,
): Promise<T[]> {
  const stored: T[] = [];
  for (const batch of apart(candidates)) stored.push(...(await post(clientId, batch, refuse)));
  return stored;
}

/** Batches in which nobody appears twice, since one statement cannot write a customer twice; later orders come later. */
function apart<T extends { order: OrderInput }>(candidates: T[]): T[][] {
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
async function post<T extends { order: OrderInput }>(
  clientId: string,
  batch: T[],
  refuse: (candidate: T, reason: string) => void,
): Promise<T[]> {
  try {
    await postOrders(
      { id: clientId },
      batch.map(({ order }) => order),
    );
    return batch;
  } catch (error) {
    if (isPassing(error)) throw error;
    if (batch.length === 1) {
      const [candidate] = batch as [T];
      if (!(error instanceof AppError)) throw error;
      refuse(candidate, error.message);
      return [];
    }
    const stored: T[] = [];
    for (const one of batch) stored.push(...(await post(clientId, [one], refuse)));
    return stored;
  }
}

/** The database is away or was too busy: the same again later. */
const isPassing = (error: unknown): boolean =>
  wasUndone(error) || (error instanceof AppError && error.code === "unavailable");
