import { listDueClients } from "@/lib/integrations/engagement/list-due";
import { STALE_AFTER_MS } from "@/lib/integrations/rows";
import { integrationLane } from "@/lib/integrations/sync-lane";
import { syncs } from "@/lib/integrations/sync-part";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";

/** Integrations to sync. `lane`: runs with the same lane are serialized. */
export type DueSync = { client_id: string; kind: string; lane: string };

/**
 * Integrations to sync now, of these clients or all: enabled ones without a current run, since the first run of a large
 * store may exceed the interval. The engagement platform only if deliveries are due.
 */
export async function listDueSyncs(clientIds: string[] | null): Promise<DueSync[]> {
  const [{ rows }, clientsWithDeliveries] = await Promise.all([
    pool().query<{ client_id: string; type: string }>(
      `select client_id, type from integrations
        where enabled and type = any($1) and ($2::text[] is null or client_id = any($2))
          and coalesce((state->type->>'active_at')::float8, 0) < $3
        order by client_id, type`,
      [Object.keys(syncs), clientIds, now().getTime() - STALE_AFTER_MS],
    ),
    listDueClients(clientIds),
  ]);
  return rows
    .filter(({ client_id, type }) => type !== "engagement" || clientsWithDeliveries.includes(client_id))
    .map(({ client_id, type }) => ({ client_id, kind: type, lane: integrationLane(client_id, type) }));
}
