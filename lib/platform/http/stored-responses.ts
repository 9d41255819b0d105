import type { Db } from "@/lib/platform/db/pool";
import { purgeOf } from "@/lib/platform/db/purge";

/**
 * Removes the kept answers to repeated requests that tell of a person, in the caller's transaction: those that name one of
 * `hashes`, and those that name nobody but `alone` (an address that others may have, too). Answers how many. A request
 * repeated with the same key after that counts as a new one.
 */
export async function deleteStoredResponses(db: Db, hashes: string[], soleHashes: string[]): Promise<number> {
  const { rowCount } = await db.query(
    "delete from idempotency_keys where people && $1 or (people && $2 and people <@ ($1 || $2))",
    [hashes, soleHashes],
  );
  return rowCount ?? 0;
}

/** Removes answers that are not given again any more. */
export const purgeIdempotencyKeys = purgeOf("idempotency_keys", {
  key: "scope, key",
  timeColumn: "created_at",
  maxAge: "24 hours",
});
