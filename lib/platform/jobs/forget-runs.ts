import type { Db } from "@/lib/platform/db/pool";
import { deleteRuns } from "./sql";

/**
 * Removes the runs of the embedded engine that something of a client's that was erased had started, with what their steps
 * gave and the errors they met, in the caller's transaction. `matches` are parts of events' data, such as `{ order_id }`.
 * A run under way is lost to whoever drives it. Answers how many. Runs on Inngest hold ids only and are kept there.
 */
export const forgetRuns = (db: Db, clientId: string, matches: Record<string, string>[]): Promise<number> =>
  matches.length === 0 ? Promise.resolve(0) : deleteRuns(db, clientId, matches);
