import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { addDays, type Day } from "@/lib/invitations/days";
import { rulesOf } from "@/lib/invitations/rules";
import {
  daysOpen,
  markWithheld,
  type RecordedDeliveries,
  saveRecordedDeliveries,
  selectRecordedDeliveries,
} from "@/lib/invitations/withheld-sql";
import { dayIn } from "@/lib/platform/clock";
import { pool, transaction } from "@/lib/platform/db/pool";
import { lockInvitationDays } from "./sql";

/** Days of delivery that are recorded in one transaction. */
const MAX_DAYS = 7;

/** The last delivery whose days to ask about it are over, or the day before the first that counts. */
function lastFinalDelivery(client: ClientRow, { first }: RecordedDeliveries): Day {
  const final = addDays(dayIn(timeZoneOf(client)), -1 - daysOpen(rulesOf(client)));
  const before = addDays(first, -1);
  return final > before ? final : before;
}

/** Whether it isn't recorded yet what the store withheld of final deliveries, or is of some that aren't final any more. */
export async function hasUnrecordedExclusions(client: ClientRow): Promise<boolean> {
  const known = await selectRecordedDeliveries(pool(), client.id);
  return known === undefined || known.last !== lastFinalDelivery(client, known);
}

/**
 * Records which items the store withheld, for each day of delivery in the night after the last day to ask about it. The first
 * time, nothing is recorded: deliveries from then on count. If the store asks for a longer time again, what isn't final any
 * more is recorded again. Any number of processes may do this at once.
 */
export async function recordExclusions(client: ClientRow): Promise<void> {
  while (!(await recordSomeExclusions(client)));
}

/** Returns whether all is recorded. */
const recordSomeExclusions = (client: ClientRow): Promise<boolean> =>
  transaction(async (db) => {
    await lockInvitationDays(db, client.id);
    const known = await selectRecordedDeliveries(db, client.id);
    if (!known) {
      const today = dayIn(timeZoneOf(client));
      await saveRecordedDeliveries(db, client.id, { first: today, last: addDays(today, -1) });
      return true;
    }
    const final = lastFinalDelivery(client, known);
    const most = addDays(known.last, MAX_DAYS);
    const last = final < most ? final : most;
    if (last > known.last) await markWithheld(db, client.id, rulesOf(client), { first: addDays(known.last, 1), last });
    await saveRecordedDeliveries(db, client.id, { first: known.first, last });
    return last === final;
  });
