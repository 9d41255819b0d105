import { outcomeOfEvent } from "@/lib/invitations/mail-events/rules";
import type { ResendEvent } from "@/lib/invitations/mail-events/schema";
import { recordMailOutcome } from "@/lib/invitations/record-mail-outcome";
import { suppressAddress } from "@/lib/invitations/suppress-address";
import { now } from "@/lib/platform/clock";
import { transaction } from "@/lib/platform/db/pool";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { selectMailOf } from "./sql";

/**
 * Records an event of one email: suppresses an address that can't be reached or whose owner complained, for that
 * client, and updates the invitation. Ignores unknown or erased emails. Idempotent.
 */
export async function recordMailEvent(event: ResendEvent): Promise<void> {
  await transaction(async (db) => {
    const mail = await selectMailOf(db, event.data.tags?.mail ?? null, event.data.email_id);
    const outcome = mail && outcomeOfEvent(event, mail.sent_at);
    if (!mail?.client_id || !outcome) return;
    // A test email isn't for a customer: a typo in its address must not suppress one.
    if (outcome.suppress && mail.kind !== "test")
      await suppressAddress(db, mail.client_id, personHash(mail.client_id, "email", mail.to_key), outcome.suppress);
    const reportedAt = new Date(event.created_at);
    const at = reportedAt > now() ? now() : reportedAt;
    await recordMailOutcome(db, mail.client_id, { mailId: mail.id }, outcome.outcome, at);
  });
}
