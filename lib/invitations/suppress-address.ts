import type { Db } from "@/lib/platform/db/pool";
import { insertSuppression, selectSuppression, selectUndeliverable } from "./sql";

/** Suppresses email of the client to the address (keyed hash), for this reason in addition to others. */
export const suppressAddress = (
  db: Db,
  clientId: string,
  emailHash: string,
  reason: "bounce" | "complaint" | "manual",
): Promise<void> => insertSuppression(db, clientId, emailHash, reason);

/** Whether the address (keyed hash) gets no email of the client, for any reason. */
export const isSuppressed = (db: Db, clientId: string, emailHash: string): Promise<boolean> =>
  selectSuppression(db, clientId, emailHash);

/** Whether email to the address (keyed hash) bounced, was reported as spam or is blocked: a person's opt-out doesn't count. */
export const isUndeliverable = (db: Db, clientId: string, emailHash: string): Promise<boolean> =>
  selectUndeliverable(db, clientId, emailHash);
