import type { Db } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { type InvitationKey, setOutcome } from "./sql";

/**
 * Notes on the invitation whose mail it is what became of it, the first time that it is told. A mail that bounced was not
 * delivered, whatever was said before; one that was opened or clicked was.
 */
export async function recordDelivery(
  db: Db,
  clientId: string,
  which: InvitationKey,
  outcome: "delivered" | "bounced" | "complained" | "opened" | "clicked",
  at: Date,
): Promise<void> {
  if (outcome === "complained") return; // a complaint is about the sender, not about this mail's way
  const invitation = await setOutcome(db, clientId, which, outcome, at);
  if (invitation && outcome === "bounced")
    await enqueue(db, [{ name: "invitation/bounced", data: { client_id: clientId, invitation_id: invitation } }]);
}
