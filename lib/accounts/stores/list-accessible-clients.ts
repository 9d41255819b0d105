import type { Actor } from "@/lib/accounts/actor";
import { MAX_LISTED_STORES } from "@/lib/accounts/values";
import { pool } from "@/lib/platform/db/pool";

export type AccessibleClient = { id: string; display_name: string };
/** `test`: a test store */
export type ListedClient = AccessibleClient & { test: boolean };

/** Most clients that a search returns. */
const MAX_FOUND = 20;

const idsOf = ({ clients }: Pick<Actor, "clients">) => (clients === "all" ? null : [...clients]);

/** The clients a person can switch between, by name: at most {@link MAX_LISTED_STORES}. */
export async function listAccessibleClients(actor: Actor): Promise<ListedClient[]> {
  const { rows } = await pool().query<ListedClient>({
    name: "reachable-clients",
    text: `select id, display_name, test_days is not null as test from clients where $1::text[] is null or id = any($1)
            order by lower(display_name), id limit ${MAX_LISTED_STORES}`,
    values: [idsOf(actor)],
  });
  return rows;
}

/** Up to {@link MAX_FOUND} clients of a person whose id or name contains `q`: first the one with this id, then by name. */
export async function findAccessibleClients(actor: Pick<Actor, "clients">, q: string): Promise<AccessibleClient[]> {
  const { rows } = await pool().query<AccessibleClient>({
    name: "find-reachable-clients",
    text: `select id, display_name from clients
            where ($1::text[] is null or id = any($1)) and (id ilike $3 or display_name ilike $3)
            order by id <> $2, lower(display_name), id limit ${MAX_FOUND}`,
    values: [idsOf(actor), q, `%${q.replaceAll(/[\\%_]/g, "\\$&")}%`],
  });
  return rows;
}
