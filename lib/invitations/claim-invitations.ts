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
import { insertInvitations, selectCandidates, selectDue, selectRemainingCapacity } from "./plan-sql";
import { lockClient, selectClaimed } from "./sql";

/** People decided on in one transaction: few enough that nobody who waits for the client's lock waits long. */
export const PEOPLE_PER_BATCH = 500;
/** So many of the oldest days are looked through first, then twice as many and so on. */
const INITIAL_SCAN_DAYS = 4;

/**
 * Decides which mails of a client go now and writes that down: the invitations and their items, the quarantine of each
 * person, the day's count and the facts, before anything is sent. From then on no other run asks the same person,
 * whatever becomes of this one. Who has something due is looked up first; they are decided on and written in
 * transactions of some hundred people each, which follow one another for one client, whoever runs them. What the
 * invitations leave of the day's limit goes to reminders, and what these leave to mails about the shop alone. Answers the
 * ids of what was claimed, invitations first, oldest delivery first; none outside the client's sending hours, none where a
 * sender of the merchant's own is to send them and no webhook leads to it, and none, without looking, where the day's limit
 * is used up.
 * Throws `not_found`.
 */
export async function claimInvitations(clientId: string): Promise<string[]> {
  const invitations = await claimDue(clientId);
  // After them: who gets an invitation today is in quarantine now.
  const client = await readClient(pool(), clientId);
  const reminders = client && reminderDaysOf(client) !== null ? await claimInBatches(clientId, claimReminders) : [];
  const seller = client && allowsSellerOnly(client) ? await claimInBatches(clientId, claimSellerInvitations) : [];
  return [...invitations, ...reminders, ...seller];
}

/** Claims some hundred mails at a time while there are any and the day has room. */
async function claimInBatches(clientId: string, claim: typeof claimReminders): Promise<string[]> {
  const claimed: string[] = [];
  for (;;) {
    const ids = await longTransaction(async (db) => {
      await lockClient(db, clientId);
      const open = await getTodaysCapacity(db, clientId);
      return open ? claim(db, open.client, open.day, Math.min(open.room, PEOPLE_PER_BATCH)) : [];
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
  // Who bought the longest ago comes first: of a backlog only the oldest days need be looked through to fill the day's limit.
  for (let days = INITIAL_SCAN_DAYS; first <= latest; days *= 2) {
    const last = [addDays(first, days - 1), latest].sort()[0] as Day;
    for (let limit = open.room, more = true; more; limit *= 4) {
      const found = await selectCandidates(pool(), clientId, rules, open.day, { first, last }, limit);
      const people = found.filter((person) => !seen.has(person));
      for (let at = 0; at < people.length; at += PEOPLE_PER_BATCH) {
        const batch = people.slice(at, at + PEOPLE_PER_BATCH);
        const ids = await longTransaction((db) => claimPeople(db, clientId, batch));
        if (ids === null) return claimed; // the limit is reached, or the day or its sending hours are over
        claimed.push(...ids);
        for (const person of batch) seen.add(person);
      }
      more = found.length === limit; // some wait for further items and leave room for those behind them
    }
    first = addDays(last, 1);
  }
  return claimed;
}

/** Claims the mails of these people that may go now; null where none of anybody may any more. */
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

/** The client as it stands, and the day on which mails may go now; null when none may. */
async function getTodaysCapacity(
  db: Db,
  clientId: string,
): Promise<{ client: ClientRow; at: Date; day: Day; room: number } | null> {
  const client = await readClient(db, clientId); // not from memory: a limit lowered a moment ago holds
  if (!client) throw new AppError("not_found", { reason: "client_not_found", params: { id: clientId } });
  const at = now();
  const zone = timeZoneOf(client);
  if (nextSendMoment(sendHoursOf(client.config), zone, at) !== at) return null;
  // Nobody would take what is claimed, and its people would be in quarantine for it.
  if (await hasNoSender(client, db)) return null;
  const day = dayIn(zone, at);
  const room = await selectRemainingCapacity(db, clientId, rulesOf(client), day);
  return room > 0 ? { client, at, day, room } : null;
}

/** Invitations that were claimed and not sent, oldest first: what a run that died left behind. */
export const unsentInvitations = (clientId: string): Promise<string[]> => selectClaimed(pool(), clientId);
