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
export async function noteAudit(db: Db, { clientId, actor, action, subject, detail }: AuditNote): Promise<void> {
  await db.query(
    `insert into audit_entries (account_id, client_id, actor_kind, actor_id, action, subject, detail)
     select account_id, id, $2, $3, $4, $5, $6 from clients where id = $1`,
    [clientId, actor.kind, actor.id, action, subject, JSON.stringify(detail)],
  );
}
