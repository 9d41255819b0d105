import { now } from "@/lib/platform/clock";
import type { Db } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { holdInvitations, markNotTaken, markTaken, markUntold } from "./handed-sql";

/**
 * What the merchant's own sender did with handed invitations, by their ids, in the caller's transaction. Of the `untold` it
 * cannot have heard this time. Of those that it was not known to have it is told that they were sent. All are held first, in
 * one order: several webhooks may tell of the same ones at once.
 */
export async function recordExternalSends(
  db: Db,
  clientId: string,
  { taken, givenUp, untold = [] }: { taken: string[]; givenUp: string[]; untold?: string[] },
): Promise<void> {
  const all = [...taken, ...givenUp, ...untold];
  if (all.length === 0) return;
  await holdInvitations(db, clientId, all);
  const sent = taken.length > 0 ? await markTaken(db, clientId, taken, now()) : [];
  await enqueue(
    db,
    sent.map((id) => ({ name: "invitation/sent", data: { client_id: clientId, invitation_id: id } })),
  );
  if (givenUp.length > 0) await markNotTaken(db, clientId, givenUp, now());
  if (untold.length > 0) await markUntold(db, clientId, untold);
}
