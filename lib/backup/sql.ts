import pg from "pg";
import { env } from "@/lib/platform/env";

// PostgreSQL queries of backup and restore. All of them work for a role that owns the tables and is no superuser.

/** A connection outside the pool, without timeouts, whose text output doesn't depend on the server's settings. */
export async function connect(): Promise<pg.Client> {
  const db = new pg.Client({
    connectionString: env().DATABASE_URL,
    application_name: "candor backup",
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // A connection lost between two queries is reported by the next one.
  db.on("error", () => undefined);
  await db.connect();
  await db.query(
    `select set_config(s.name, v.setting, false)
       from (values ('statement_timeout', '0'), ('idle_in_transaction_session_timeout', '0'), ('idle_session_timeout', '0'),
                    ('transaction_timeout', '0'), ('lock_timeout', '10s'), ('client_encoding', 'UTF8'), ('timezone', 'UTC'),
                    ('datestyle', 'ISO, YMD'), ('intervalstyle', 'postgres'), ('bytea_output', 'hex'),
                    ('extra_float_digits', '3'), ('search_path', 'public')) v (name, setting)
       join pg_settings s on s.name = lower(v.name) or lower(s.name) = v.name`,
  );
  return db;
}

const quoted = pg.escapeIdentifier;
/** In the schema `public`, and not part of an extension. */
const notFromExtension = (oid: string, catalog: string): string =>
  `not exists (select from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = ${oid} and d.deptype = 'e')`;

/** One backup or restore at a time per database. */
export async function lockBackups(db: pg.Client): Promise<boolean> {
  const { rows } = await db.query<{ locked: boolean }>(
    "select pg_try_advisory_lock(hashtextextended('candor-backup', 0)) as locked",
  );
  return rows[0]?.locked === true;
}

export type Table = { name: string; columns: string[] };

/** All tables with their writable columns, without generated ones. */
export async function selectTables(db: pg.Client): Promise<Table[]> {
  const { rows } = await db.query<Table>(
    `select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and ${notFromExtension("c.oid", "pg_class")}
      group by c.relname order by c.relname`,
  );
  return rows;
}

export type Sequence = { name: string; value: string; called: boolean };

/** Values of sequences. They ignore snapshots: read now, they are at least what an earlier snapshot's rows contain. */
export async function selectSequences(db: pg.Client): Promise<Sequence[]> {
  const names = await sequenceNames(db);
  const found: Sequence[] = [];
  for (const name of names) {
    const { rows } = await db.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${quoted(name)}`,
    );
    found.push({ name, ...rows[0]! });
  }
  return found;
}

async function sequenceNames(db: pg.Client): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select c.relname::text as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' and ${notFromExtension("c.oid", "pg_class")} order by 1`,
  );
  return rows.map(({ name }) => name);
}

export async function setSequences(db: pg.Client, sequences: readonly Sequence[]): Promise<void> {
  const known = new Set(await sequenceNames(db));
  for (const { name, value, called } of sequences)
    if (known.has(name))
      await db.query("select setval($1::regclass, $2::bigint, $3)", [`public.${quoted(name)}`, value, called]);
}

export async function selectMigrations(db: pg.Client): Promise<{ name: string; checksum: string }[]> {
  const { rows } = await db.query<{ name: string; checksum: string }>(
    `select migration_name as name, checksum from _prisma_migrations
      where finished_at is not null and rolled_back_at is null order by migration_name`,
  );
  return rows;
}

/** Starts a transaction with one snapshot. No table can change its columns before it ends. */
export async function beginSnapshot(db: pg.Client, tables: readonly Table[]): Promise<void> {
  await db.query("begin isolation level repeatable read read only");
  await db.query(`lock table ${tables.map(({ name }) => quoted(name)).join(", ")} in access share mode`);
}

const listed = ({ name, columns }: Table): string =>
  `${quoted(name)} (${columns.map((column) => quoted(column)).join(", ")})`;
export const copyOut = (table: Table): string => `copy ${listed(table)} to stdout`;
/** `freeze` writes rows of a table created in this transaction as frozen, which saves the next vacuum all of them. */
export const copyIn = (table: Table): string =>
  `copy ${listed(table)} from stdin${table.name === MIGRATIONS ? "" : " with (freeze)"}`;

/** Prisma's own table, which no migration creates. */
const MIGRATIONS = "_prisma_migrations";
/** Tables that can have rows in an unused installation whose server has run. */
const unused = [MIGRATIONS, "lasting_secret", "job_runs", "job_steps", "job_failures", "partner_paces"];

/** Tables with rows that an unused installation doesn't have. */
export async function selectUsedTables(db: pg.Client): Promise<string[]> {
  const tables = (await selectTables(db)).filter(({ name }) => !unused.includes(name));
  const used: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.query<{ used: boolean }>(`select exists (select from ${quoted(name)}) as used`);
    if (rows[0]?.used) used.push(name);
  }
  return used;
}

/** How many other connections of Candor this database has. */
export async function countOtherConnections(db: pg.Client): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name ~ '^candor'`,
  );
  return rows[0]?.n ?? 0;
}

/** Drops everything that migrations and the job queue created, except the list of migrations, which it empties. */
export async function dropAll(db: pg.Client): Promise<void> {
  const drop = async (text: string) => {
    const { rows } = await db.query<{ statement: string }>(text);
    for (const { statement } of rows) await db.query(statement);
  };
  const relations = (kinds: string, what: string) =>
    drop(
      `select format('drop ${what} if exists %s cascade', string_agg(c.oid::regclass::text, ', ')) as statement from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in (${kinds}) and c.relname <> '${MIGRATIONS}'
          and ${notFromExtension("c.oid", "pg_class")} having count(*) > 0`,
    );
  await db.query("drop schema if exists pgboss cascade");
  await relations("'v'", "view");
  await relations("'r', 'p'", "table");
  await relations("'S'", "sequence");
  await drop(
    `select format('drop routine if exists %s cascade', string_agg(p.oid::regprocedure::text, ', ')) as statement from pg_proc p
      where p.pronamespace = 'public'::regnamespace and ${notFromExtension("p.oid", "pg_proc")} having count(*) > 0`,
  );
  await drop(
    `select format('drop type if exists %s cascade', string_agg(t.oid::regtype::text, ', ')) as statement
       from pg_type t left join pg_class c on c.oid = t.typrelid
      where t.typnamespace = 'public'::regnamespace and (t.typtype in ('e', 'd') or c.relkind = 'c')
        and ${notFromExtension("t.oid", "pg_type")} having count(*) > 0`,
  );
  await db.query(`delete from ${MIGRATIONS}`);
}

/**
 * Prepares empty tables for loading: disables our triggers, and drops foreign keys and indexes until the rows are
 * there, which is faster and needs no order among tables. Returns a function that restores them.
 */
export async function suspendConstraints(db: pg.Client, tables: readonly Table[]): Promise<() => Promise<void>> {
  const { rows: keys } = await db.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
       from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`,
  );
  const { rows: indexes } = await db.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
       from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> '${MIGRATIONS}'
        and not exists (select from pg_constraint where conindid = i.indexrelid) and ${notFromExtension("c.oid", "pg_class")} order by 1`,
  );
  for (const { table, name } of keys) await db.query(`alter table ${table} drop constraint ${name}`);
  for (const { name } of indexes) await db.query(`drop index ${name}`);
  for (const { name } of tables) await db.query(`alter table ${quoted(name)} disable trigger user`);
  return async () => {
    for (const { name } of tables) await db.query(`alter table ${quoted(name)} enable trigger user`);
    for (const { definition } of indexes) await db.query(definition);
    for (const { table, name, definition } of keys)
      await db.query(`alter table ${table} add constraint ${name} ${definition}`);
  };
}

export type StoredPhoto = { client_id: string; token: string; key: string; format: "jpeg" | "png" | "webp" };

/**
 * Uploads of a client, or all, ordered by key, after `last`. Those of an erasure are left out: their files are about to
 * be deleted.
 */
export async function selectPhotos(
  db: pg.Client,
  last: StoredPhoto | null,
  clientId: string | null = null,
): Promise<StoredPhoto[]> {
  const { rows } = await db.query<StoredPhoto>(
    `select client_id, token, key, format from uploads
      where (client_id, token) > ($1, $2) and ($3::text is null or client_id = $3)
        and subject_kind is distinct from 'erased' order by client_id, token limit 500`,
    [last?.client_id ?? clientId ?? "", last?.token ?? "", clientId],
  );
  return rows;
}

/** Feeds that were uploaded and aren't imported yet; `parts` is null during the upload. */
export async function selectFeedUploads(db: pg.Client): Promise<{ id: string; parts: number | null }[]> {
  const { rows } = await db.query<{ id: string; parts: number | null }>(
    "select id, parts from feed_uploads order by id",
  );
  return rows;
}

/** Work that the service continues when it starts: some of it may have been sent after the backup was made. */
export async function selectPending(db: pg.Client) {
  const { rows } = await db.query<{
    emails: number;
    events: number;
    webhooks: number;
    deliveries: number;
    runs: number;
  }>(
    `select (select count(*)::int from mails where status = 'queued') as emails,
            (select count(*)::int from outbox where relayed_at is null) as events,
            (select count(*)::int from webhook_deliveries where state = 'pending') as webhooks,
            (select count(*)::int from deliveries where outcome = 'pending') as deliveries,
            (select count(*)::int from job_runs where ended_at is null) as runs`,
  );
  return rows[0]!;
}
