import type { Actor } from "@/lib/auth/actor";
import type { Db } from "@/lib/db/pool";

/** What is noted: `action` in the field's words (`personal_data.deleted`), `subject` the id of what it was done to. */
export type AuditNote = {
  clientId: string;
  actor: Pick<Actor, "kind" | "id">;
  action: string;
  subject: string;
  detail: Record<string, unknown>;
};

/** Writes an audit entry about a client in the caller's transaction. It never holds what identifies a customer. */
export const noteAudit = (db: Db, { clientId, ...note }: AuditNote): Promise<void> =>
  noteAuditOfClients(db, [clientId], note);

/** The same about several clients: each finds it in its own log. */
export async function noteAuditOfClients(
  db: Db,
  clients: string[],
  { actor, action, subject, detail }: Omit<AuditNote, "clientId">,
): Promise<void> {
  await db.query(
    `insert into audit_entries (account_id, client_id, actor_kind, actor_id, action, subject, detail)
     select account_id, id, $2, $3, $4, $5, $6 from clients where id = any($1) order by id`,
    [clients, actor.kind, actor.id, action, subject, JSON.stringify(detail)],
  );
}
