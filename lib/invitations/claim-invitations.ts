import { readClient, timeZoneOf } from "@/lib/clients/get-client";
import { dayIn, now } from "@/lib/clock";
import { longTransaction, pool } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { nextSendMoment, rulesOf, sendHoursOf } from "@/lib/invitations/rules";
import { enqueue } from "@/lib/outbox/enqueue";
import { insertInvitations, lockClient, selectClaimed, selectDue } from "./sql";

/**
 * Decides which mails of a client go now and writes that down: the invitations and their items, the quarantine of each
 * person, the day's count and the facts, all in one transaction, before anything is sent. From then on no other run
 * asks the same person, whatever becomes of this one. Claims of one client follow one another. Answers the new
 * invitations' ids, oldest delivery first; none outside the client's sending hours. Throws `not_found`.
 */
export async function claimInvitations(clientId: string): Promise<string[]> {
  return longTransaction(async (db) => {
    await lockClient(db, clientId);
    const client = await readClient(db, clientId); // not from memory: a limit lowered a moment ago holds
    if (!client) throw new AppError("not_found", `There is no client ${clientId}.`);
    const at = now();
    const zone = timeZoneOf(client);
    if (nextSendMoment(sendHoursOf(client.config), zone, at) !== at) return [];
    const day = dayIn(zone, at);
    const due = await selectDue(db, clientId, rulesOf(client), day);
    if (due.length === 0) return [];
    const invitations = due.map((mail) => ({ ...mail, id: newId("inv") }));
    await insertInvitations(db, clientId, day, at, invitations);
    await enqueue(
      db,
      invitations.map(({ id }) => ({ name: "invitation/scheduled", data: { client_id: clientId, invitation_id: id } })),
    );
    return invitations.map(({ id }) => id);
  });
}

/** Invitations that were claimed and not sent, oldest first: what a run that died left behind. */
export const unsentInvitations = (clientId: string): Promise<string[]> => selectClaimed(pool(), clientId);
