import { outcomeOfEvent } from "@/lib/invitations/mail-events/rules";
import type { ResendEvent } from "@/lib/invitations/mail-events/schema";
import { recordDelivery } from "@/lib/invitations/record-delivery";
import { suppressAddress } from "@/lib/invitations/suppress-address";
import { now } from "@/lib/platform/clock";
import { transaction } from "@/lib/platform/db/pool";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { selectMailOf } from "./sql";

/**
 * Takes what the mail service says of one mail: an address that cannot be reached, or whose owner complained, gets no
 * more mails of that client; the invitation notes what became of its mail. A mail that is not ours, or was erased,
 * changes nothing, and neither does an event that comes again.
 */
export async function recordMailEvent(event: ResendEvent): Promise<void> {
  await transaction(async (db) => {
    const mail = await selectMailOf(db, event.data.tags?.mail ?? null, event.data.email_id);
    const outcome = mail && outcomeOfEvent(event, mail.sent_at);
    if (!mail?.client_id || !outcome) return;
    // What a merchant sends to try a template says nothing of a customer: a slip in the address must not stop mail to it.
    if (outcome.suppress && mail.kind !== "test")
      await suppressAddress(db, mail.client_id, personHash(mail.client_id, "email", mail.to_key), outcome.suppress);
    const reportedAt = new Date(event.created_at);
    const at = reportedAt > now() ? now() : reportedAt;
    await recordDelivery(db, mail.client_id, { mailId: mail.id }, outcome.outcome, at);
  });
}
