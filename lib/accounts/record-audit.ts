import type { Actor } from "@/lib/accounts/actor";
import type { ClientSettings } from "@/lib/accounts/stores/settings";
import type { AuditAction, AuditDetailName } from "@/lib/accounts/values";
import type { Db } from "@/lib/platform/db/pool";

/** Details, limited to names for which the portal has a label. */
export type AuditDetail = Partial<Record<AuditDetailName | keyof ClientSettings, unknown>>;
export type KnownDetail<D> = D & { [K in Exclude<keyof D, keyof AuditDetail>]: never };

/** `action` is named in the field's terms (`personal_data.deleted`), `subject` is the id of the changed object. */
export type AuditRecord<D = AuditDetail> = {
  clientId: string;
  actor: Pick<Actor, "kind" | "id">;
  action: AuditAction;
  subject: string;
  detail: KnownDetail<D>;
};

/**
 * Writes an audit entry about a client in the caller's transaction. It never contains data that identifies a customer.
 */
export const recordAudit = <D extends AuditDetail>(db: Db, { clientId, ...entry }: AuditRecord<D>): Promise<void> =>
  recordAuditOfClients<D>(db, [clientId], entry);

/** Writes the entry to the log of each of several clients. */
export async function recordAuditOfClients<D extends AuditDetail>(
  db: Db,
  clients: string[],
  { actor, action, subject, detail }: Omit<AuditRecord<D>, "clientId">,
): Promise<void> {
  await db.query(
    `insert into audit_entries (account_id, client_id, actor_kind, actor_id, action, subject, detail)
     select account_id, id, $2, $3, $4, $5, $6 from clients where id = any($1) order by id`,
    [clients, actor.kind, actor.id, action, subject, JSON.stringify(detail)],
  );
}
