import { type ClientRow, timeZoneOf } from "@/lib/clients/get-client";
import { dayIn, now } from "@/lib/clock";
import { pool } from "@/lib/db/pool";
import type { Day } from "@/lib/invitations/days";
import { type HeldReason, nextSendMoment, rulesOf, sendHoursOf } from "@/lib/invitations/rules";
import { selectOrderPlan } from "./sql";

/** What is decided on an item: to be asked for on `day` (no reason), or held, `until` the first day that changes it. */
export type ItemOutlook = { reason: null; day: Day } | { reason: HeldReason; until: Day | null };

/**
 * By item id, whether and when each item of an order will be asked for, by the rules that the next run follows. The
 * day's limit is judged by the mails that are out already, not by those of other customers that are due today too.
 */
export async function explainOrder(client: ClientRow, orderId: string): Promise<Map<string, ItemOutlook>> {
  const zone = timeZoneOf(client);
  const day = dayIn(zone, nextSendMoment(sendHoursOf(client.config), zone, now()));
  const rows = await selectOrderPlan(pool(), client.id, rulesOf(client), day, orderId);
  return new Map(
    rows.map(({ item_id, reason, until }) => [item_id, reason === null ? { reason, day } : { reason, until }]),
  );
}
