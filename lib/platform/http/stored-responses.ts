import type { Db } from "@/lib/platform/db/pool";
import { createPurge } from "@/lib/platform/db/purge";

/**
 * Deletes stored responses of idempotent requests about a person, in the caller's transaction: those with one of
 * `hashes`, and those whose only hashes are `soleHashes` (an address that others may share). Returns the number
 * deleted. A request repeated with the same key then counts as new.
 */
export async function deleteStoredResponses(db: Db, hashes: string[], soleHashes: string[]): Promise<number> {
  const { rowCount } = await db.query(
    "delete from idempotency_keys where people && $1 or (people && $2 and people <@ ($1 || $2))",
    [hashes, soleHashes],
  );
  return rowCount ?? 0;
}

/** Deletes responses after their retention. */
export const purgeIdempotencyKeys = createPurge("idempotency_keys", {
  key: "scope, key",
  timeColumn: "created_at",
  maxAge: "24 hours",
});
