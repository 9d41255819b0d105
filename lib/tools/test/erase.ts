import pg from "pg";
import { systemActor } from "@/lib/accounts/actor";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { erasePersonalData } from "@/lib/privacy/erase-personal-data";
import type { Person } from "@/lib/privacy/person";
import { waitUntil } from "@/lib/tools/test/engines";
import { countBlockedQueries } from "@/lib/tools/test/factories";

/** Erases a person and waits until the erasure is complete. */
export async function eraseCompletely(clientId: string, person: Person): Promise<void> {
  for (let call = 0; call < 50; call += 1)
    if ((await erasePersonalData(systemActor, { id: clientId }, person)) === "deleted") return;
  throw new Error("The erasure didn't finish.");
}

const LOCK = 4_711;

/**
 * Runs `work` until it would insert such a row, then `duringPause` until it ends or waits for `work`, then both to the
 * end.
 */
export async function pauseAtInsert(
  [table, when]: [table: string, when: string],
  work: () => Promise<unknown>,
  duringPause: () => Promise<unknown>,
): Promise<void> {
  const holder = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await holder.connect();
  try {
    await holder.query("select pg_advisory_lock($1)", [LOCK]);
    await holder.query(`
      create function stop_here() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock_shared(${LOCK}); return new; end $$;
      create trigger stop_here before insert on ${table} for each row when (${when}) execute function stop_here()`);
    // If the pause exceeds the timeout, the write is rolled back like any other and retried below.
    const first = work().catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === "unavailable")) throw error;
    });
    await waitUntil(async () => (await countBlockedQueries()) === 1);
    let isOver = false;
    const second = duringPause().finally(() => {
      isOver = true;
    });
    await waitUntil(async () => isOver || (await countBlockedQueries()) === 2);
    await holder.query("select pg_advisory_unlock($1)", [LOCK]);
    await Promise.all([first, second]);
  } finally {
    await holder.end();
    await pool().query("drop function if exists stop_here cascade");
  }
}
