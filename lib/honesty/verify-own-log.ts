import { logSource } from "@/lib/honesty/log-source";
import { Mismatch } from "@/lib/honesty/verifier/mismatch";
import { verify } from "@/lib/honesty/verifier/run";
import { pool } from "@/lib/platform/db/pool";
import { log } from "@/lib/platform/log";
import { selectOrigins, selectOverdueSince } from "./sql";

/** What verifying a log found: the lines of the report, or the first thing that doesn't fit. */
export type VerifiedLog =
  | { client_id: string; report: string[]; problem: null }
  | { client_id: string; problem: string };

/** The stores that have a log: of some, or of all (null). */
export async function listLogs(clientIds: string[] | null): Promise<string[]> {
  const ids = (await selectOrigins(pool())).map(({ client_id }) => client_id);
  return ids.filter((id) => clientIds === null || clientIds.includes(id)).sort();
}

/** Verifies a store's log as the database has it: what others find with the verifier, but earlier. Logs what doesn't fit. */
export async function verifyOwnLog(clientId: string): Promise<VerifiedLog> {
  try {
    const report = await verify(logSource(clientId), { key: [], witness: false });
    return { client_id: clientId, report, problem: null };
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    log.error({ client_id: clientId, problem: error.message }, "a store's log doesn't fit");
    return { client_id: clientId, problem: error.message };
  }
}

/**
 * What is wrong if nothing has been appended for an hour, though something was decided. All logs grow together, so one that
 * can't be appended to holds up all. Null if nothing is.
 */
export async function findOverdueEntries(): Promise<string | null> {
  const since = await selectOverdueSince(pool());
  return (
    since &&
    `What was decided since ${since.toISOString()} isn't in the logs. Look for errors of the loop "log" in the server's output.`
  );
}
