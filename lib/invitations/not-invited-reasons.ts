import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import type { Day } from "@/lib/invitations/days";
import {
  allowsSellerOnly,
  heldReasons,
  type NotInvitedReason,
  nextSendMoment,
  rulesOf,
  type SendRules,
  sellerAvailableFrom,
  sellerWindow,
  sendHoursOf,
} from "@/lib/invitations/rules";
import { dayIn, now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { selectFailedOrders } from "./order-history-sql";
import { type EvaluatedItem, selectDecisionsOfOrders } from "./rules-sql";

/** The day on which emails are sent next: today, or tomorrow if today's hours are over. */
export const nextRunOf = (client: ClientRow): Day =>
  dayIn(timeZoneOf(client), nextSendMoment(sendHoursOf(client.config), timeZoneOf(client), now()));

/**
 * Returns, by order id, why none of an order's items is or will be invited: the short form of {@link explainOrder}.
 * Omits orders with an item that was or may still be invited. Of several reasons, it returns the one the rules check
 * first.
 */
export async function notInvitedReasons(client: ClientRow, orderIds: string[]): Promise<Map<string, NotInvitedReason>> {
  if (orderIds.length === 0) return new Map();
  const rules = rulesOf(client);
  const day = nextRunOf(client);
  const [items, failed] = await Promise.all([
    selectDecisionsOfOrders(pool(), client.id, rules, day, orderIds),
    selectFailedOrders(pool(), client.id, orderIds),
  ]);
  const reasonByOrder = new Map<string, NotInvitedReason>();
  for (const [order, own] of Map.groupBy(items, ({ order_id }) => order_id)) {
    const allowsSellerInvitation = rules.limit > 0 && allowsSellerOnly(client) && !own.some(({ invited }) => invited);
    const reasons = own.map((item) => {
      const { reason, until, closes } = item;
      if (rules.limit === 0 && (reason === null || until !== null)) return "send_limit";
      if (allowsSellerInvitation && isDueForSellerInvitation(item, rules, day)) return null;
      return reason !== null && (until === null || (closes !== null && until > closes)) ? reason : null;
    });
    if (reasons.includes(null)) continue;
    const why = heldReasons.find((reason) => reasons.includes(reason));
    if (why === "not_reviewable" && own.some(({ cancelled }) => cancelled)) reasonByOrder.set(order, "excluded");
    else if (why && why !== "already_invited") reasonByOrder.set(order, why);
    else if (failed.includes(order)) reasonByOrder.set(order, "failed");
  }
  return reasonByOrder;
}

/**
 * Whether an item that can't be reviewed, or was reviewed too recently, may represent its order in a seller-only
 * invitation. Doesn't check whether the person rated the store recently or has other items to be asked about; in both
 * cases no such email is sent for now, and the order has no reason.
 */
function isDueForSellerInvitation(item: Omit<EvaluatedItem, "rated_shop">, rules: SendRules, day: Day): boolean {
  const window = sellerWindow(item, rules);
  if (window === null || item.person === null || item.opted_out || item.suppressed) return false;
  const free = sellerAvailableFrom({ ...item, invited: item.last_mail, rated_shop: null }, rules);
  return [day, window.opens, free].every((first) => first <= window.closes);
}
