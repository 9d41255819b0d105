import { administers } from "@/lib/accounts/reach";
import type { Actor } from "@/lib/auth/actor";
import type { ClientRow } from "@/lib/clients/get-client";
import type { ReachableClient } from "@/lib/clients/reachable-clients";
import { pool } from "@/lib/db/pool";

/** So many clients of an account are offered at most; for more there is the admin command. */
const MOST = 200;

/**
 * The clients that somebody may give to a person or a key at a client: those of its account of which they are an admin, the
 * client itself first, the others by name.
 */
export async function listGivableClients(actor: Actor, client: ClientRow): Promise<ReachableClient[]> {
  const { rows } = await pool().query<ReachableClient>(
    `select id, display_name from clients where account_id = $1 and ($2::text[] is null or id = any($2))
      order by id <> $3, lower(display_name), id limit $4`,
    [
      client.account_id,
      actor.clients === "all" ? null : [...actor.clients].filter((id) => administers(actor, id)),
      client.id,
      MOST,
    ],
  );
  return rows;
}
