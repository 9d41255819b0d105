import type { PoolClient } from "pg";
import { contentFields } from "@/lib/honesty/entries-of-row";
import type { HistoryRow, StoreAction } from "@/lib/honesty/history-row";
import type { Tile } from "@/lib/honesty/log/tree";
import type { Db } from "@/lib/platform/db/pool";

/**
 * Locks the position in the history up to which entries are in the logs, so that one process at a time appends. Null if
 * another one does, unless this one waits for it.
 */
export async function lockPosition(db: PoolClient, meanwhile: "skip" | "wait" = "skip"): Promise<number | null> {
  await db.query("insert into log_position (event) values (0) on conflict do nothing");
  const { rows } = await db.query<{ event: number }>(
    `select event from log_position for update ${meanwhile === "skip" ? "skip locked" : ""}`,
  );
  return rows[0]?.event ?? null;
}

/** Whether the history has rows after the position. Without a lock, since mostly there are none. */
export async function hasMoreRows(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ more: boolean }>({
    name: "log-more",
    // The last id, not `exists`: that may read the whole history in search of a row.
    text: `select (select max(id) from moderation_events) > coalesce((select event from log_position), 0) as more`,
  });
  return rows[0]?.more === true;
}

/**
 * When the oldest row after the position was written, if that was more than an hour ago and nothing has been appended to any
 * log for an hour. Otherwise the logs only catch up, such as after a large import.
 */
export async function selectOverdueSince(db: Db): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date }>(
    `select at from (
       select at from moderation_events where id > coalesce((select event from log_position), 0) order by id limit 1) oldest
      where at < now() - interval '1 hour' and not exists (select from logs where signed_at > now() - interval '1 hour')`,
  );
  return rows[0]?.at ?? null;
}

export async function setPosition(db: PoolClient, event: number): Promise<void> {
  await db.query({ name: "log-position", text: "update log_position set event = $1", values: [event] });
}

const tables = { review: "reviews", seller_review: "seller_reviews", question: "questions" } as const;
const kinds = Object.keys(tables) as (keyof typeof tables)[];

const hasTextsSql = "e.action in ('submitted', 'imported', 'edited')";

/** The item's texts as JSON, source, verification and reward, by kind. */
const itemsSql = kinds
  .map(
    (
      kind,
    ) => `select jsonb_build_object(${contentFields[kind].map((field) => `'${field}', r.${field}`).join(", ")}) as texts, r.source,
             ${kind === "question" ? "false" : "r.verified_buyer"} as verified_buyer, r.verified_email,
             ${kind === "question" ? "false" : "r.incentivized"} as incentivized,
             ${kind === "seller_review" ? "false" : "r.verification is not null"} as unverified
        from ${tables[kind]} r where ${hasTextsSql} and e.kind = '${kind}' and r.client_id = e.client_id and r.id = e.subject_id`,
  )
  .join("\n      union all ");

/** Reads only what a row's entries need: a submission has no earlier rows, a decision no texts. */
const selectRowsText = `select e.id, e.client_id, e.kind, e.subject_id, e.at, e.actor_kind, e.action, e.from_state, e.to_state, e.reason,
         e.texts, e.facts, coalesce(f.id, e.id) = e.id as is_first, coalesce(f.salt, e.salt) as salt,
         -- what a later edit replaced is what it was then; subqueries, since a join may read the whole history
         coalesce((select texts from moderation_events where id = h.edit), i.texts) as texts_then,
         i.source, i.verified_buyer, i.verified_email,
         coalesce((select (texts ->> 'incentivized')::boolean from moderation_events where id = h.mark), i.incentivized) as incentivized,
         -- the author is still to confirm the address, or did afterwards
         e.action = 'submitted' and e.kind <> 'seller_review' and (i.unverified or h.verified) as unconfirmed
    from (select * from moderation_events where id > $1 order by id limit $2) e
    left join lateral (
      select id, salt from moderation_events f
       where e.action <> 'submitted' and e.kind <> 'store'
         and f.client_id = e.client_id and f.kind = e.kind and f.subject_id = e.subject_id order by id limit 1) f on true
    left join lateral (
      ${itemsSql}) i on true
    left join lateral (
      select min(h.id) filter (where h.action in ('edited', 'imported') and h.texts is not null) as edit,
             min(h.id) filter (where h.texts ? 'incentivized') as mark, bool_or(h.action = 'verified') as verified
        from moderation_events h
       where ${hasTextsSql} and h.client_id = e.client_id and h.kind = e.kind and h.subject_id = e.subject_id and h.id > e.id) h on true
   order by e.id`;

