import { now } from "@/lib/clock";
import { pool } from "@/lib/db/pool";
import { syncs } from "@/lib/integrations/syncs";

/** Integrations that something is to be taken from. `lane`: one after the other within one. */
export type DueSync = { client_id: string; kind: string; lane: string };

/** A run that did nothing for so long is taken for dead, and begun again. */
const DEAD_AFTER = 15 * 60_000;

/**
 * What is to be synchronised now, of these clients or of all: what is switched on, and not at work already (the first run
 * of a large shop takes longer than the time between two).
 */
export async function listDueSyncs(clientIds: string[] | null): Promise<DueSync[]> {
  const { rows } = await pool().query<{ client_id: string; type: string }>(
    `select client_id, type from integrations
      where enabled and type = any($1) and ($2::text[] is null or client_id = any($2))
        and coalesce((state->type->>'active_at')::float8, 0) < $3
      order by client_id, type`,
    [Object.keys(syncs), clientIds, now().getTime() - DEAD_AFTER],
  );
  return rows.map(({ client_id, type }) => ({ client_id, kind: type, lane: laneOf(client_id, type) }));
}

export const laneOf = (clientId: string, kind: string): string => `${clientId}/${kind}`;
