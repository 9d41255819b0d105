import type { Db } from "@/lib/platform/db/pool";
import { insertSuppression, selectSuppression } from "./sql";

/** From now on no mail of the client goes to the address (keyed hash), for this reason besides any other. */
export const suppressAddress = (
  db: Db,
  clientId: string,
  emailHash: string,
  reason: "bounce" | "complaint" | "manual",
): Promise<void> => insertSuppression(db, clientId, emailHash, reason);

/** Whether the address (keyed hash) gets no mails of the client, for whatever reason. */
export const isSuppressed = (db: Db, clientId: string, emailHash: string): Promise<boolean> =>
  selectSuppression(db, clientId, emailHash);
