import type { Db } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { type InvitationKey, setOutcome } from "./sql";

/**
 * Records an email's outcome on its invitation, once. A bounced email wasn't delivered, whatever was reported before;
 * an opened or clicked one was.
 */
export async function recordMailOutcome(
  db: Db,
  clientId: string,
  which: InvitationKey,
  outcome: "delivered" | "bounced" | "complained" | "opened" | "clicked",
  at: Date,
): Promise<void> {
  if (outcome === "complained") return; // a complaint says nothing about this email's delivery
  const invitation = await setOutcome(db, clientId, which, outcome, at);
  if (invitation && outcome === "bounced")
    await enqueue(db, [{ name: "invitation/bounced", data: { client_id: clientId, invitation_id: invitation } }]);
}
