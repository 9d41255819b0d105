import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { recordDelivery } from "@/lib/invitations/record-delivery";
import { recordExternalSends } from "@/lib/invitations/record-external-sends";
import type { OutcomeInput } from "@/lib/invitations/schema";
import { suppressAddress } from "@/lib/invitations/suppress-address";
import { now } from "@/lib/platform/clock";
import { transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { lockDelegation } from "./delegated-sql";

/**
 * Takes what the merchant's own sender says became of the mail of an invitation that was handed to it. An address that is
 * gone for good, or whose owner complained, gets no more mails of the client. A time to come counts as now, one before it was
 * handed over as then. The same again changes nothing. Throws `not_found` for an invitation that was not handed over.
 */
export async function reportOutcome(
  client: Pick<ClientRow, "id">,
  id: string,
  { outcome, permanent, at }: OutcomeInput,
): Promise<void> {
  await transaction(async (db) => {
    const invitation = await lockDelegation(db, client.id, id);
    if (!invitation) throw new AppError("not_found", { reason: "delegated_invitation_not_found" });
    const mailOutcome = outcome === "failed" ? "bounced" : outcome;
    // Who tells of a mail has it, even where the answer to the event was lost.
    await recordExternalSends(db, client.id, { accepted: [id], failed: [] });
    await recordDelivery(db, client.id, { id }, mailOutcome, clampDate(at, invitation.handed_at, now()));
    const reason = outcome === "complained" ? "complaint" : outcome === "bounced" && permanent ? "bounce" : null;
    if (reason && invitation.email_hash) await suppressAddress(db, client.id, invitation.email_hash, reason);
  });
}

/** A moment between two others; the later where none is told. */
function clampDate(at: string | undefined, first: Date, last: Date): Date {
  const reported = at === undefined ? last : new Date(at);
  return reported > last ? last : reported < first ? first : reported;
}
