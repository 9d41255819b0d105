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
import { selectFailedOrders } from "./explain-sql";
import { type EvaluatedItem, selectOrdersPlan } from "./plan-sql";

/**
 * By order id, why its customer is not asked about any of its items and will not be as things stand: in short what the
 * orders' own pages say in a sentence for each item ({@link explainOrder}). An order of which an item may still be asked
 * for is not among them, nor is one that was asked for. Of several reasons it is the one that the rules look at first.
 */
export async function notInvitedReasons(client: ClientRow, orderIds: string[]): Promise<Map<string, NotInvitedReason>> {
  if (orderIds.length === 0) return new Map();
  const rules = rulesOf(client);
  const day = dayIn(timeZoneOf(client), nextSendMoment(sendHoursOf(client.config), timeZoneOf(client), now()));
  const [items, failed] = await Promise.all([
    selectOrdersPlan(pool(), client.id, rules, day, orderIds),
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
    if (why && why !== "already_invited") reasonByOrder.set(order, why);
    else if (failed.includes(order)) reasonByOrder.set(order, "failed");
  }
  return reasonByOrder;
}

/**
 * Whether an item that nobody can review, or has too lately, may stand for its order in a mail about the shop alone. What
 * else is known of the person is not looked at: whether they rated the shop of late, and whether something of another order
 * is to be asked of them first. In both cases no such mail goes as things stand, and the order is left without a reason.
 */
function isDueForSellerInvitation(item: Omit<EvaluatedItem, "rated_shop">, rules: SendRules, day: Day): boolean {
  const window = sellerWindow(item, rules);
  if (window === null || item.person === null || item.opted_out || item.suppressed) return false;
  const free = sellerAvailableFrom({ ...item, invited: item.last_mail, rated_shop: null }, rules);
  return [day, window.opens, free].every((first) => first <= window.closes);
}
