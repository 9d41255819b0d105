import { type ClientRow, readClient, timeZoneOf } from "@/lib/clients/get-client";
import { dayIn, now } from "@/lib/clock";
import { type Db, longTransaction, pool } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import type { Day } from "@/lib/invitations/days";
import { nextSendMoment, rulesOf, sendHoursOf } from "@/lib/invitations/rules";
import { enqueue } from "@/lib/outbox/enqueue";
import { insertInvitations, selectCandidates, selectDue, selectRoom } from "./plan-sql";
import { lockClient, selectClaimed } from "./sql";

/** People decided on in one transaction: few enough that nobody who waits for the client's lock waits long. */
const PEOPLE_AT_ONCE = 500;

/**
 * Decides which mails of a client go now and writes that down: the invitations and their items, the quarantine of each
 * person, the day's count and the facts, before anything is sent. From then on no other run asks the same person,
 * whatever becomes of this one. Who has something due is looked up first; they are decided on and written in
 * transactions of some hundred people each, which follow one another for one client, whoever runs them. Answers the new
 * invitations' ids, oldest delivery first; none outside the client's sending hours, and none, without looking, where the
 * day's limit is used up. Throws `not_found`.
 */
export async function claimInvitations(clientId: string): Promise<string[]> {
  const claimed: string[] = [];
  const seen = new Set<string>();
  const open = await openToday(pool(), clientId);
  if (open === null) return claimed;
  for (let most = open.room; ; most *= 4) {
    const found = await selectCandidates(pool(), clientId, rulesOf(open.client), open.day, most);
    const people = found.filter((person) => !seen.has(person));
    for (let first = 0; first < people.length; first += PEOPLE_AT_ONCE) {
      const some = people.slice(first, first + PEOPLE_AT_ONCE);
      const ids = await longTransaction((db) => claimOf(db, clientId, some));
      if (ids === null) return claimed; // the limit is reached, or the day or its sending hours are over
      claimed.push(...ids);
      for (const person of some) seen.add(person);
    }
    // Some wait for further items and leave room for those behind them.
    if (found.length < most) return claimed;
  }
}

/** Claims the mails of these people that may go now; null where none of anybody may any more. */
async function claimOf(db: Db, clientId: string, people: string[]): Promise<string[] | null> {
  await lockClient(db, clientId);
  const open = await openToday(db, clientId);
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
async function openToday(
  db: Db,
  clientId: string,
): Promise<{ client: ClientRow; at: Date; day: Day; room: number } | null> {
  const client = await readClient(db, clientId); // not from memory: a limit lowered a moment ago holds
  if (!client) throw new AppError("not_found", `There is no client ${clientId}.`);
  const at = now();
  const zone = timeZoneOf(client);
  if (nextSendMoment(sendHoursOf(client.config), zone, at) !== at) return null;
  const day = dayIn(zone, at);
  const room = await selectRoom(db, clientId, rulesOf(client), day);
  return room > 0 ? { client, at, day, room } : null;
}

/** Invitations that were claimed and not sent, oldest first: what a run that died left behind. */
export const unsentInvitations = (clientId: string): Promise<string[]> => selectClaimed(pool(), clientId);
