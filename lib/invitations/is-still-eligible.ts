import type { Day } from "@/lib/invitations/days";
import type { InvitationItemRow } from "@/lib/invitations/sent-invitation";

/**
 * Whether an invitation's item may still be asked about, or represent the store: not cancelled, paused or reviewed
 * since.
 */
export const isStillEligible = (
  item: InvitationItemRow,
  kind: "invitation" | "reminder" | "seller",
  reviewed: ReadonlySet<number>,
  today: Day,
): boolean =>
  (kind === "seller" ? !item.cancelled : item.reviewable && !item.product_deleted && !reviewed.has(item.position)) &&
  !item.held &&
  (item.held_until === null || item.held_until <= today);
