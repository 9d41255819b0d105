import { hash, timingSafeEqual } from "node:crypto";
import type { Actor } from "@/lib/accounts/actor";
import { recordKeyUse } from "@/lib/accounts/sign-in/key-uses";
import { rowCache } from "@/lib/platform/db/cache";
import { pool } from "@/lib/platform/db/pool";
import type { Scope } from "@/lib/platform/http/contract";

type KeyRow = {
  id: string;
  name: string;
  hash: Buffer;
  scopes: Scope[];
  clients: string[];
  account_id: string | null;
  demo: boolean;
};

/** A found key with its actor, and whether it's the demo's. */
type CachedKey = { hash: Buffer; actor: Actor; demo: boolean };

const toCachedKey = ({ id, name, hash, scopes, clients, account_id, demo }: KeyRow): CachedKey => ({
  hash,
  actor: { kind: "key", id, name, role: "admin", scopes, clients: new Set(clients), accountId: account_id },
  demo,
});

/** The stored form of a key: the SHA-256 of its secret. Secrets have 128 random bits, so no slow hash is needed. */
export const hashSecret = (secret: string): Buffer<ArrayBuffer> => hash("sha256", secret, "buffer");

const cache = () =>
  rowCache<CachedKey>(
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
      return rows[0] ? toCachedKey(rows[0]) : null;
    },
    (_hash, known) => (known ? [`key:${known.actor.id}`] : []),
  );

/** The actor of an API key's secret, and whether it's the demo's; null if unknown or revoked. */
export async function actorOfKey(secret: string): Promise<{ actor: Actor; demo: boolean } | null> {
  const hash = hashSecret(secret);
  const known = await cache().get(hash.toString("base64"));
  // The look-up is by hash already; comparing again keeps the check constant-time whatever the cache does.
  if (!known || !timingSafeEqual(known.hash, hash)) return null;
  recordKeyUse(known.actor.id);
  return known;
}
