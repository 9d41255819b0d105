import type { Db } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { setFate, type Told } from "./sql";

/**
 * Notes on the invitation whose mail it is what became of it, the first time that it is told. A mail that bounced was not
 * delivered, whatever was said before; one that was opened or clicked was.
 */
export async function recordDelivery(
  db: Db,
  clientId: string,
  which: Told,
  became: "delivered" | "bounced" | "complained" | "opened" | "clicked",
  at: Date,
): Promise<void> {
  if (became === "complained") return; // a complaint is about the sender, not about this mail's way
  const invitation = await setFate(db, clientId, which, became, at);
  if (invitation && became === "bounced")
    await enqueue(db, [{ name: "invitation/bounced", data: { client_id: clientId, invitation_id: invitation } }]);
}
