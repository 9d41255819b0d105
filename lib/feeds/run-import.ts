import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { PoolClient } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import {
  createImport,
  failImport,
  type ImportKind,
  type ImportOrigin,
  incompleteFields,
  type StoredReport,
  saveReport,
} from "@/lib/feeds/import-records";
import { pool, transaction } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import type { FeedReport } from "@/lib/platform/parsing/report";

// Shared by all imports of many rows: a dedicated connection whose temporary tables are the stage, rows copied there
// while they are read, and a tally that becomes the report.

/** Maximum rejected rows listed in a report. */
export const MAX_REJECTIONS = 100_000;

export type RejectedRow = { row: number; reason: string };
/** Rows a statement rejected: their number, and the first of them. */
export type DroppedRows = { total: number; rows: RejectedRow[] };

export class ImportTally {
  read = 0;
  created = 0;
  updated = 0;
  deleted = 0;
  #rejected: RejectedRow[] = [];
  #rejectedCount = 0;

  reject(...rows: RejectedRow[]): void {
    this.drop({ total: rows.length, rows });
  }

  drop({ total, rows }: DroppedRows): void {
    this.#rejectedCount += total;
    for (const row of rows) if (this.#rejected.length < MAX_REJECTIONS) this.#rejected.push(row);
  }

  /** `read = created + updated + unchanged + rejectedCount` */
  toReport({ repairs, warnings, warningCount, encoding, incomplete }: FeedReport): StoredReport {
    const { read, created, updated, deleted } = this;
    return {
      read,
      created,
      updated,
      unchanged: read - this.#rejectedCount - created - updated,
      deleted,
      rejected: this.#rejected.sort((one, other) => one.row - other.row),
      rejectedCount: this.#rejectedCount,
      repairs,
      warnings,
      warningCount,
      encoding,
      ...incompleteFields(incomplete),
    };
  }
}

type RunOptions = ImportOrigin & {
  dryRun?: boolean;
  /** The work saves its report itself, in the transaction it reports on. */
  savesReport?: true;
};

/**
 * Runs an import on a dedicated connection, which is closed afterwards together with its stage. Its report or error is
 * saved in `feed_imports`; a dry run saves nothing. The connection's advisory lock marks the import as running (see
 * `import-records.ts`). Throws `not_found` for an unknown client, and `ImportEndedError` if this import ended while it
 * waited for the lock.
 */
export async function runImport<Report extends StoredReport>(
  clientId: string,
  kind: ImportKind,
  { dryRun, savesReport, ...origin }: RunOptions,
  work: (db: PoolClient, importId: string) => Promise<Report>,
): Promise<Report> {
  if (dryRun) return withSession(null, (db) => work(db, "dry-run"));
  const id = origin.importId ?? newId("imp");
  let isStarted = false;
  try {
    return await withSession(id, async (db) => {
      await createImport(clientId, kind, { ...origin, importId: id });
      isStarted = true;
      const report = await work(db, id);
      if (!savesReport) await transaction((own) => saveReport(own, clientId, id, report));
      return report;
    });
  } catch (error) {
    // Before that, the row says what another run of the import does.
    if (isStarted) await failImport(clientId, id, error);
    throw error;
  }
}

/** Runs work on a connection of its own, with a lock that marks the import as running. */
export async function withSession<T>(importId: string | null, work: (db: PoolClient) => Promise<T>): Promise<T> {
  const db = await pool().connect();
  db.on("error", () => {}); // A broken connection also fails the running statement.
  try {
    await db.query("set statement_timeout = 0"); // Files may arrive slowly.
    if (importId !== null) {
      await db.query("select pg_advisory_lock(hashtext('candor.import'), hashtext($1))", [importId]);
    }
    return await work(db);
  } finally {
    db.release(true);
  }
}

/** Copies rows into a table of this connection as they arrive, in batches. `toLine` may return an empty string. */
export async function stageRows<Row>(
  db: PoolClient,
  copy: string,
  batches: AsyncIterable<Row[]>,
  toLine: (row: Row) => string,
  afterBatch: () => void,
): Promise<void> {
  async function* lines(): AsyncGenerator<Buffer> {
    for await (const batch of batches) {
      let text = "";
      for (const row of batch) text += toLine(row);
      if (text !== "") yield Buffer.from(text);
      afterBatch();
    }
  }
  await pipeline(Readable.from(lines(), { highWaterMark: 1 }), db.query(copyFrom(copy)));
}

/** Runs a statement that deletes rows from the stage and returns their `row` and `reason`. */
export async function dropRows(db: PoolClient, deletion: string, values: unknown[] = []): Promise<DroppedRows> {
  const { rows } = await db.query<DroppedRows>(
    `with gone as (${deletion})
     select (select count(*)::int from gone) as total,
            coalesce((select jsonb_agg(jsonb_build_object('row', row, 'reason', reason) order by row)
                        from (select * from gone order by row limit $${values.length + 1}) first), '[]') as rows`,
    [...values, MAX_REJECTIONS],
  );
  return rows[0]!;
}
