import pg from "pg";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { photoImportLock } from "@/lib/reviews/uploads/photo-import-lock";
import { knownPeople, type StoreTable, storeTables } from "./tables";

const quoted = pg.escapeIdentifier;
const literal = pg.escapeLiteral;
const listed = (columns: readonly string[]): string => columns.map((column) => quoted(column)).join(", ");

/** An exported table with the columns of its archive. */
export type ArchivedTable = StoreTable & { columns: string[] };

/** The exported tables, given all tables of the database. */
export const archivedTables = (tables: readonly { name: string; columns: string[] }[]): ArchivedTable[] =>
  storeTables.map((table) => {
    const { columns } = tables.find(({ name }) => name === table.name)!;
    return { ...table, columns: columns.filter((column) => !table.without?.includes(column)) };
  });

/** The column that names a row's store. */
const clientColumn = (table: string): string => (table === "clients" ? "id" : "client_id");

export const copyStoreRows = ({ name, columns, order, where = "true" }: ArchivedTable, clientId: string): string =>
  `copy (select ${listed(columns)} from ${quoted(name)} where ${clientColumn(name)} = ${literal(clientId)} and ${where}
          order by ${order}) to stdout`;

export async function clientExists(db: pg.Client, clientId: string): Promise<boolean> {
  return (await db.query("select from clients where id = $1", [clientId])).rowCount === 1;
}

export async function accountExists(db: pg.Client, id: string): Promise<boolean> {
  return (await db.query("select from accounts where id = $1", [id])).rowCount === 1;
}

export async function isErasing(db: pg.Client, clientId: string): Promise<boolean> {
  return ((await db.query("select from deletion_requests where client_id = $1 limit 1", [clientId])).rowCount ?? 0) > 0;
}

/** One import of a store at a time, and no deletion of its photos meanwhile. */
export async function lockImport(db: pg.Client, clientId: string): Promise<boolean> {
  const { rows } = await db.query<{ locked: boolean }>(`select pg_try_advisory_lock(${photoImportLock}) as locked`, [
    clientId,
  ]);
  return rows[0]?.locked === true;
}

export async function unlockImport(db: pg.Client, clientId: string): Promise<void> {
  await db.query(`select pg_advisory_unlock(${photoImportLock})`, [clientId]);
}

// The import loads each table into a temporary one, checks its rows there, and inserts them in batches.

const temporary = (name: string): string => quoted(`archived_${name}`);

type Columns = Pick<ArchivedTable, "name" | "columns">;

/** Creates the temporary table of a table. `n` numbers its rows in the order of the archive. */
export async function createTemporary(db: pg.Client, { name, columns }: Columns): Promise<void> {
  await db.query(
    name === knownPeople.name
      ? `create temp table ${temporary(name)} (${columns.map((column) => `${quoted(column)} text`).join(", ")}) on commit drop`
      : `create temp table ${temporary(name)} on commit drop as select ${listed(columns)} from ${quoted(name)} with no data`,
  );
  await db.query(`alter table ${temporary(name)} add column n bigint generated always as identity`);
}

export const copyToTemporary = ({ name, columns }: Columns): string =>
  `copy ${temporary(name)} (${listed(columns)}) from stdin`;

export async function indexTemporary(db: pg.Client, name: string): Promise<void> {
  await db.query(`create index on ${temporary(name)} (n)`);
  if (name === "answers") await db.query(`create index on ${temporary(name)} (question_id)`);
  if (name === "uploads") await db.query(`create index on ${temporary(name)} (key)`);
  await db.query(`analyze ${temporary(name)}`);
}

/** Whether a table has rows of another store. */
export async function hasForeignRows(db: pg.Client, name: string, clientId: string): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    `select exists (select from ${temporary(name)} where ${clientColumn(name)} is distinct from $1) as found`,
    [clientId],
  );
  return rows[0]?.found === true;
}

/** Whether a text shows a photo that isn't among the archive's uploads: it could be another store's. */
export async function hasForeignImages(db: pg.Client, name: string): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    `select exists (
       select from ${temporary(name)} r cross join lateral jsonb_array_elements(r.images) i
        where not exists (select from ${temporary("uploads")} u where u.key = i->>'key' and u.token = i->>'token')) as found`,
  );
  return rows[0]?.found === true;
}

/** Whether a photo has a key that isn't one of ours: keys are names of folders, which a failed import deletes. */
export async function hasInvalidKeys(db: pg.Client): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    `select exists (select from ${temporary("uploads")} where (key ~ '^[0-9a-f]{32}$') is not true) as found`,
  );
  return rows[0]?.found === true;
}

