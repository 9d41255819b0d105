import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { Day } from "@/lib/invitations/days";
import { allowsSellerOnly, rulesOf } from "@/lib/invitations/rules";
import { now } from "@/lib/platform/clock";
import { type Db, pool } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { insertInvitations } from "./insert-invitations";
import { type DueMail, selectRemainingCapacity } from "./rules-sql";
import { selectDueSeller } from "./seller-sql";

/**
 * Claims up to `limit` seller-only invitations for `day`. Call it in a transaction that holds the client's lock. They
 * count like invitations, and no other email asks about their items. Returns their ids.
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

/** The seller-only invitations to send on `day` besides the emails to these addresses. Read-only. */
export async function listDueSellerInvitations(client: ClientRow, day: Day, mailed: string[]): Promise<DueMail[]> {
  if (!allowsSellerOnly(client)) return [];
  const rules = rulesOf(client);
  const capacity = Math.max(0, (await selectRemainingCapacity(pool(), client.id, rules, day)) - mailed.length);
  const people = new Set(mailed.map(emailKey));
  const due = await selectDueSeller(pool(), client.id, rules, day, capacity + people.size);
  return due.filter(({ email_key }) => !people.has(email_key)).slice(0, capacity);
}
