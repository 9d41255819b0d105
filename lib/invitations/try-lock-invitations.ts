import type { Db } from "@/lib/platform/db/pool";
import { lockClient, tryLockClient } from "./sql";

/**
 * Locks a client's invitations until the caller's transaction ends, so that a person being erased isn't claimed for an
 * invitation in the meantime. False if it is locked; retry.
 */
export const tryLockInvitations = (db: Db, clientId: string): Promise<boolean> => tryLockClient(db, clientId);

/** The same, but waits for a run that holds the lock. */
export const lockInvitations = (db: Db, clientId: string): Promise<void> => lockClient(db, clientId);
