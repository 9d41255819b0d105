import { type ClientRow, timeZoneOf } from "@/lib/clients/get-client";
import { dayIn, now } from "@/lib/clock";
import { pool } from "@/lib/db/pool";
import {
  asksSellerOnly,
  heldReasons,
  type NotAsked,
  nextSendMoment,
  rulesOf,
  sellerWindow,
  sendHoursOf,
} from "@/lib/invitations/rules";
import { selectFailedOrders } from "./explain-sql";
import { type JudgedItem, selectOrdersPlan } from "./plan-sql";

/**
 * By order id, why its customer is not asked about any of its items and will not be as things stand: in short what the
 * orders' own pages say in a sentence for each item ({@link explainOrder}). An order of which an item may still be asked
 * for is not among them, nor is one that was asked for. Of several reasons it is the one that the rules look at first.
 */
export async function outlookOfOrders(client: ClientRow, orderIds: string[]): Promise<Map<string, NotAsked>> {
  if (orderIds.length === 0) return new Map();
  const rules = rulesOf(client);
  const day = dayIn(timeZoneOf(client), nextSendMoment(sendHoursOf(client.config), timeZoneOf(client), now()));
  const [items, failed] = await Promise.all([
    selectOrdersPlan(pool(), client.id, rules, day, orderIds),
    selectFailedOrders(pool(), client.id, orderIds),
  ]);
  const outlook = new Map<string, NotAsked>();
  for (const [order, own] of Map.groupBy(items, ({ order_id }) => order_id)) {
    const reasons = own.map((item) => {
      const { reason, until, closes } = item;
      // For what nobody can review, or has long since, a mail about the shop alone may go.
      const shop = asksSellerOnly(client) && mayHear(item) ? sellerWindow(item, rules) : null;
      const open = reason === null || (shop !== null && day <= shop.closes);
      if (rules.limit === 0 && (open || until !== null)) return "send_limit";
      return !open && (until === null || (closes !== null && until > closes)) ? reason : null;
    });
    if (reasons.includes(null)) continue;
    const why = heldReasons.find((reason) => reasons.includes(reason));
    if (why && why !== "already_invited") outlook.set(order, why);
    else if (failed.includes(order)) outlook.set(order, "failed");
  }
  return outlook;
}

const mayHear = ({ person, opted_out, suppressed }: Omit<JudgedItem, "rated_shop">): boolean =>
  person !== null && !opted_out && !suppressed;
