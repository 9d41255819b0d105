import { hash } from "node:crypto";
import type { Db } from "@/lib/platform/db/pool";

// How the log refers to an item without telling which it is: by a hash of the salt that the first row of the item's
// history has. Once the salt is deleted, nobody can tell.

const PREFIX = "candor/item:";
const DIGITS = 32;

/** An item's reference in the log: 32 hexadecimal digits. `salt`: a UUID in lower case. */
export const itemReference = (salt: string): string => hash("sha256", PREFIX + salt, "hex").slice(0, DIGITS);

/** The same as an SQL expression. */
export const itemReferenceSql = (salt: string): string =>
  `encode(substring(sha256(convert_to('${PREFIX}' || ${salt}::text, 'UTF8')) for ${DIGITS / 2}), 'hex')`;

/** The salt of an item's history as an SQL expression, from expressions of its client, kind and id. */
export const itemSaltSql = (clientId: string, kind: string, id: string): string =>
  `(select salt from moderation_events h where h.client_id = ${clientId} and h.kind = ${kind} and h.subject_id = ${id} order by h.id limit 1)`;

/** The salts of stored items' histories, by id; null if the salt is deleted. */
export async function readSalts(
  db: Db,
  clientId: string,
  kind: string,
  ids: string[],
): Promise<Map<string, string | null>> {
  const { rows } = await db.query<{ id: string; salt: string | null }>(
    `select id, ${itemSaltSql("$1", "$2", "g.id")} as salt from unnest($3::text[]) as g(id)`,
    [clientId, kind, ids],
  );
  return new Map(rows.map(({ id, salt }) => [id, salt]));
}
