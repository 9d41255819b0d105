import type { Actor } from "@/lib/accounts/actor";
import { isAdminOf } from "@/lib/accounts/permissions";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { AccessibleClient } from "@/lib/accounts/stores/list-accessible-clients";
import { pool } from "@/lib/platform/db/pool";

/** Most clients of an account that are offered; beyond that, use the admin command. */
const MAX_CLIENTS = 200;

/**
 * The clients that the actor can grant to a person or key: those of the account that they administer, the current
 * client first, the others by name.
 */
export async function listAssignableClients(actor: Actor, client: ClientRow): Promise<AccessibleClient[]> {
  const { rows } = await pool().query<AccessibleClient>(
    `select id, display_name from clients where account_id = $1 and ($2::text[] is null or id = any($2))
      order by id <> $3, lower(display_name), id limit $4`,
    [
      client.account_id,
      actor.clients === "all" ? null : [...actor.clients].filter((id) => isAdminOf(actor, id)),
      client.id,
      MAX_CLIENTS,
    ],
  );
  return rows;
}
