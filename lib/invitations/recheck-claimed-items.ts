import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { Day } from "@/lib/invitations/days";
import { isStillEligible } from "@/lib/invitations/is-still-eligible";
import { allowsSellerOnly, isInWindow, manualSendRules, rulesOf } from "@/lib/invitations/rules";
import { type InvitationItemRow, selectInvitationItems } from "@/lib/invitations/sent-invitation";
import type { Db } from "@/lib/platform/db/pool";
import { type ClaimedInvitation, deleteItemsExcept, selectReviewedPositions } from "./sql";

/** The items an invitation may still ask about; `others`: it had more. */
export type RecheckedItems = { items: InvitationItemRow[]; others: boolean };

/**
 * The items of an invitation that may still be asked about today, or represent the store: not cancelled, paused,
 * postponed, reviewed or past their window since it was claimed.
 */
export async function recheckItems(
  db: Db,
  client: ClientRow,
  invitation: ClaimedInvitation,
  today: Day,
): Promise<RecheckedItems> {
  const { id, reminder_of, kind, by_hand } = invitation;
  if (kind === "seller" && !allowsSellerOnly(client)) return { items: [], others: true };
  const rules = by_hand ? manualSendRules(rulesOf(client)) : rulesOf(client);
  const items = await selectInvitationItems(db, client.id, reminder_of ?? id);
  const reviewed =
    kind === "invitation" ? await selectReviewedPositions(db, client.id, invitation, today) : new Set<number>();
  const remaining = items.filter(
    (item) => isStillEligible(item, kind, reviewed, today) && isInWindow(item.delivery_date, rules, today),
  );
  return { items: remaining, others: remaining.length < items.length };
}

/** Frees the items an invitation doesn't ask about any more; the next run decides what happens to them. */
export async function releaseDroppedItems(
  db: Db,
  clientId: string,
  { id, reminder_of }: ClaimedInvitation,
  { items, others }: RecheckedItems,
): Promise<void> {
  if (!others || reminder_of !== null) return;
  await deleteItemsExcept(
    db,
    clientId,
    id,
    items.map(({ position }) => position),
  );
}
