import { type ClientRow, readClient, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { claimReminders, reminderDaysOf } from "@/lib/invitations/claim-reminders";
import { claimSellerInvitations } from "@/lib/invitations/claim-seller-invitations";
import { addDays, type Day } from "@/lib/invitations/days";
import { hasNoSender } from "@/lib/invitations/has-no-sender";
import { allowsSellerOnly, nextSendMoment, rulesOf, sendHoursOf } from "@/lib/invitations/rules";
import { dayIn, now } from "@/lib/platform/clock";
import { type Db, longTransaction, pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { insertInvitations } from "./insert-invitations";
import { selectCandidates, selectDue, selectRemainingCapacity } from "./rules-sql";
import { lockClient, selectClaimed } from "./sql";

/** People per transaction: few enough that others don't wait long for the client's lock. */
export const PEOPLE_PER_BATCH = 500;
/** Days in the first scan, oldest first; each further scan doubles it. */
const INITIAL_SCAN_DAYS = 4;

/**
 * Decides which emails of a client are sent now and saves that before anything is sent: invitations with their items,
 * each person's cooldown, the day's count and outbox events. From then on no other run invites the same person, even if
 * this run dies.
 * Due people are selected without a lock, then claimed in transactions of up to `PEOPLE_PER_BATCH`, each under the
 * client's lock, so concurrent runs alternate. The day's limit goes to invitations first, then to reminders, then to
 * seller-only invitations.
 * Returns the claimed ids in that order, oldest delivery first. Returns none outside the sending hours, if no webhook
 * leads to the client's external sender, or if the day's limit is used up. Throws `not_found`.
 */
export async function claimInvitations(clientId: string): Promise<string[]> {
  const invitations = await claimDue(clientId);
  // Reminders follow invitations, so that people invited now are already in their cooldown.
  const client = await readClient(pool(), clientId);
  const reminders = client && reminderDaysOf(client) !== null ? await claimInBatches(clientId, claimReminders) : [];
  const seller = client && allowsSellerOnly(client) ? await claimInBatches(clientId, claimSellerInvitations) : [];
  return [...invitations, ...reminders, ...seller];
}

/** Claims emails batch by batch while there are any and the day's limit has room. */
async function claimInBatches(clientId: string, claim: typeof claimReminders): Promise<string[]> {
  const claimed: string[] = [];
  for (;;) {
    const ids = await longTransaction(async (db) => {
      await lockClient(db, clientId);
      const open = await getTodaysCapacity(db, clientId);
      return open ? claim(db, open.client, open.day, Math.min(open.capacity, PEOPLE_PER_BATCH)) : [];
    });
    claimed.push(...ids);
    if (ids.length < PEOPLE_PER_BATCH) return claimed;
  }
}

async function claimDue(clientId: string): Promise<string[]> {
  const claimed: string[] = [];
  const open = await getTodaysCapacity(pool(), clientId);
  if (open === null) return claimed;
  const rules = rulesOf(open.client);
  const latest = addDays(open.day, -rules.afterDays);
  const seen = new Set<string>();
  let first = addDays(open.day, -rules.beforeDays);
  // Oldest deliveries first: with a backlog, only the oldest days are read to fill the day's limit.
  for (let days = INITIAL_SCAN_DAYS; first <= latest; days *= 2) {
    const last = [addDays(first, days - 1), latest].sort()[0] as Day;
    for (let limit = open.capacity, more = true; more; limit *= 4) {
      const found = await selectCandidates(pool(), clientId, rules, open.day, { first, last }, limit);
      const people = found.filter((person) => !seen.has(person));
      for (let at = 0; at < people.length; at += PEOPLE_PER_BATCH) {
        const batch = people.slice(at, at + PEOPLE_PER_BATCH);
        const ids = await longTransaction((db) => claimPeople(db, clientId, batch));
        if (ids === null) return claimed; // the limit is reached, or the day or its sending hours are over
        claimed.push(...ids);
        for (const person of batch) seen.add(person);
      }
      more = found.length === limit; // people who wait for further items leave room for later ones
    }
    first = addDays(last, 1);
  }
  return claimed;
}

/** Claims the emails of these people that may be sent now. Null if no email may be sent any more. */
async function claimPeople(db: Db, clientId: string, people: string[]): Promise<string[] | null> {
  await lockClient(db, clientId);
  const open = await getTodaysCapacity(db, clientId);
  if (open === null) return null;
  const due = await selectDue(db, clientId, rulesOf(open.client), open.day, people);
  if (due.length === 0) return [];
  const invitations = due.map((mail) => ({ ...mail, id: newId("inv") }));
  await insertInvitations(db, clientId, open.day, open.at, invitations);
  await enqueue(
    db,
    invitations.map(({ id }) => ({ name: "invitation/scheduled", data: { client_id: clientId, invitation_id: id } })),
  );
  return invitations.map(({ id }) => id);
}

/** The current client and the day whose limit applies now. Null if no email may be sent. */
async function getTodaysCapacity(
  db: Db,
  clientId: string,
): Promise<{ client: ClientRow; at: Date; day: Day; capacity: number } | null> {
  const client = await readClient(db, clientId); // not cached: a limit lowered a moment ago applies
  if (!client) throw new AppError("not_found", { reason: "client_not_found", params: { id: clientId } });
  const at = now();
  const zone = timeZoneOf(client);
  if (nextSendMoment(sendHoursOf(client.config), zone, at) !== at) return null;
  // Without a sender, a claim would only put people in a cooldown.
  if (await hasNoSender(client, db)) return null;
  const day = dayIn(zone, at);
  const capacity = await selectRemainingCapacity(db, clientId, rulesOf(client), day);
  return capacity > 0 ? { client, at, day, capacity } : null;
}

/** Claimed invitations that aren't sent, oldest first, such as those of a run that died. */
export const unsentInvitations = (clientId: string): Promise<string[]> => selectClaimed(pool(), clientId);
