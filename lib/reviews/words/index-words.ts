import { pool } from "@/lib/platform/db/pool";
import { type ModeratedKind, moderatedKinds } from "@/lib/reviews/decisions/schema";
import { type Indexed, insertWords, selectClientsToIndex } from "./sql";

/** Rows per statement: a second at most, and a short wait for an erasure of one of them. */
const BATCH_SIZE = 500;

/** A client's texts of one kind whose words aren't stored: those that changed since then. */
export type ToIndex = { client_id: string; kind: ModeratedKind; from: string };

/**
 * Clients with texts that changed since their words were stored, by kind. With `all`, older texts are compared, too:
 * those that were locked, or committed more than an hour late.
 */
export async function listTextsToIndex(clientIds: string[] | null, { all = false } = {}): Promise<ToIndex[]> {
  const found: ToIndex[] = [];
  for (const kind of moderatedKinds)
    for (const row of await selectClientsToIndex(pool(), kind, clientIds, all)) found.push({ ...row, kind });
  return found;
}

/**
 * Stores the words of a client's texts, up to `batches` statements. Returns where to go on, or null if all are stored.
 * Texts that are locked, because they are being deleted or decided, are left to a later call, as are those whose
 * transaction isn't committed yet.
 */
export async function indexWords(
  { client_id, kind, from }: ToIndex,
  batches = 20,
): Promise<{ indexed: number; next: ToIndex | null }> {
  let [indexed, at]: [number, Indexed] = [0, { text_at: from, id: "" }];
  for (let batch = 0; batch < batches; batch += 1) {
    const { count, last } = await insertWords(pool(), kind, client_id, at, BATCH_SIZE);
    indexed += count;
    if (!last) return { indexed, next: null };
    at = last;
  }
  return { indexed, next: { client_id, kind, from: at.text_at } };
}
