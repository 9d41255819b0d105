import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { Day } from "@/lib/invitations/days";
import { allowsSellerOnly, rulesOf } from "@/lib/invitations/rules";
import { now } from "@/lib/platform/clock";
import { type Db, pool } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { type DueMail, insertInvitations, selectRemainingCapacity } from "./plan-sql";
import { selectDueSeller } from "./seller-sql";

/**
 * Writes down the mails about the shop alone that go on `day`, at most so many, in the caller's transaction and under
 * the client's lock: they count as invitations do, and the items that they stand for are asked for nothing more. Answers
 * their ids.
 */
export async function claimSellerInvitations(db: Db, client: ClientRow, day: Day, limit: number): Promise<string[]> {
  if (!allowsSellerOnly(client)) return [];
  const due = await selectDueSeller(db, client.id, rulesOf(client), day, limit);
  if (due.length === 0) return [];
  const mails = due.map((mail) => ({ ...mail, id: newId("inv") }));
  await insertInvitations(db, client.id, day, now(), mails, { kind: "seller" });
  await enqueue(
    db,
    mails.map(({ id }) => ({ name: "invitation/scheduled", data: { client_id: client.id, invitation_id: id } })),
  );
  return mails.map(({ id }) => id);
}

/** The mails about the shop alone that would go on `day` beside those to these addresses; writes nothing. */
export async function planSellerInvitations(client: ClientRow, day: Day, mailed: string[]): Promise<DueMail[]> {
  if (!allowsSellerOnly(client)) return [];
  const rules = rulesOf(client);
  const room = Math.max(0, (await selectRemainingCapacity(pool(), client.id, rules, day)) - mailed.length);
  const people = new Set(mailed.map(emailKey));
  const due = await selectDueSeller(pool(), client.id, rules, day, room + people.size);
  return due.filter(({ email_key }) => !people.has(email_key)).slice(0, room);
}
