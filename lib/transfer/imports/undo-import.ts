import type { PoolClient } from "pg";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { withSession } from "@/lib/feeds/run-import";
import { recordFact } from "@/lib/honesty/record-fact";
import { pool, transaction } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import type { EventName, OutboxEvent } from "@/lib/platform/jobs/outbox/events";
import { deleteDependents } from "@/lib/reviews/contributions/delete-dependents";
import { eraseHistory } from "@/lib/reviews/decisions/erase-history";
import { releaseUploadsOf } from "@/lib/reviews/uploads/claim-uploads";
import { lockImports } from "@/lib/transfer/import-reviews";
import { progressOf, requireImport } from "@/lib/transfer/imports/records";
import type { UndoCounts } from "@/lib/transfer/imports/schema";
import type { ExportKind } from "@/lib/transfer/schema";

type Client = Pick<ClientRow, "id">;

/** Reviews per transaction. */
const BATCH = 100;

const subjects = {
  reviews: { kind: "review", deleted: "review/deleted" },
  seller_reviews: { kind: "seller_review", deleted: "seller_review/deleted" },
  questions: { kind: "question", deleted: "question/deleted" },
} as const satisfies Record<ExportKind, { kind: string; deleted: EventName }>;

/** Items whose changes are counted before an undo, so that the answer doesn't take long. */
const MAX_COUNTED = 50_000;

/**
 * Items (`x`) of imports that were made after this one: what was deleted and then imported again belongs to them.
 * $1 client, $2 the import.
 */
const LATER_ITEMS = `review_imports mine
  join review_imports later on later.client_id = mine.client_id
   and coalesce(later.imported_at, later.created_at) > coalesce(mine.imported_at, mine.created_at)
  join review_import_items x on x.client_id = later.client_id and x.import_id = later.id
 where mine.client_id = $1 and mine.id = $2`;

/**
 * Deletes what an import created, with its replies, photos and votes, even if people changed it since. In batches of one
 * transaction each, so that it can be interrupted and continued; then the import is undone. Does nothing if undoing it
 * isn't requested. Other imports of the client wait.
 */
export const undoImport = (client: Client, id: string): Promise<void> =>
  withSession(null, async (db) => {
    await lockImports(db, client.id);
    const { kind, status, created } = await requireImport(client.id, id);
    if (status !== "undoing") return;
    const total = await countItems(db, client.id, id);
    const setProgress = progressOf(client.id, id);
    for (let done = 0, count = BATCH; count === BATCH; done += count, setProgress(done, total))
      count = await deleteBatch(client, id, kind);
    await transaction(async (db) => {
      const { rowCount } = await db.query(
        "update review_imports set status = 'undone', undone_at = now() where client_id = $1 and id = $2 and status = 'undoing'",
        [client.id, id],
      );
      if (rowCount) await recordFact(db, client.id, "import_undone", { of: kind, created });
    });
  });

async function countItems(db: PoolClient, clientId: string, id: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::int as count from review_import_items where client_id = $1 and import_id = $2",
    [clientId, id],
  );
  return rows[0]!.count;
}

/** Deletes a batch and its list of what was created; returns the number of listed items. */
const deleteBatch = (client: Client, importId: string, table: ExportKind): Promise<number> =>
  transaction(async (db) => {
    const { kind, deleted: event } = subjects[table];
    const { rows: items } = await db.query<{ id: string }>(
      `delete from review_import_items where (client_id, import_id, id) in (
         select client_id, import_id, id from review_import_items where client_id = $1 and import_id = $2 order by id limit $3)
       returning id`,
      [client.id, importId, BATCH],
    );
    const { rows: later } = await db.query<{ id: string }>(`select x.id from ${LATER_ITEMS} and x.id = any($3)`, [
      client.id,
      importId,
      items.map(({ id }) => id),
    ]);
    const kept = new Set(later.map(({ id }) => id));
    const ids = items.map(({ id }) => id).filter((id) => !kept.has(id));
    if (kind === "question") {
      const { rows: answers } = await db.query<{ id: string }>(
        "select id from answers where client_id = $1 and question_id = any($2)",
        [client.id, ids],
      );
      await eraseHistory(
        db,
        client.id,
        "answer",
        answers.map(({ id }) => id),
      );
    }
    // Locked in the order in which everything else locks several of them.
    const { rows: gone } = await db.query<{ id: string; accepted: boolean | null; created_at: Date }>(
      `with held as materialized (select id from ${table} where client_id = $1 and id = any($2) order by id for update)
       delete from ${table} where client_id = $1 and id in (select id from held) returning id, accepted, created_at`,
      [client.id, ids],
    );
    if (gone.length === 0) return items.length;
    await releaseUploadsOf(
      db,
      client,
      kind,
      gone.map(({ id }) => id),
    );
    await deleteDependents(db, client.id, kind, gone, { action: "deleted", actor: { kind: "system", id: null } });
    const events = gone.map(({ id }) => ({ name: event, data: { client_id: client.id, [`${kind}_id`]: id } }));
    await enqueue(db, events as OutboxEvent[]);
    return items.length;
  });

/**
 * What people did since with what an import created, for the question whether to undo it. Only the first 50,000 items
 * are examined. Throws `not_found`.
 */
export async function countUndo(client: Client, id: string): Promise<UndoCounts> {
  const { kind: table } = await requireImport(client.id, id);
  const { kind } = subjects[table];
  const replied =
    table === "questions"
      ? "exists (select from answers a where a.client_id = $1 and a.question_id = r.id and a.created_at >= r.created_at)"
      : `exists (select from responses a where a.client_id = $1 and a.kind = '${kind}' and a.subject_id = r.id and a.created_at >= r.created_at)`;
  const voted =
    table === "reviews" ? "or exists (select from votes v where v.client_id = $1 and v.review_id = r.id)" : "";
  const { rows } = await pool().query<UndoCounts>(
    `with existing as materialized (
       select r.id, r.created_at, r.flag_count from review_import_items i join ${table} r on r.client_id = i.client_id and r.id = i.id
        where i.client_id = $1 and i.import_id = $2 and not exists (select from ${LATER_ITEMS} and x.id = r.id))
     select (select count(*)::int from existing) as items,
            count(*) filter (where exists (select from moderation_events e where e.client_id = $1 and e.kind = '${kind}'
              and e.subject_id = r.id and e.actor_kind in ('user', 'key', 'author')))::int as decided,
            count(*) filter (where ${replied})::int as answered,
            count(*) filter (where r.flag_count > 0 ${voted})::int as voted
       from (select * from existing limit ${MAX_COUNTED}) r`,
    [client.id, id],
  );
  return rows[0]!;
}
