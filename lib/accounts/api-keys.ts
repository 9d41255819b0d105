import { randomBytes } from "node:crypto";
import { type Actor, allScopes } from "@/lib/accounts/actor";
import { isAdminOf, requireAdminOf, requireRole } from "@/lib/accounts/permissions";
import { recordAuditOfClients } from "@/lib/accounts/record-audit";
import { requireClients } from "@/lib/accounts/require-clients";
import { hashSecret } from "@/lib/accounts/sign-in/api-key";
import { now } from "@/lib/platform/clock";
import type { Prisma } from "@/lib/platform/db/generated/client";
import { prisma, transaction } from "@/lib/platform/db/prisma";
import { AppError } from "@/lib/platform/errors";
import type { Scope } from "@/lib/platform/http/contract";
import { newId } from "@/lib/platform/ids";

export type NewKey = { id: string; secret: string; clients: string[] };
export type KeyLine = {
  id: string;
  name: string;
  prefix: string;
  scopes: Scope[];
  clients: string[];
  created_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
};

/**
 * Creates a secret key for exactly these clients. The secret is returned only here; the database stores its hash. With
 * `by`, writes an audit entry. Throws `not_found` for an unknown client, `invalid_field` for clients that `by` doesn't
 * reach.
 */
export async function createKey(input: {
  clients: string[];
  name?: string;
  scopes?: Scope[];
  by?: Actor;
  secret?: string;
  demo?: boolean;
}): Promise<NewKey> {
  const { by } = input;
  if (by) requireRole(by, "admin");
  const secret = input.secret ?? `sk_${randomBytes(24).toString("hex")}`;
  const id = newId("key");
  const clients = [...new Set(input.clients)].sort();
  if (clients.length === 0) throw new AppError("invalid_field", { reason: "key_without_clients", field: "client" });
  if (by && by.clients !== "all") requireAdminOf(by, input.clients);
  const [name, scopes] = [input.name?.trim() ?? "API key", [...new Set(input.scopes ?? allScopes)]];
  await transaction(async (db) => {
    const accountId = await requireClients(db, clients);
    await (await prisma(db)).apiKey.create({
      data: {
        id,
        accountId,
        name,
        prefix: secret.slice(0, 9),
        secretHash: hashSecret(secret),
        scopes,
        demo: input.demo ?? false,
        createdBy: by?.kind === "user" ? by.id : null,
        clients: { createMany: { data: clients.map((clientId) => ({ clientId })) } },
      },
      select: { id: true },
    });
    if (by)
      await recordAuditOfClients(db, clients, {
        actor: by,
        action: "key.created",
        subject: id,
        detail: { name, scopes },
      });
  });
  return { id, secret, clients };
}

/** All keys, oldest first, without their secrets; with `clients`, only those of these clients. */
export async function listKeys(clients?: string[]): Promise<KeyLine[]> {
  const rows = await (await prisma()).apiKey.findMany({
    where: clients ? { clients: { some: { clientId: { in: clients } } } } : {},
    select: keyColumns,
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return rows.map(toKeyLine);
}

/** A key without its secret. */
export const keyColumns = {
  id: true,
  name: true,
  prefix: true,
  scopes: true,
  createdAt: true,
  createdBy: true,
  lastUsedAt: true,
  revokedAt: true,
  clients: { select: { clientId: true }, orderBy: { clientId: "asc" } },
} as const satisfies Prisma.ApiKeySelect;

export const toKeyLine = (key: Prisma.ApiKeyGetPayload<{ select: typeof keyColumns }>): KeyLine => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  scopes: key.scopes as Scope[],
  clients: key.clients.map(({ clientId }) => clientId),
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt,
  revoked_at: key.revokedAt,
});

/**
 * Revokes a key: every process rejects it within a second. Does nothing if it's already revoked. Throws `not_found` if
 * the key doesn't reach `clientId`, `forbidden` if it reaches clients that the actor doesn't.
 */
export async function revokeKey(id: string, { by, clientId }: { by?: Actor; clientId?: string } = {}): Promise<void> {
  if (by) requireRole(by, "admin");
  await transaction(async (db) => {
    const { rows } = await db.query<{ name: string; revoked: boolean; clients: string[] }>(
      `select name, revoked_at is not null as revoked,
              array(select client_id from api_key_clients where key_id = $1 order by 1) as clients
         from api_keys where id = $1 for update`,
      [id],
    );
    const key = rows[0];
    if (!key || (clientId !== undefined && !key.clients.includes(clientId)))
      throw new AppError("not_found", { reason: "key_not_found", params: { id } });
    const { clients, name } = key;
    if (by && !clients.every((client) => isAdminOf(by, client)))
      throw new AppError("forbidden", { reason: "key_reaches_further" });
    if (key.revoked) return;
    await (await prisma(db)).apiKey.update({ where: { id }, data: { revokedAt: now() }, select: { id: true } });
    if (by)
      await recordAuditOfClients(db, clients, { actor: by, action: "key.revoked", subject: id, detail: { name } });
  });
}
