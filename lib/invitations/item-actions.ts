import type { Day } from "@/lib/invitations/days";
import { evaluateItem, type HeldReason, type SendRules, sellerWindow } from "@/lib/invitations/rules";
import type { EvaluatedItem } from "@/lib/invitations/rules-sql";
import { type ItemAction, itemActions } from "@/lib/invitations/values";
import type { MailRow } from "./order-history-sql";

export type ActionContext = {
  rules: SendRules;
  today: Day;
  /** an invitation contains it, but can still be stopped */
  isUnsent: boolean;
  /** the store also sends seller-only invitations, in which the item may represent its order */
  sellerOnly: boolean;
};

/**
 * Why pausing, excluding or including an item would have no effect: it will never be invited anyway, as far as known.
 * Null: it fits. What the merchant sends later, such as a delivery date, may still allow an invitation.
 */
export function actionRefusal(
  action: "pause" | "exclude" | "include",
  item: EvaluatedItem,
  { rules, today, isUnsent, sellerOnly }: ActionContext,
): HeldReason | null {
  const free = { ...item, held: false, held_until: null, invited: item.invited && !isUnsent };
  if (action !== "include" && item.cancelled) return "not_reviewable";
  const wanted = action === "include" ? { ...free, reviewable: true, cancelled: false } : free;
  // Ending an exclusion also allows a seller-only invitation again. An item not in the catalog has that one already.
  const mayRepresent = sellerOnly && (action !== "include" || item.cancelled);
  const isReachable = item.person !== null && !item.opted_out && !item.suppressed;
  const window = mayRepresent && isReachable && sellerWindow(wanted, rules);
  if (window && today <= window.closes) return null;
  return finalReason(wanted, rules, today);
}

function finalReason(item: EvaluatedItem, rules: SendRules, today: Day): HeldReason | null {
  const person = item.person === null ? null : { ...item, invited: item.last_mail };
  const { reason, until } = evaluateItem(item, person, rules, today);
  return until === null && !isUpToData(reason) ? reason : null;
}

/** Whether the merchant's next data about the order may end the reason. */
const isUpToData = (reason: HeldReason | null) => reason === "no_delivery_date" || reason === "no_email";

/** The actions that fit an item now. `sendable`: its email can be sent manually. */
export function fittingActions(item: EvaluatedItem, context: ActionContext & { sendable: boolean }): ItemAction[] {
  const isHeld = item.held || (item.held_until !== null && item.held_until > context.today);
  const fits: Record<ItemAction, boolean> = {
    send: context.sendable,
    pause: !isHeld && actionRefusal("pause", item, context) === null,
    resume: isHeld,
    exclude: actionRefusal("exclude", item, context) === null,
    include: !item.reviewable && actionRefusal("include", item, context) === null,
  };
  // Instead of excluding an item that isn't in the catalog, it can be invited for anyway.
  return itemActions.filter((action) => fits[action]);
}

/** Whether an item's invitation hasn't left yet: before sending, its items are checked again. */
export const isUnsentMail = ({ kind, status, sent_at, untold }: MailRow): boolean =>
  kind !== "reminder" && ((status === "claimed" && sent_at === null) || (status === "sent" && untold));
