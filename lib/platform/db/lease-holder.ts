import { randomInt } from "node:crypto";
import type { ClientBase } from "pg";
import { perProcess } from "@/lib/platform/process";

// Who holds a lease. A process is a number that it has an advisory lock on, for as long as it lives; the connection that has
// the lock is the engine's (lib/platform/jobs/session.ts), which runs in every process that serves.

/** First half of the lock. */
const LOCK_CLASS = 0x63_6a_6f_63;

const state = () => perProcess("lease-holder", () => ({ number: null as number | null }));

/** This process's number, to be written with a lease. 0 where it runs no engine: such a lease only runs out. */
export const leaseHolder = (): number => state().number ?? 0;

/** Locks this process's number on the connection, the same as before where there was one. */
export async function registerLeaseHolder(client: ClientBase): Promise<void> {
  const holder = state();
  for (let number = holder.number ?? randomInt(1, 2 ** 31 - 1); ; number = randomInt(1, 2 ** 31 - 1)) {
    const { rows } = await client.query<{ locked: boolean }>(
      "select pg_try_advisory_lock($1::int, $2::int) as locked",
      [LOCK_CLASS, number],
    );
    if (!rows[0]?.locked) continue;
    holder.number = number;
    return;
  }
}

/**
 * The condition that whoever holds a lease is dead: nobody has the lock. A restart of the database takes all locks for a
 * moment, so it is asked twice before anything is taken (integrations/reclaim-leases.ts).
 */
export const isHolderDead = (column: string): string =>
  `(${column} <> 0 and not exists (
     select from pg_locks l where l.locktype = 'advisory' and l.granted and l.classid = ${LOCK_CLASS}::oid
        and l.objid = ${column}::oid and l.objsubid = 2
        and l.database = (select oid from pg_database where datname = current_database())))`;
