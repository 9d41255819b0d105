import type { Actor } from "@/lib/accounts/actor";
import { pool } from "@/lib/platform/db/pool";

export type AccessibleClient = { id: string; display_name: string };

/** The clients a person can switch between, by name: at most 200; others are opened by their address. */
export async function listAccessibleClients(actor: Actor): Promise<AccessibleClient[]> {
  const { rows } = await pool().query<AccessibleClient>({
    name: "reachable-clients",
    text: `select id, display_name from clients where $1::text[] is null or id = any($1)
            order by lower(display_name), id limit 200`,
    values: [actor.clients === "all" ? null : [...actor.clients]],
  });
  return rows;
}
