import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import type { Day } from "@/lib/invitations/days";
import { type NotInvitedReason, rulesOf } from "@/lib/invitations/rules";
import { pool } from "@/lib/platform/db/pool";
import { selectSentItems, selectUsedDays } from "./days-sql";
import { selectSkipped } from "./rules-sql";

/** What became of delivered items on a day. */
export type DayCounts = {
  /** Items that emails sent that day asked about, or represented. */
  sent: number;
  /** Items that could be asked about that day for the last time, and weren't, by reason. */
  skipped: Partial<Record<NotInvitedReason, number>>;
};

/** Counts the items of a day in the client's time zone, with its present settings. Counts each item on one day at most. */
export async function countDay(client: ClientRow, day: Day): Promise<DayCounts> {
  const [sent, skipped] = await Promise.all([
    selectSentItems(pool(), client.id, timeZoneOf(client), day),
    countSkipped(client, day),
  ]);
  return { sent, skipped };
}

/** Only the `skipped` of {@link countDay}. */
export async function countSkipped(client: ClientRow, day: Day): Promise<DayCounts["skipped"]> {
  const skipped = await selectSkipped(pool(), client.id, rulesOf(client), day);
  return Object.fromEntries(skipped.map(({ reason, count }) => [reason, count]));
}

/** The days from `first` to `last` on which an email was sent, or an item could be asked about for the last time. */
export const listUsedDays = (client: ClientRow, first: Day, last: Day): Promise<Day[]> =>
  selectUsedDays(pool(), client.id, timeZoneOf(client), rulesOf(client), { first, last });
