import { now } from "@/lib/clock";
import type { Db } from "@/lib/db/pool";
import { markNotTaken, markTaken } from "./handed-sql";

/** What the merchant's own sender did with handed invitations, by their ids, in the caller's transaction. */
export async function noteTaken(
  db: Db,
  clientId: string,
  { taken, givenUp }: { taken: string[]; givenUp: string[] },
): Promise<void> {
  if (taken.length > 0) await markTaken(db, clientId, taken, now());
  if (givenUp.length > 0) await markNotTaken(db, clientId, givenUp, now());
}
