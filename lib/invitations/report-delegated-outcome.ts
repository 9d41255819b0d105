import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { recordDelegatedSends } from "@/lib/invitations/record-delegated-sends";
import { recordMailOutcome } from "@/lib/invitations/record-mail-outcome";
import type { OutcomeInput } from "@/lib/invitations/schema";
import { suppressAddress } from "@/lib/invitations/suppress-address";
import { now } from "@/lib/platform/clock";
import { transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { lockDelegation } from "./delegated-sql";

/**
 * Records an outcome reported by the external sender for a delegated invitation. A permanent bounce or a complaint
 * suppresses the address for the client. The time is clamped to between delegation and now. Idempotent. Throws
 * `not_found` if the invitation wasn't delegated.
 */
export async function reportDelegatedOutcome(
  client: Pick<ClientRow, "id">,
  id: string,
  { outcome, permanent, at }: OutcomeInput,
): Promise<void> {
  await transaction(async (db) => {
    const invitation = await lockDelegation(db, client.id, id);
    if (!invitation) throw new AppError("not_found", { reason: "delegated_invitation_not_found" });
    const mailOutcome = outcome === "failed" ? "bounced" : outcome;
    // A report proves acceptance, even if the response to the event was lost.
    await recordDelegatedSends(db, client.id, { accepted: [id], failed: [] });
    await recordMailOutcome(db, client.id, { id }, mailOutcome, clampDate(at, invitation.handed_at, now()));
    const reason = outcome === "complained" ? "complaint" : outcome === "bounced" && permanent ? "bounce" : null;
    if (reason && invitation.email_hash) await suppressAddress(db, client.id, invitation.email_hash, reason);
  });
}

/** Clamps a time to a range. Defaults to the end. */
function clampDate(at: string | undefined, first: Date, last: Date): Date {
  const reported = at === undefined ? last : new Date(at);
  return reported > last ? last : reported < first ? first : reported;
}
