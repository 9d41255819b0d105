import type { Actor } from "@/lib/accounts/actor";
import { keyColumns, toKeyLine } from "@/lib/accounts/api-keys";
import { isAdminOf } from "@/lib/accounts/permissions";
import type { ApiKey } from "@/lib/accounts/schema";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { prisma } from "@/lib/platform/db/prisma";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";

/** More keys than a list can usefully show; active ones come first. */
const MAX_KEYS = 500;

/** The keys that reach a client, without secrets, and naming only those of their clients that the actor reaches. */
export async function listClientKeys(actor: Actor, client: Pick<ClientRow, "id">): Promise<ApiKey[]> {
  const { apiKey, user } = await prisma();
  const keys = await apiKey.findMany({
    where: { clients: { some: { clientId: client.id } } },
    select: keyColumns,
    orderBy: [{ revokedAt: { sort: "desc", nulls: "first" } }, { createdAt: "desc" }, { id: "asc" }],
    take: MAX_KEYS,
  });
  const creatorIds = keys.flatMap(({ createdBy }) => createdBy ?? []);
  const people = await user.findMany({ where: { id: { in: creatorIds } }, select: { id: true, username: true } });
  return keys.map((key) => {
    const { clients, created_at, last_used_at, revoked_at, ...line } = toKeyLine(key);
    const visible = clients.filter((id) => isAdminOf(actor, id));
    return {
      ...line,
      clients: visible,
      other_clients: clients.length - visible.length,
      created_at: toIsoSeconds(created_at),
      created_by: people.find(({ id }) => id === key.createdBy)?.username ?? null,
      last_used_at: last_used_at && toIsoSeconds(last_used_at),
      revoked_at: revoked_at && toIsoSeconds(revoked_at),
    };
  });
}
