import type { Db } from "@/lib/db/pool";
import { insertSuppression } from "./sql";

/** From now on no mail of the client goes to the address (keyed hash), for this reason besides any other. */
export const suppressAddress = (
  db: Db,
  clientId: string,
  emailHash: string,
  reason: "bounce" | "complaint" | "manual",
): Promise<void> => insertSuppression(db, clientId, emailHash, reason);