/** Photos in the archive. */
export async function selectArchivedPhotos(db: pg.Client): Promise<{ key: string; format: "jpeg" | "png" | "webp" }[]> {
  const { rows } = await db.query(`select key, format from ${temporary("uploads")} order by n`);
  return rows;
}

/** Rows per statement: triggers collect what a statement changes in memory. */
const BATCH_SIZE = 10_000;

/**
 * Inserts a table's rows in the order of the archive, so that sequences number them in that order. `values` are SQL
 * expressions of columns that the archive doesn't have, or that replace its values. Returns the number of rows.
 */
export async function insertArchived(
  db: pg.Client,
  { name, columns }: Columns,
  { values = {}, where = "true" }: { values?: Readonly<Record<string, string>>; where?: string } = {},
): Promise<number> {
  const targets = [...columns.filter((column) => !(column in values)), ...Object.keys(values)];
  const selected = [
    ...columns.filter((column) => !(column in values)).map((column) => `a.${quoted(column)}`),
    ...Object.values(values),
  ];
  return inBatches(
    db,
    name,
    `insert into ${quoted(name)} (${listed(targets)}) select ${selected.join(", ")} from ${temporary(name)} a
      where a.n > $1 and a.n <= $2 and ${where} order by a.n`,
  );
}

/**
 * Inserts questions with their answers in one statement, the answers first: the trigger that writes a question's JSON
 * sees them, and later ones would change `updated_at`. Returns the number of rows.
 */
export async function insertQuestions(
  db: pg.Client,
  questions: ArchivedTable,
  answers: ArchivedTable,
): Promise<number> {
  const columns = listed(questions.columns);
  const inserted = await inBatches(
    db,
    "questions",
    `with batch as materialized (select * from ${temporary("questions")} where n > $1 and n <= $2),
          answered as (
            insert into answers (${listed(answers.columns)})
            select ${listed(answers.columns)} from ${temporary("answers")}
             where question_id in (select id from batch) order by n returning 1)
     insert into questions (${columns}) select ${columns} from batch where (select count(*) from answered) >= 0 order by n`,
  );
  const { rows } = await db.query<{ n: number }>(`select count(*)::int as n from ${temporary("answers")}`);
  return inserted + rows[0]!.n;
}

async function inBatches(db: pg.Client, name: string, statement: string): Promise<number> {
  const { rows } = await db.query<{ last: string | null }>(`select max(n) as last from ${temporary(name)}`);
  const last = Number(rows[0]?.last ?? 0);
  let inserted = 0;
  for (let first = 0; first < last; first += BATCH_SIZE)
    inserted += (await db.query(statement, [first, first + BATCH_SIZE])).rowCount ?? 0;
  return inserted;
}

/** Whether an answer's question isn't in the archive. */
export async function hasOrphanAnswers(db: pg.Client): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    `select exists (select from ${temporary("answers")} a
                     where not exists (select from ${temporary("questions")} q where q.id = a.question_id)) as found`,
  );
  return rows[0]?.found === true;
}

/**
 * Triggers and foreign keys plan their look-ups once, when the tables of a new installation are still empty and a scan
 * looks cheap. With ten thousand rows it isn't.
 */
export async function preferIndexes(db: pg.Client, isPreferred: boolean): Promise<void> {
  await db.query(`set local enable_seqscan = ${isPreferred ? "off" : "on"}`);
}

/** SQL condition: the installation has no such audit entry. It keeps those of a deleted store. */
export const isNewAuditEntrySql = `not exists (
  select from audit_entries e
   where e.client_id = a.client_id and e.at = a.at
     and (e.actor_kind, e.actor_id, e.action, e.subject, e.detail)
       is not distinct from (a.actor_kind, a.actor_id, a.action, a.subject, a.detail))`;

/**
 * Invitations that weren't sent when the archive was made, or weren't accepted by an external sender: where they come
 * from, they still may be, so they aren't sent here, and their items aren't asked about again. Returns how many.
 */
export async function giveUpUnsent(db: pg.Client): Promise<number> {
  const { rowCount } = await db.query(
    `update ${temporary("invitations")} set status = 'failed', sent_at = null, error = 'store_moved'
      where status = 'claimed' or status = 'sent' and handed_at is not null and taken_at is null`,
  );
  return rowCount ?? 0;
}

/** The row of the store, without the columns that aren't in the archive. */
export async function selectArchivedClient(db: pg.Client): Promise<ClientRow | undefined> {
  const { rows } = await db.query<ClientRow>(`select * from ${temporary("clients")}`);
  return rows[0];
}

export async function isArchivedLogo(db: pg.Client, key: string): Promise<boolean> {
  const { rowCount } = await db.query(`select from ${temporary("uploads")} where key = $1 and subject_kind = 'logo'`, [
    key,
  ]);
  return rowCount === 1;
}
