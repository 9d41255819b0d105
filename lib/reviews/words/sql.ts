import type { Db } from "@/lib/platform/db/pool";
import { searchedTexts } from "@/lib/platform/db/search-words";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";
import { tables } from "@/lib/reviews/decisions/tables";
import { wordsTables } from "@/lib/reviews/words/words-tables";

/** Transactions that began up to so long ago may still commit texts with an earlier time, such as a long import. */
const OVERLAP = "interval '1 hour'";

/**
 * Clients with texts whose words aren't stored, and since when: among those changed since an hour before the newest one
 * that was read, or among `all`.
 */
export async function selectClientsToIndex(
  db: Db,
  kind: ModeratedKind,
  clientIds: string[] | null,
  all: boolean,
): Promise<{ client_id: string; from: string }[]> {
  const table = tables[kind];
  const words = wordsTables[kind];
  const { rows } = await db.query<{ client_id: string; from: string }>(
    `select c.id as client_id, to_json(r.updated_at) #>> '{}' as from
       from clients c
       cross join lateral (select max(text_at) filter (where ${!all}) as newest from ${words} where client_id = c.id) w
       cross join lateral (
         select updated_at from ${table} r
          where r.client_id = c.id and (w.newest is null or r.updated_at >= w.newest - ${OVERLAP})
            and not exists (select from ${words} i where i.client_id = r.client_id and i.id = r.id and i.text_at = r.updated_at)
          order by r.updated_at limit 1) r
      where $1::text[] is null or c.id = any($1)`,
    [clientIds],
  );
  return rows;
}

/** A text's place in the order in which texts are read. `text_at` as ISO text in full precision. */
export type Indexed = { text_at: string; id: string };

/**
 * Stores the words of up to `limit` texts from a place on, and returns the last one. Locks the texts, so that none is
 * deleted meanwhile: a foreign key deletes its words with it.
 */
export async function insertWords(
  db: Db,
  kind: ModeratedKind,
  clientId: string,
  after: Indexed,
  limit: number,
): Promise<{ count: number; last: Indexed | null }> {
  const table = tables[kind];
  const words = wordsTables[kind];
  const { rows } = await db.query<{ count: number; text_at: string | null; id: string | null }>(
    `with texts as (
       select r.client_id, r.id, r.updated_at, ${searchedTexts[table]} as text from ${table} r
        where r.client_id = $1 and (r.updated_at, r.id) >= ($2::timestamptz, $3)
          and not exists (select from ${words} i where i.client_id = r.client_id and i.id = r.id and i.text_at = r.updated_at)
        order by r.updated_at, r.id limit $4 for key share of r skip locked),
     stored as (
       insert into ${words} (client_id, id, text_at, words)
       select client_id, id, updated_at, search_words(client_id, text) from texts
       on conflict (client_id, id) do update set text_at = excluded.text_at, words = excluded.words)
     select count(*)::int as count, (array_agg(to_json(updated_at) #>> '{}' order by updated_at desc, id desc))[1] as text_at,
            (array_agg(id order by updated_at desc, id desc))[1] as id
       from texts`,
    [clientId, after.text_at, after.id, limit],
  );
  const [{ count, text_at, id } = { count: 0, text_at: null, id: null }] = rows;
  return { count, last: count < limit || text_at === null || id === null ? null : { text_at, id } };
}
