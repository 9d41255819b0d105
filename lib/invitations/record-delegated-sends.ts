import { now } from "@/lib/platform/clock";
import type { Db } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { decrementAttempts, lockInvitationRows, markAccepted, markNotAccepted } from "./delegated-sql";

/**
 * Records what the external sender did with delegated invitations, by id, in the caller's transaction. `notSent` ones
 * can't have arrived this time. Emits `invitation/sent` for those accepted for the first time. Locks all rows first, in
 * one order, since several webhooks may report the same ones concurrently.
 */
export async function recordDelegatedSends(
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
