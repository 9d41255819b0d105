import pg from "pg";
import { getClient } from "@/lib/accounts/stores/get-client";
import { env } from "@/lib/platform/env";
import { encodeCursor } from "@/lib/platform/http/cursor";
import { createClient } from "@/lib/settings/create-client";
import type { Lists } from "@/lib/tools/bench/lists";
import { median } from "@/lib/tools/bench/measure";
import { cursorOf, insertReferencedRows, listRows, type PortalList, portalLists } from "@/lib/tools/bench/portal-lists";
import { logToStderr, step } from "@/lib/tools/launch/bootstrap.mjs";

// Fills the configured database with few rows, measures the pages of every portal list, adds many rows and measures
// again. Prints the times as one JSON value.

const CLIENT = "lists.bench.example";
/** Rows of every table in the first measurement. */
const INITIAL_ROWS = 10_000;
const REPETITIONS = 15;
const WRITERS = 2;

type Times = { first: number; midPage: number | null };

logToStderr();
const maxRows = Number(process.argv[2]);
await createClient({ id: CLIENT });
const client = await getClient(CLIENT);
if (!client) throw new Error("The created client can't be found.");
const writers = await Promise.all(Array.from({ length: WRITERS }, openWriter));
await insertReferencedRows((text, values) => writers[0]?.query(text, values) as Promise<unknown>, client);
// This trigger writes the `body` that lists display, so it stays enabled when the others are off.
for (const table of ["reviews", "seller_reviews", "questions"])
  await writers[0]?.query(`alter table ${table} enable always trigger ${table}_keep_body`);

const lists = portalLists(client);
let fillSeconds = 0;
await insertRows(1, INITIAL_ROWS);
const few = await step(`Measuring ${lists.length} lists`, () => measure(INITIAL_ROWS));
await insertRows(INITIAL_ROWS + 1, maxRows);
const many = await step("Measuring them again", () => measure(maxRows));
const measured: Omit<Lists, "name" | "postgres"> = {
  about: `a page of every list of the portal, the first and one from the middle, medians of ${REPETITIONS}; 1.0 × where both take less than a millisecond`,
  rows: { few: INITIAL_ROWS, many: maxRows },
  fillSeconds,
  lists: lists.map(({ page, name }, at) => {
    const [before, after] = [few[at] as Times, many[at] as Times];
    return {
      page,
      name,
      first: { few: before.first, many: after.first },
      midPage: before.midPage === null || after.midPage === null ? null : { few: before.midPage, many: after.midPage },
    };
  }),
};
process.stdout.write(JSON.stringify(measured));
process.exit(0);

/** A connection that writes without counters and foreign key checks, which are not measured. */
async function openWriter(): Promise<pg.Client> {
  const db = new pg.Client({ connectionString: env().DATABASE_URL });
  await db.connect();
  await db.query("set session_replication_role = replica");
  await db.query("set synchronous_commit = off");
  await db.query("set maintenance_work_mem = '512MB'");
  return db;
}

/** Inserts the rows of all tables. Each writer takes one table after another. */
async function insertRows(from: number, to: number): Promise<void> {
  const began = performance.now();
  const statements = listRows(client as NonNullable<typeof client>, { from, to, last: maxRows });
  const tables = [...new Set(statements.map(({ table }) => table))].values();
  await step(`Making ${to} rows of every table`, async () => {
    await Promise.all(
      writers.map(async (db) => {
        for (const table of tables)
          await withoutIndexes(db, table, async () => {
            for (const { text, values } of statements.filter((each) => each.table === table))
              await db.query(text, values);
          });
      }),
    );
    // Otherwise the database writes the rows to disk while the first lists are measured.
    await writers[0]?.query("checkpoint");
  });
  fillSeconds += (performance.now() - began) / 1000;
}

/**
 * Drops the indexes and recreates them after `work`, which takes a fraction of the time of maintaining them per row.
 */
async function withoutIndexes(db: pg.Client, table: string, work: () => Promise<void>): Promise<void> {
  const { rows } = await db.query<{ name: string; text: string }>(
    `select c.oid::regclass::text as name, pg_get_indexdef(c.oid) as text
       from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = $1::regclass and not exists (select from pg_constraint where conindid = c.oid)`,
    [table],
  );
  for (const { name } of rows) await db.query(`drop index ${name}`);
  await work();
  for (const { text } of rows) await db.query(text);
  await db.query(`vacuum (analyze) ${table}`);
}

async function measure(rows: number): Promise<Times[]> {
  const middle = new Date(Date.now() - (maxRows - rows / 2) * 1000);
  const times: Times[] = [];
  for (const list of lists) times.push(await measureList(list, middle));
  return times;
}

/** Milliseconds of a list's first page and of one from its middle. */
async function measureList({ fetchPage }: PortalList, middle: Date): Promise<Times> {
  const timed = async (after?: string) => {
    const times: number[] = [];
    // The first two rounds don't count: they warm the cache.
    for (let round = -2; round < REPETITIONS; round += 1) {
      const began = performance.now();
      await fetchPage(after);
      if (round >= 0) times.push(performance.now() - began);
    }
    return median(times);
  };
  const next = cursorOf(await fetchPage());
  return { first: await timed(), midPage: next === undefined ? null : await timed(moveCursor(next, middle)) };
}

/**
 * A cursor in the middle of the list's order: at this time if the key has one (its id then hardly matters), else at an
 * id that sorts in the middle, as a number or as text.
 */
function moveCursor(after: string, middle: Date): string {
  const [order = "", began, ...key]: string[] = JSON.parse(Buffer.from(after, "base64url").toString("utf8"));
  const moved = key.map((part) => {
    if (/^\d{4}-\d\d-\d\d$/.test(part)) return middle.toISOString().slice(0, 10);
    // In the form in which the list writes it.
    if (/^\d{4}-\d\d-\d\dT/.test(part))
      return part.endsWith("Z") ? middle.toISOString() : middle.toISOString().replace("Z", "+00:00");
    return key.length > 1
      ? part
      : part.replace(/\d+$/, (digits) => (part === digits ? String(Number(digits) >> 1) : "5"));
  });
  return encodeCursor({ order, key: moved, startedAt: began ?? null });
}
