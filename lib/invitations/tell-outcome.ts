import type { ClientRow } from "@/lib/clients/get-client";
import { now } from "@/lib/clock";
import { transaction } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import { noteFate } from "@/lib/invitations/note-fate";
import type { OutcomeInput } from "@/lib/invitations/schema";
import { suppressAddress } from "@/lib/invitations/suppress-address";
import { holdHanded } from "./sql";

/**
 * Takes what the merchant's own sender says became of the mail of an invitation that was handed to it. An address that is
 * gone for good, or whose owner complained, gets no more mails of the client. The same again changes nothing. Throws
 * `not_found` for an invitation that was not handed over.
 */
export async function tellOutcome(
  client: Pick<ClientRow, "id">,
  id: string,
  { outcome, permanent, at }: OutcomeInput,
): Promise<void> {
  await transaction(async (db) => {
    const invitation = await holdHanded(db, client.id, id);
    if (!invitation) throw new AppError("not_found", "There is no such invitation that was handed to your own sender.");
    const told = at === undefined ? now() : new Date(at);
    const became = outcome === "failed" ? "bounced" : outcome;
    await noteFate(db, client.id, { id }, became, told > now() ? now() : told);
    const reason = outcome === "complained" ? "complaint" : outcome === "bounced" && permanent ? "bounce" : null;
    if (reason && invitation.email_hash) await suppressAddress(db, client.id, invitation.email_hash, reason);
  });
}
