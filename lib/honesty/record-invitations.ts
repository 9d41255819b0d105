import { type ClientRow, isTestStore, readClient, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { listClientIds } from "@/lib/accounts/stores/list-client-ids";
import { hasUnrecordedExclusions, recordExclusions } from "@/lib/honesty/record-exclusions";
import { recordFact } from "@/lib/honesty/record-fact";
import { countDay, listUsedDays } from "@/lib/invitations/count-days";
import { addDays, type Day } from "@/lib/invitations/days";
import { dayIn } from "@/lib/platform/clock";
import { pool, transaction } from "@/lib/platform/db/pool";
import { lockInvitationDays, selectLastInvitationDay } from "./sql";

/** Days that are recorded afterwards, when the job didn't run. */
const MAX_DAYS = 31;

/** Stores with days whose invitations are to be recorded: of some, or of all (null). */
export async function listUnrecorded(clientIds: string[] | null): Promise<string[]> {
  const found: string[] = [];
  for (const id of clientIds ?? (await listClientIds())) {
    const client = await readLoggedClient(id);
    if (client && ((await unrecordedDays(client)).length > 0 || (await hasUnrecordedExclusions(client))))
      found.push(id);
  }
  return found;
}

/**
 * Records for the store's log what became of delivered items, once for each day that is over in its time zone and on
 * which anything did, and which items the store withheld. Any number of processes may do this at once. Returns the number of days.
 */
export async function recordInvitations(clientId: string): Promise<number> {
  const client = await readLoggedClient(clientId);
  if (!client) return 0;
  let recorded = 0;
  for (const day of await unrecordedDays(client)) {
    const { sent, skipped } = await countDay(client, day);
    // All items whose last day it was had been asked about before.
    if (sent === 0 && Object.keys(skipped).length === 0) continue;
    if (await recordDay(clientId, day, { sent, skipped })) recorded += 1;
  }
  await recordExclusions(client);
  return recorded;
}

/** Undefined if it was deleted meanwhile, or has no log. */
async function readLoggedClient(clientId: string): Promise<ClientRow | undefined> {
  const client = await readClient(pool(), clientId);
  return client && !isTestStore(client) ? client : undefined;
}

async function unrecordedDays(client: ClientRow): Promise<Day[]> {
  const today = dayIn(timeZoneOf(client));
  const known = await selectLastInvitationDay(pool(), client.id);
  const earliest = addDays(today, -MAX_DAYS);
  const first = known !== null && known >= earliest ? addDays(known, 1) : earliest;
  const last = addDays(today, -1);
  return first <= last ? listUsedDays(client, first, last) : [];
}

/** Records a day unless it, or a later one, was recorded meanwhile. */
const recordDay = (clientId: string, day: Day, counts: Awaited<ReturnType<typeof countDay>>): Promise<boolean> =>
  transaction(async (db) => {
    await lockInvitationDays(db, clientId);
    const known = await selectLastInvitationDay(db, clientId);
    if (known !== null && known >= day) return false;
    await recordFact(db, clientId, "invitations", { day, ...counts });
    return true;
  });
