import type { PoolClient } from "pg";
import { type ClientRow, readClient } from "@/lib/accounts/stores/get-client";
import { entriesOfRow, entryTime } from "@/lib/honesty/entries-of-row";
import type { Entry } from "@/lib/honesty/entry";
import type { HistoryRow } from "@/lib/honesty/history-row";
import { signCheckpoint } from "@/lib/honesty/log/checkpoint";
import { verifierTextOf } from "@/lib/honesty/log/signed-note";
import { appendLeaves, bundle, leafHash, type ReadTile, rootOf, TILE_WIDTH, withTiles } from "@/lib/honesty/log/tree";
import { publicSettings } from "@/lib/honesty/public-settings";
import { type SigningKey, signersOf, signingKeys } from "@/lib/honesty/signing-keys";
import { pool, transaction } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { perProcess } from "@/lib/platform/process";
import {
  type BundlePart,
  hasMoreRows,
  insertLog,
  lockPosition,
  type StoredLog,
  selectLastTiles,
  selectLog,
  selectRows,
  selectWriters,
  setPosition,
  writeLog,
} from "./sql";

/**
 * Rows per transaction: requests wait while they are computed, about 5 ms at a time. And logs: each takes some queries, and
 * a transaction has 4.5 seconds.
 */
const BATCH = 500;
const MAX_LOGS = 100;

/** Appends everything that has been written to the history since to the stores' logs. */
export async function appendEntries(): Promise<void> {
  while ((await appendBatch()) > 0);
}

/**
 * Appends up to 500 rows of the history to the stores' logs, in the order of their ids, in one transaction with
 * the position: a crash neither loses nor repeats an entry. Any number of processes may run it, one at a time appends.
 * Returns the number of rows.
 */
export async function appendBatch(): Promise<number> {
  if (!(await hasMoreRows(pool()))) return 0;
  return transaction(async (db) => {
    const position = await lockPosition(db);
    if (position === null) return 0;
    const rows = firstLogs(await selectSettledRows(db, position));
    const last = rows.at(-1);
    if (!last) return 0;
    const keys = await signingKeys(db);
    for (const [clientId, ofClient] of byClient(rows)) await appendToLog(db, clientId, ofClient, keys);
    await setPosition(db, last.id);
    return rows.length;
  });
}

/** The rows up to the first one of a further log than a batch has. */
function firstLogs(rows: HistoryRow[]): HistoryRow[] {
  const clients = new Set<string>();
  const end = rows.findIndex(({ client_id }) => clients.add(client_id).size > MAX_LOGS);
  return end < 0 ? rows : rows.slice(0, end);
}

/** Writers that may still commit rows with ids up to one that was already read. */
type Awaited = { upTo: number; writers: string[] };
const awaited = () => perProcess<{ current: Awaited | null }>("log-awaited", () => ({ current: null }));

/**
 * The next rows, up to the first id that may still be committed. Ids are taken when a row is written, not when it is
 * committed, so one that is missing may come later, or never. Whoever took it holds a lock on the table until then: once
 * all those that held one when it was missing are done, it never comes.
 */
async function selectSettledRows(db: PoolClient, position: number): Promise<HistoryRow[]> {
  const waiting = awaited();
  for (;;) {
    const before = waiting.current;
    const writers = before ? await selectWriters(db) : [];
    const isSettled = before !== null && !before.writers.some((writer) => writers.includes(writer));
    const settled = isSettled ? before.upTo : 0;
    if (isSettled) waiting.current = null;
    const rows = await selectRows(db, position, BATCH);
    const missing = rows.findIndex(({ id }, index) => id > settled && id !== (rows[index - 1]?.id ?? position) + 1);
    if (missing < 0) return rows;
    waiting.current ??= { upTo: rows.at(-1)?.id ?? position, writers: await selectWriters(db) };
    // What was committed since these rows were read is seen by reading them again.
    if (waiting.current.writers.length > 0) return rows.slice(0, missing);
  }
}

function byClient(rows: HistoryRow[]): Map<string, HistoryRow[]> {
  const groups = new Map<string, HistoryRow[]>();
  for (const row of rows) {
    const group = groups.get(row.client_id);
    if (group) group.push(row);
    else groups.set(row.client_id, [row]);
  }
  return groups;
}

/** An entry to append, and the row that it was made from. */
type Made = { event: number; entry: Entry };

async function appendToLog(db: PoolClient, clientId: string, rows: HistoryRow[], keys: SigningKey[]): Promise<void> {
  const made = rows.flatMap((row) => entriesOfRow(row).map((entry): Made => ({ event: row.id, entry })));
  if (made.length === 0) return;
  let log = await selectLog(db, clientId);
  if (!log) {
    log = { origin: originOf(clientId), size: 0 };
    if (!(await insertLog(db, clientId, log.origin))) return; // a test store, or deleted meanwhile with its history
    const [first] = made as [Made];
    const opening = firstEntries(log, keys);
    // A new store's first row has its settings.
    if (first.entry.type !== "settings") opening.push(await settingsEntry(db, clientId));
    made.unshift(...opening.map((entry) => ({ event: first.event, entry })));
  }
  await writeEntries(db, clientId, log, made, keys);
}

/** The log's name: its address without the scheme. */
const originOf = (clientId: string): string =>
  `${new URL(env().PUBLIC_URL).host}/honesty/${encodeURIComponent(clientId)}/log`;

function firstEntries({ origin }: StoredLog, keys: SigningKey[]): Entry[] {
  const at = entryTime(new Date());
  return [
    { type: "began", at },
    ...keys.map(({ public_key }): Entry => ({ type: "key", at, key: verifierTextOf(origin, public_key) })),
  ];
}

async function settingsEntry(db: PoolClient, clientId: string): Promise<Entry> {
  const client = (await readClient(db, clientId)) as ClientRow; // its log has just been created
  return { type: "settings", at: entryTime(new Date()), settings: publicSettings(client) };
}

async function writeEntries(
  db: PoolClient,
  clientId: string,
  log: StoredLog,
  made: Made[],
  keys: SigningKey[],
): Promise<void> {
  const encoded = made.map(({ entry }) => Buffer.from(JSON.stringify(entry)));
  const parts: BundlePart[] = [];
  for (let start = 0; start < encoded.length; ) {
    const at = log.size + start;
    const end = Math.min(encoded.length, start + TILE_WIDTH - (at % TILE_WIDTH));
    parts.push({
      n: Math.floor(at / TILE_WIDTH),
      firstEvent: (made[start] as Made).event,
      entries: bundle(encoded.slice(start, end)),
    });
    start = end;
  }
  const lastTiles = await selectLastTiles(db, clientId, log.size);
  const readTile: ReadTile = (level, n) => {
    const tile = lastTiles.find((known) => known.level === level && known.n === n);
    if (!tile) throw new Error(`The log of ${clientId} lacks tile ${n} of level ${level}.`);
    return tile.hashes;
  };
  const changed = await appendLeaves(log.size, readTile, encoded.map(leafHash));
  const size = log.size + encoded.length;
  const root = await rootOf(size, withTiles(changed, readTile));
  const checkpoint = signCheckpoint({ origin: log.origin, size, root }, signersOf(keys, log.origin));
  await writeLog(db, clientId, parts, changed, { size, checkpoint });
}
