import { now } from "@/lib/platform/clock";
import type { Db } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { decrementAttempts, lockInvitationRows, markAccepted, markNotAccepted } from "./delegated-sql";

/**
 * What the merchant's own sender did with handed invitations, by their ids, in the caller's transaction. Of the `untold` it
 * cannot have heard this time. Of those that it was not known to have it is told that they were sent. All are held first, in
 * one order: several webhooks may tell of the same ones at once.
 */
export async function recordExternalSends(
  db: Db,
  clientId: string,
  { accepted, failed, notSent = [] }: { accepted: string[]; failed: string[]; notSent?: string[] },
): Promise<void> {
  const all = [...accepted, ...failed, ...notSent];
  if (all.length === 0) return;
  await lockInvitationRows(db, clientId, all);
  const sent = accepted.length > 0 ? await markAccepted(db, clientId, accepted, now()) : [];
  await enqueue(
    db,
    sent.map((id) => ({ name: "invitation/sent", data: { client_id: clientId, invitation_id: id } })),
  );
  if (failed.length > 0) await markNotAccepted(db, clientId, failed, now());
  if (notSent.length > 0) await decrementAttempts(db, clientId, notSent);
}
