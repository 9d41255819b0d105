import type { Db } from "@/lib/platform/db/pool";
import { tryLockClient } from "./sql";

/**
 * Whether nobody decides who gets a mail of this client until the caller's transaction ends. False at once when somebody
 * is at it: try again in a moment. With it, somebody who is being erased is not claimed for an invitation meanwhile.
 */
export const tryLockPlanning = (db: Db, clientId: string): Promise<boolean> => tryLockClient(db, clientId);
