import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { KindName } from "@/lib/integrations/kinds";
import { STALE_AFTER_MS } from "@/lib/integrations/rows";
import type { IntegrationRun } from "@/lib/integrations/schema";
import { now } from "@/lib/platform/clock";
import { type Db, pool } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { type EncodedNotices, encodeNotices, withNotices } from "@/lib/platform/notices";

/** How many runs are kept of an integration. */
const MAX_RUNS = 200;

/** What a merchant reads of a run whose process died. */
const INTERRUPTED = encodeNotices({ reason: "run_cut_short" });

/**
 * Notes that a run of an integration begins; its id. One at a time is at work, so another that is noted as running died with
 * its process before anybody could remember it. Runs beyond the last two hundred go.
 */
export async function startSyncRun(clientId: string, kind: KindName): Promise<string> {
  const id = newId("run");
  await pool().query(
    `update integration_runs set outcome = 'failed', finished_at = $3, error = $4
      where client_id = $1 and type = $2 and outcome = 'running'`,
    [clientId, kind, now(), INTERRUPTED],
  );
  await pool().query("insert into integration_runs (client_id, id, type, started_at) values ($1, $2, $3, $4)", [
    clientId,
    id,
    kind,
    now(),
  ]);
  await pool().query(
    `delete from integration_runs where client_id = $1 and type = $2 and id in (
       select id from integration_runs where client_id = $1 and type = $2
        order by started_at desc, id desc offset $3)`,
    [clientId, kind, MAX_RUNS],
  );
  return id;
}

/** Notes how far a run came, for those who watch. */
export async function recordProgress(
  clientId: string,
  kind: KindName,
  id: string,
  counts: Record<string, number>,
): Promise<void> {
  await pool().query(
    `update integration_runs set counts = $4 where client_id = $1 and type = $2 and id = $3 and outcome = 'running'`,
    [clientId, kind, id, JSON.stringify(counts)],
  );
}

/**
 * Notes how a run ended. `error` is for the merchant, without anything secret or a customer's: with one the
 * integration counts as failing, without one as working. `warning`: what was left out, and should be looked at. Counts are by
 * name: `{ orders: 12, skipped: 1 }`.
 */
export async function finishSyncRun(
  clientId: string,
  kind: KindName,
  id: string,
  {
    counts = {},
    error = null,
    warning = null,
  }: { counts?: Record<string, number>; error?: EncodedNotices | null; warning?: EncodedNotices | null },
): Promise<void> {
  await pool().query(
    `update integration_runs set finished_at = $4, outcome = $5, counts = $6, error = $7, warning = $8
      where client_id = $1 and type = $2 and id = $3`,
    [clientId, kind, id, now(), error === null ? "done" : "failed", JSON.stringify(counts), error, warning],
  );
  await recordHealth(clientId, kind, error);
}

/** Whether an integration works: null, or what keeps it from it. A run that succeeds outdates a test that failed. */
export async function recordHealth(clientId: string, kind: KindName, error: EncodedNotices | null): Promise<void> {
  await pool().query(
    `update integrations set last_run_at = $3, error = $4,
            state = case when $4::text is null then state - 'test_error' else state end
      where client_id = $1 and type = $2`,
    [clientId, kind, now(), error],
  );
}

/** Notes what a test of the connection found: null, or the first thing that failed. */
export const recordTestResult = (clientId: string, kind: KindName, error: EncodedNotices | null): Promise<void> =>
  mergeState(clientId, kind, { test_error: error });

/**
 * Remembers how far a run is, under the name of its kind, with the moment that it was last at work; null once it is over. That
 * it was asked for stays until the end of the part that answers it: until then nobody finds it neither asked for nor at work.
 */
export const saveRunState = (clientId: string, kind: KindName, state: Record<string, unknown> | null): Promise<void> =>
  mergeState(clientId, kind, { [kind]: state });

/**
 * Notes that a run was asked for. By the database's clock, as it is judged by it: who asks, who works and who looks may be
 * different machines.
 */
export async function recordSyncRequest(db: Db, clientId: string, kind: KindName): Promise<void> {
  await db.query(
    `update integrations set state = state || jsonb_build_object('asked_at', extract(epoch from clock_timestamp()) * 1000)
      where client_id = $1 and type = $2`,
    [clientId, kind],
  );
}

/** When somebody asked who has no answer yet, as {@link clearSyncRequest} takes it; null where nobody did. */
export async function readSyncRequest(clientId: string, kind: KindName): Promise<string | null> {
  const { rows } = await pool().query<{ asked_at: string | null }>(
    "select state->>'asked_at' as asked_at from integrations where client_id = $1 and type = $2",
    [clientId, kind],
  );
  return rows[0]?.asked_at ?? null;
}

/** Who asked then is answered. Who asked since still waits: moments are told apart and not compared, so no clock has a say. */
export async function clearSyncRequest(clientId: string, kind: KindName, askedAt: string): Promise<void> {
  await pool().query(
    "update integrations set state = state - 'asked_at' where client_id = $1 and type = $2 and state->'asked_at' = $3::jsonb",
    [clientId, kind, askedAt],
  );
}

/** Adds to what an integration's worker remembers between its runs; null takes a member away. */
export async function mergeState(clientId: string, kind: KindName, members: Record<string, unknown>): Promise<void> {
  await pool().query(
    "update integrations set state = jsonb_strip_nulls(state || $3::jsonb) where client_id = $1 and type = $2",
    [clientId, kind, JSON.stringify(members)],
  );
}

/** Whether a run, as it was listed, is still at work as far as anybody can tell. */
export const isActiveRun = ({ outcome, started_at }: Pick<IntegrationRun, "outcome" | "started_at">): boolean =>
  outcome === "running" && now().getTime() - Date.parse(started_at) < STALE_AFTER_MS;

/** The last runs of an integration, newest first. */
export async function listRuns(client: Pick<ClientRow, "id">, kind: KindName, limit = 20): Promise<IntegrationRun[]> {
  type Row = Omit<IntegrationRun, "started_at" | "finished_at"> & {
    started_at: Date;
    finished_at: Date | null;
  };
  const { rows } = await pool().query<Row>(
    `select id, started_at, finished_at, outcome, counts, error, warning from integration_runs
      where client_id = $1 and type = $2 order by started_at desc, id desc limit $3`,
    [client.id, kind, limit],
  );
  return rows.map(({ started_at, finished_at, ...row }) =>
    withNotices(
      { ...row, started_at: toIsoSeconds(started_at), finished_at: finished_at && toIsoSeconds(finished_at) },
      "error",
      "warning",
    ),
  );
}