/** The next rows of the history, in the order of their ids. */
export async function selectRows(db: Db, after: number, limit: number): Promise<HistoryRow[]> {
  const { rows } = await db.query<HistoryRow>({
    name: "log-history",
    text: selectRowsText,
    values: [after, limit],
  });
  return rows;
}

/** The transactions that have written to the history, or are about to, and haven't ended. */
export async function selectWriters(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: "log-writers",
    text: `select virtualtransaction as id from pg_locks
            where locktype = 'relation' and relation = 'moderation_events'::regclass and mode = 'RowExclusiveLock'
              and database = (select oid from pg_database where datname = current_database())`,
  });
  return rows.map(({ id }) => id);
}

/** Records a fact for each of these clients' logs. */
export async function insertFacts(
  db: Db,
  action: StoreAction,
  facts: { client_id: string; facts: Record<string, unknown> }[],
): Promise<void> {
  await db.query(
    `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, salt, facts)
     select client_id, 'store', client_id, 'system', $1, null, facts
       from jsonb_to_recordset($2::jsonb) as f(client_id text, facts jsonb)`,
    [action, JSON.stringify(facts)],
  );
}

/** Locks the recording of a store's invitations by day until the transaction ends. */
export async function lockInvitationDays(db: Db, clientId: string): Promise<void> {
  await db.query("select pg_advisory_xact_lock(hashtextextended('invitation-days:' || $1, 0))", [clientId]);
}

/** The last day whose invitations are in a store's history. Null if there is none. */
export async function selectLastInvitationDay(db: Db, clientId: string): Promise<string | null> {
  const { rows } = await db.query<{ day: string }>(
    `select facts->>'day' as day from moderation_events
      where client_id = $1 and kind = 'store' and subject_id = $1 and action = 'invitations' order by id desc limit 1`,
    [clientId],
  );
  return rows[0]?.day ?? null;
}

/** All logs' names. */
export async function selectOrigins(db: Db): Promise<{ client_id: string; origin: string }[]> {
  const { rows } = await db.query<{ client_id: string; origin: string }>("select client_id, origin from logs");
  return rows;
}

export type StoredLog = { origin: string; size: number };

/** The client's log, or undefined before its first entry. */
export async function selectLog(db: Db, clientId: string): Promise<StoredLog | undefined> {
  const { rows } = await db.query<StoredLog>({
    name: "log",
    text: "select origin, size from logs where client_id = $1",
    values: [clientId],
  });
  return rows[0];
}

/** Creates a client's log. False if the client doesn't exist anymore, or is a test store. */
export async function insertLog(db: Db, clientId: string, origin: string): Promise<boolean> {
  const { rowCount } = await db.query(
    "insert into logs (client_id, origin) select id, $2 from clients where id = $1 and test_days is null for key share",
    [clientId, origin],
  );
  return rowCount === 1;
}

/** The last tile of each level of a log of this size. */
export async function selectLastTiles(db: Db, clientId: string, size: number): Promise<Tile[]> {
  const places: { level: number; n: number }[] = [];
  for (let level = 0, count = size; count > 0; level += 1, count = Math.floor(count / 256))
    places.push({ level, n: Math.floor((count - 1) / 256) });
  const { rows } = await db.query<Tile>({
    name: "log-last-tiles",
    text: `select t.level, t.n, t.hashes from unnest($2::smallint[], $3::bigint[]) as p(level, n)
             join log_tiles t on t.client_id = $1 and t.level = p.level and t.n = p.n`,
    values: [clientId, places.map(({ level }) => level), places.map(({ n }) => n)],
  });
  return rows;
}

/** A bundle's part to append, and the row that its first entry is from, should the bundle be new. */
export type BundlePart = { n: number; firstEvent: number; entries: Buffer };

