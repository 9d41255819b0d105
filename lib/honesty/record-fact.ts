import type { StoreAction } from "@/lib/honesty/history-row";
import type { Db } from "@/lib/platform/db/pool";
import { insertFacts } from "./sql";

/**
 * Records a fact about a whole store for its log, in the caller's transaction. `facts` are the entry's fields beside
 * `type` and `at`: they become public, so they must not have texts, names or ids.
 */
export const recordFact = (
  db: Db,
  clientId: string,
  action: StoreAction,
  facts: Record<string, unknown>,
): Promise<void> => insertFacts(db, action, [{ client_id: clientId, facts }]);
