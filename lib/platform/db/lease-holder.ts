import { randomInt } from "node:crypto";
import type { ClientBase } from "pg";
import { perProcess } from "@/lib/platform/process";

// Who holds a lease: a process is identified by a number with an advisory lock, held as long as it lives. The lock is
// on the job engine's connection (lib/platform/jobs/session.ts), which every serving process has.

/** First key of the advisory lock. */
const LOCK_CLASS = 0x63_6a_6f_63;

const state = () => perProcess("lease-holder", () => ({ number: null as number | null }));

/** This process's number, to store with a lease. 0 if it runs no engine: such a lease only expires. */
export const leaseHolder = (): number => state().number ?? 0;

/** Locks this process's number on the connection. Reuses the previous number if possible. */
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
 * SQL condition: the holder of a lease is dead, since its lock isn't held. A restart of the database briefly releases
 * all locks, so check twice before taking a lease (integrations/reclaim-leases.ts).
 */
export const isHolderDeadSql = (column: string): string =>
  `(${column} <> 0 and not exists (
     select from pg_locks l where l.locktype = 'advisory' and l.granted and l.classid = ${LOCK_CLASS}::oid
        and l.objid = ${column}::oid and l.objsubid = 2
        and l.database = (select oid from pg_database where datname = current_database())))`;
