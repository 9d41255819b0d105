import type { Actor } from "@/lib/accounts/actor";
import { pool } from "@/lib/platform/db/pool";

export type ReachableClient = { id: string; display_name: string };

/** The clients a person can switch between, by name: at most 200; others are opened by their address. */
export async function reachableClients(actor: Actor): Promise<ReachableClient[]> {
  const { rows } = await pool().query<ReachableClient>({
    name: "reachable-clients",
    text: `select id, display_name from clients where $1::text[] is null or id = any($1)
            order by lower(display_name), id limit 200`,
    values: [actor.clients === "all" ? null : [...actor.clients]],
  });
  return rows;
}
