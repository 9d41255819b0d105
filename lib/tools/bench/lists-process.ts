import pg from "pg";
import { getClient } from "@/lib/accounts/stores/get-client";
import { env } from "@/lib/platform/env";
import { encodeCursor } from "@/lib/platform/http/cursor";
import { createClient } from "@/lib/settings/create-client";
import type { Filled, MeasureRequest } from "@/lib/tools/bench/lists";
import { cursorOf, insertReferencedRows, listRows, type PortalList, portalLists } from "@/lib/tools/bench/portal-lists";
import { logToStderr, step } from "@/lib/tools/launch/bootstrap.mjs";

// Fills the configured database, then measures the pages of the portal's lists that its parent asks for.

const CLIENT = "lists.bench.example";
const WRITERS = 2;

logToStderr();
/** Rows of every table, and the row whose time is now. */
const [rows = 0, lastRow = 0] = process.argv.slice(2).map(Number);
await createClient({ id: CLIENT });
const client = await getClient(CLIENT);
if (!client) throw new Error("The created client can't be found.");
const writers = await Promise.all(Array.from({ length: WRITERS }, openWriter));
await insertReferencedRows((text, values) => writers[0]?.query(text, values) as Promise<unknown>, client);
// This trigger writes the `body` that lists display, so it stays enabled when the others are off.
for (const table of ["reviews", "seller_reviews", "questions"])
  await writers[0]?.query(`alter table ${table} enable always trigger ${table}_keep_body`);
const began = performance.now();
await step(`Making ${rows} rows of every table`, insertRows);
const fillSeconds = (performance.now() - began) / 1000;

const lists = portalLists(client);
const nextPages: (string | undefined)[] = [];
for (const { fetchPage } of lists) nextPages.push(cursorOf(await fetchPage()));
process.on("message", async ({ index, isMidPage, rounds }: MeasureRequest) =>
  send(
    await measure(
      lists[index] as PortalList,
      isMidPage ? moveCursor(nextPages[index] as string, middle()) : undefined,
      rounds,
    ),
  ),
);
process.on("disconnect", () => process.exit(0));
send({
  fillSeconds,
  lists: lists.map(({ page, name }, index) => ({ page, name, hasMidPage: nextPages[index] !== undefined })),
});

function send(message: Filled | number[]): void {
  process.send?.(message);
}

/** The time of the row in the middle. */
function middle(): Date {
  return new Date(Date.now() - (lastRow - rows / 2) * 1000);
}

/** Milliseconds of a page in each round. */
async function measure({ fetchPage }: PortalList, after: string | undefined, rounds: number): Promise<number[]> {
  const times: number[] = [];
  // The first round doesn't count: it warms the caches.
  for (let round = -1; round < rounds; round += 1) {
    const began = performance.now();
    await fetchPage(after);
    if (round >= 0) times.push(performance.now() - began);
  }
  return times;
}

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
async function insertRows(): Promise<void> {
  const statements = listRows(client as NonNullable<typeof client>, { to: rows, last: lastRow });
  const tables = [...new Set(statements.map(({ table }) => table))].values();
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
