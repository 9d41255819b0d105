import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { Day } from "@/lib/invitations/days";
import { isStillEligible } from "@/lib/invitations/is-still-eligible";
import { asksSellerOnly, isInWindow, rulesByHand, rulesOf } from "@/lib/invitations/rules";
import { type AskedItemRow, selectAskedItems } from "@/lib/invitations/sent-invitation";
import type { Db } from "@/lib/platform/db/pool";
import { type ClaimedInvitation, keepItems, selectReviewed } from "./sql";

/** What an invitation may still ask for; `others`: it had more. */
export type StillAsked = { items: AskedItemRow[]; others: boolean };

/**
 * The items of an invitation that may still be asked for today, or stand for the shop: not those that were cancelled, held
 * back, put off, reviewed or outlived since it was written.
 */
export async function stillAsked(
  db: Db,
  client: ClientRow,
  invitation: ClaimedInvitation,
  today: Day,
): Promise<StillAsked> {
  const { id, reminder_of, kind, by_hand } = invitation;
  if (kind === "seller" && !asksSellerOnly(client)) return { items: [], others: true };
  const rules = by_hand ? rulesByHand(rulesOf(client)) : rulesOf(client);
  const items = await selectAskedItems(db, client.id, reminder_of ?? id);
  const reviewed = kind === "invitation" ? await selectReviewed(db, client.id, invitation, today) : new Set<number>();
  const left = items.filter(
    (item) => isStillEligible(item, kind, reviewed, today) && isInWindow(item.delivery_date, rules, today),
  );
  return { items: left, others: left.length < items.length };
}

/** Frees what an invitation does not ask for any more: what becomes of it is for the planner to say. */
export async function freeOthers(
  db: Db,
  clientId: string,
  { id, reminder_of }: ClaimedInvitation,
  { items, others }: StillAsked,
): Promise<void> {
  if (!others || reminder_of !== null) return;
  await keepItems(
    db,
    clientId,
    id,
    items.map(({ position }) => position),
  );
}
