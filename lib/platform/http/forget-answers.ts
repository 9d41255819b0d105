import { type Db, pool } from "@/lib/platform/db/pool";

/**
 * Removes the kept answers to repeated requests that tell of a person, in the caller's transaction: those that name one of
 * `hashes`, and those that name nobody but `alone` (an address that others may have, too). Answers how many. A request
 * repeated with the same key after that counts as a new one.
 */
export async function forgetAnswers(db: Db, hashes: string[], alone: string[]): Promise<number> {
  const { rowCount } = await db.query(
    "delete from idempotency_keys where people && $1 or (people && $2 and people <@ ($1 || $2))",
    [hashes, alone],
  );
  return rowCount ?? 0;
}

/** Removes up to `limit` answers kept for repeated requests that are older than 24 hours. Answers how many. */
export async function purgeIdempotencyKeys(limit = 5_000): Promise<number> {
  const done = await pool().query(
    `delete from idempotency_keys where (scope, key) in (
       select scope, key from idempotency_keys where created_at < now() - interval '24 hours'
       order by created_at limit $1 for update skip locked)`,
    [limit],
  );
  return done.rowCount ?? 0;
}
