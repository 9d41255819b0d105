import type { Actor } from "@/lib/accounts/actor";
import { type AuditDetail, noteAuditOfClients, type Worded } from "@/lib/accounts/note-audit";
import type { AuditAction } from "@/lib/accounts/values";
import type { Db } from "@/lib/platform/db/pool";

/** A person as an audit entry about them needs it. */
export type Noted = { id: string; account_id: string | null; all_clients: boolean };

/**
 * Notes what was done to a person, in the caller's transaction: in the log of each client named for them, or in the
 * account's where they reach all of it.
 */
export async function notePerson<D extends AuditDetail>(
  db: Db,
  person: Noted,
  note: { actor: Pick<Actor, "kind" | "id">; action: AuditAction; detail?: Worded<D> },
): Promise<void> {
  const { actor, action, detail = {} as Worded<D> } = note;
  const { rows } = await db.query<{ client_id: string }>("select client_id from user_clients where user_id = $1", [
    person.id,
  ]);
  if (!person.all_clients && rows.length > 0) {
    const clients = rows.map(({ client_id }) => client_id);
    return noteAuditOfClients<D>(db, clients, { actor, action, subject: person.id, detail });
  }
  await db.query(
    `insert into audit_entries (account_id, client_id, actor_kind, actor_id, action, subject, detail)
     values ($1, null, $2, $3, $4, $5, $6)`,
    [person.account_id, actor.kind, actor.id, action, person.id, JSON.stringify(detail)],
  );
}
