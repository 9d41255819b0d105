import type { Actor } from "@/lib/accounts/actor";
import { type AuditDetail, type KnownDetail, recordAuditOfClients } from "@/lib/accounts/record-audit";
import type { AuditAction } from "@/lib/accounts/values";
import type { Prisma } from "@/lib/platform/db/generated/client";
import type { Db } from "@/lib/platform/db/pool";
import { prisma } from "@/lib/platform/db/prisma";

/** What an audit entry needs to know about a person. */
export type AuditedPerson = { id: string; account_id: string | null; all_clients: boolean };

/**
 * Records a change of a person, in the caller's transaction: in the log of each client named for them, or in the
 * account's if they reach all of it.
 */
export async function recordPersonAudit<D extends AuditDetail>(
  db: Db,
  person: AuditedPerson,
  entry: { actor: Pick<Actor, "kind" | "id">; action: AuditAction; detail?: KnownDetail<D> },
): Promise<void> {
  const { actor, action, detail = {} as KnownDetail<D> } = entry;
  const { auditEntry, userClient } = await prisma(db);
  const named = await userClient.findMany({ where: { userId: person.id }, select: { clientId: true } });
  if (!person.all_clients && named.length > 0) {
    const clients = named.map(({ clientId }) => clientId);
    return recordAuditOfClients<D>(db, clients, { actor, action, subject: person.id, detail });
  }
  await auditEntry.create({
    data: {
      accountId: person.account_id,
      actorKind: actor.kind,
      actorId: actor.id,
      action,
      subject: person.id,
      detail: detail as Prisma.InputJsonObject,
    },
    select: { id: true },
  });
}
