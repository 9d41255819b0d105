import { notify } from "@/lib/accounts/notifications/notify";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { KindName } from "@/lib/integrations/kinds";
import { STALE_AFTER_MS } from "@/lib/integrations/rows";
import type { IntegrationRun } from "@/lib/integrations/schema";
import { now } from "@/lib/platform/clock";
import { type Db, pool, transaction } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { type EncodedNotices, encodeNotices, withNotices } from "@/lib/platform/notices";

/** Number of runs to keep per integration. */
const MAX_RUNS = 200;

/** Error of a run whose process died. */
const INTERRUPTED = encodeNotices({ reason: "run_cut_short" });

/**
 * Records the start of a run and returns its id. Only one run is in progress at a time, so an earlier one without an
 * end was interrupted. Deletes runs beyond the limit.
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

/** Records the counts of a run in progress. */
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
 * Records the end of a run. `error` is for merchants, without secrets or customer data; with an error, the integration
 * is failing, without one active. `warning`: what was skipped and needs attention. Counts are by name: `{ orders: 12,
 * skipped: 1 }`.
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

/**
 * Records an integration's health: an error, or null. A successful run resets a failed test. Admins are notified when it
 * starts failing.
 */
export async function recordHealth(clientId: string, kind: KindName, error: EncodedNotices | null): Promise<void> {
  await transaction(async (db) => {
    const { rows } = await db.query<{ enabled: boolean; was_failing: boolean }>(
      `update integrations i set last_run_at = $3, error = $4,
              state = case when $4::text is null then i.state - 'test_error' else i.state end
         from (select error from integrations where client_id = $1 and type = $2 for update) was
        where i.client_id = $1 and i.type = $2
       returning i.enabled, was.error is not null as was_failing`,
      [clientId, kind, now(), error],
    );
    const [saved] = rows;
    if (!saved?.enabled || error === null) return;
    await notify(db, {
      clientId,
      to: { role: "admin" },
      kind: "integration_stopped",
      params: { integration: kind },
      path: `/portal/integrations/${kind}`,
      dedupeKey: `integration_stopped:${kind}`,
      isRepeat: saved.was_failing,
    });
  });
}

/** Records the result of a connection test: the first error, or null. */
export const recordTestResult = (clientId: string, kind: KindName, error: EncodedNotices | null): Promise<void> =>
  mergeState(clientId, kind, { test_error: error });

/**
 * Saves the state of a run under its kind, including the time of its last activity; null once it's over. A sync request
 * stays until the end of the run that fulfills it, so that it's always either requested or in progress.
 */
export const saveRunState = (clientId: string, kind: KindName, state: Record<string, unknown> | null): Promise<void> =>
  mergeState(clientId, kind, { [kind]: state });

/** Records a sync request. Uses the database's clock, as do readers, which may run on other machines. */
export async function recordSyncRequest(db: Db, clientId: string, kind: KindName): Promise<void> {
  await db.query(
    `update integrations set state = state || jsonb_build_object('asked_at', extract(epoch from clock_timestamp()) * 1000)
      where client_id = $1 and type = $2`,
    [clientId, kind],
  );
}

/** Time of an unfulfilled sync request, for {@link clearSyncRequest}; null if there is none. */
export async function readSyncRequest(clientId: string, kind: KindName): Promise<string | null> {
  const { rows } = await pool().query<{ asked_at: string | null }>(
    "select state->>'asked_at' as asked_at from integrations where client_id = $1 and type = $2",
    [clientId, kind],
  );
  return rows[0]?.asked_at ?? null;
}

/** Clears this request, but not a later one. Compares for equality only, so clocks don't matter. */
export async function clearSyncRequest(clientId: string, kind: KindName, requestedAt: string): Promise<void> {
  await pool().query(
    "update integrations set state = state - 'asked_at' where client_id = $1 and type = $2 and state->'asked_at' = $3::jsonb",
    [clientId, kind, requestedAt],
  );
}

/** Merges members into an integration's saved state; null removes a member. */
export async function mergeState(clientId: string, kind: KindName, members: Record<string, unknown>): Promise<void> {
  await pool().query(
    "update integrations set state = jsonb_strip_nulls(state || $3::jsonb) where client_id = $1 and type = $2",
    [clientId, kind, JSON.stringify(members)],
  );
}

/** Whether a listed run is still in progress, unless it's stale. */
export const isActiveRun = ({ outcome, started_at }: Pick<IntegrationRun, "outcome" | "started_at">): boolean =>
  outcome === "running" && now().getTime() - Date.parse(started_at) < STALE_AFTER_MS;

/** The last runs of an integration, newest first. */
export async function listSyncRuns(
  client: Pick<ClientRow, "id">,
  kind: KindName,
  limit = 20,
): Promise<IntegrationRun[]> {
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
