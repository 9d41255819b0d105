import type { Actor } from "@/lib/accounts/actor";
import { administers } from "@/lib/accounts/reach";
import type { ApiKey } from "@/lib/accounts/schema";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import type { Scope } from "@/lib/platform/http/contract";
import { seconds } from "@/lib/platform/seconds";

/** More keys than anybody looks through; those in use come first. */
const MOST = 500;

type Row = {
  id: string;
  name: string;
  prefix: string;
  scopes: Scope[];
  clients: string[];
  created_at: Date;
  created_by: string | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
};

/** The keys that reach a client, without their secrets, as somebody sees them who may not reach all that they reach. */
export async function listClientKeys(actor: Actor, client: Pick<ClientRow, "id">): Promise<ApiKey[]> {
  const { rows } = await pool().query<Row>(
    `select k.id, k.name, k.prefix, k.scopes, k.created_at, k.last_used_at, k.revoked_at,
            (select username from users u where u.id = k.created_by) as created_by,
            array(select client_id from api_key_clients c where c.key_id = k.id order by 1) as clients
       from api_keys k join api_key_clients own on own.key_id = k.id
      where own.client_id = $1 order by k.revoked_at desc nulls first, k.created_at desc, k.id limit $2`,
    [client.id, MOST],
  );
  return rows.map(({ clients, created_at, last_used_at, revoked_at, ...row }) => {
    const shown = clients.filter((id) => administers(actor, id));
    return {
      ...row,
      clients: shown,
      other_clients: clients.length - shown.length,
      created_at: seconds(created_at),
      last_used_at: last_used_at && seconds(last_used_at),
      revoked_at: revoked_at && seconds(revoked_at),
    };
  });
}
