import { hash, timingSafeEqual } from "node:crypto";
import type { Actor } from "@/lib/auth/actor";
import { rowCache } from "@/lib/db/cache";
import { pool } from "@/lib/db/pool";
import { perProcess } from "@/lib/db/process";
import type { Scope } from "@/lib/http/contract";
import { log } from "@/lib/log";

type KeyRow = {
  id: string;
  name: string;
  hash: Buffer;
  scopes: Scope[];
  clients: string[];
  account_id: string | null;
  demo: boolean;
};

/** A key as it is kept: the SHA-256 of the secret. Secrets hold 128 random bits, so no slow hash is needed. */
export const hashSecret = (secret: string): Buffer => hash("sha256", secret, "buffer");

const cache = () =>
  rowCache<KeyRow>(
    "api-keys",
    async (hash) => {
      const { rows } = await pool().query<KeyRow>({
        name: "api-key-by-hash",
        text: `select k.id, k.name, k.secret_hash as hash, k.scopes, k.account_id, k.demo,
                      coalesce(array_agg(c.client_id order by c.client_id) filter (where c.client_id is not null), '{}') as clients
                 from api_keys k left join api_key_clients c on c.key_id = k.id
                where k.secret_hash = $1 and k.revoked_at is null group by k.id`,
        values: [Buffer.from(hash, "base64")],
      });
      return rows[0] ?? null;
    },
    (_hash, row) => (row ? [`key:${row.id}`] : []),
  );

/** The actor of an API key's secret, and whether it is the demo's; null when unknown or revoked. */
export async function actorOfKey(secret: string): Promise<{ actor: Actor; demo: boolean } | null> {
  const hash = hashSecret(secret);
  const row = await cache().get(hash.toString("base64"));
  // The look-up is by hash already; comparing again keeps the check constant-time whatever the cache does.
  if (!row || !timingSafeEqual(row.hash, hash)) return null;
  noteUse(row.id);
  return {
    actor: {
      kind: "key",
      id: row.id,
      name: row.name,
      role: "admin",
      scopes: row.scopes,
      clients: new Set(row.clients),
      accountId: row.account_id,
    },
    demo: row.demo,
  };
}

/** Remembers when a key was last used, at most once a minute and never in the way of the request. */
function noteUse(id: string): void {
  const noted = perProcess("key-uses", () => new Map<string, number>());
  const now = Date.now();
  if (now - (noted.get(id) ?? 0) < 60_000) return;
  noted.set(id, now);
  pool()
    .query("update api_keys set last_used_at = now() where id = $1", [id])
    .catch((error) => log.warn({ err: error }, "could not note the use of an API key"));
}