/** Appends to a log: entries to its last bundle and new ones, changed tiles, the new head. */
export async function writeLog(
  db: Db,
  clientId: string,
  parts: BundlePart[],
  tiles: Tile[],
  head: { size: number; checkpoint: string },
): Promise<void> {
  await db.query({
    name: "log-append",
    text: `with bundles as (
        insert into log_bundles as b (client_id, n, first_event, entries)
        select $1, n, first_event, entries from unnest($2::bigint[], $3::bigint[], $4::bytea[]) as p(n, first_event, entries)
        on conflict (client_id, n) do update set entries = b.entries || excluded.entries),
      tiles as (
        insert into log_tiles as t (client_id, level, n, hashes)
        select $1, level, n, hashes from unnest($5::smallint[], $6::bigint[], $7::bytea[]) as p(level, n, hashes)
        on conflict (client_id, level, n) do update set hashes = excluded.hashes)
      update logs set size = $8, checkpoint = $9, signed_at = now() where client_id = $1`,
    values: [
      clientId,
      parts.map(({ n }) => n),
      parts.map(({ firstEvent }) => firstEvent),
      parts.map(({ entries }) => entries),
      tiles.map(({ level }) => level),
      tiles.map(({ n }) => n),
      tiles.map(({ hashes }) => hashes),
      head.size,
      head.checkpoint,
    ],
  });
}

/** A log's head. Null before its first entry. */
export async function selectHead(
  db: Db,
  clientId: string,
): Promise<{ origin: string; size: number; checkpoint: string } | null> {
  const { rows } = await db.query<{ origin: string; size: number; checkpoint: string }>({
    name: "log-head",
    text: "select origin, size, checkpoint from logs where client_id = $1",
    values: [clientId],
  });
  return rows[0] ?? null;
}

/** A tile's hashes. Null if there is no such tile. */
export async function selectTile(db: Db, clientId: string, level: number, n: number): Promise<Buffer | null> {
  const { rows } = await db.query<{ hashes: Buffer }>({
    name: "log-tile",
    text: "select hashes from log_tiles where client_id = $1 and level = $2 and n = $3",
    values: [clientId, level, n],
  });
  return rows[0]?.hashes ?? null;
}

/** A bundle's entries. Null if there is no such bundle. */
export async function selectBundle(db: Db, clientId: string, n: number): Promise<Buffer | null> {
  const { rows } = await db.query<{ entries: Buffer }>({
    name: "log-bundle",
    text: "select entries from log_bundles where client_id = $1 and n = $2",
    values: [clientId, n],
  });
  return rows[0]?.entries ?? null;
}

/** The position in the history up to which entries are in the logs. */
export async function selectPosition(db: Db): Promise<number> {
  const { rows } = await db.query<{ event: number }>("select event from log_position");
  return rows[0]?.event ?? 0;
}

/** A row of an item's history. */
export type ItemEvent = { id: number; action: string; to_state: string | null };

/**
 * The history of the item with this id and salt, or with this reference once it's deleted. Empty if the salt is another
 * one.
 */
export async function selectItemEvents(
  db: Db,
  of: { clientId: string; kind: string; id: string; salt: string; item: string },
): Promise<ItemEvent[]> {
  const { rows } = await db.query<ItemEvent>({
    name: "receipt-events",
    text: `select e.id, e.action, e.to_state from moderation_events e
            where e.client_id = $1 and e.kind = $2
              and e.subject_id = case when (
                    select salt from moderation_events f
                     where f.client_id = $1 and f.kind = $2 and f.subject_id = $3 order by f.id limit 1) = $4 then $3 else $5 end
            order by e.id`,
    values: [of.clientId, of.kind, of.id, of.salt, of.item],
  });
  return rows;
}

/** The numbers of the bundles that may have entries made from these rows of the history. */
export async function selectBundlesOf(db: Db, clientId: string, events: number[]): Promise<number[]> {
  const { rows } = await db.query<{ n: number }>({
    name: "receipt-bundles",
    // a row's entries may continue in the next bundle, which then begins with that row
    text: `select distinct b.n from unnest($2::bigint[]) as e(id) cross join lateral (
             (select n from log_bundles where client_id = $1 and first_event <= e.id order by first_event desc, n desc limit 1)
             union all
             (select n from log_bundles where client_id = $1 and first_event < e.id order by first_event desc, n desc limit 1)
           ) b order by b.n`,
    values: [clientId, events],
  });
  return rows.map(({ n }) => n);
}
