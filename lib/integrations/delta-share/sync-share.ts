import { getClient } from "@/lib/accounts/stores/get-client";
import { addCount } from "@/lib/integrations/add-count";
import { finishSyncRun, mergeState, recordProgress, startSyncRun } from "@/lib/integrations/record-run";
import {
  CREDENTIALS_UNREADABLE,
  type IntegrationRow,
  type IntegrationWithSecrets,
  selectIntegration,
  unsealCredentials,
  withSecrets,
} from "@/lib/integrations/rows";
import { withSyncLock } from "@/lib/integrations/sync-lock";
import { SYNC_FINISHED, type SyncPart, type SyncRequest } from "@/lib/integrations/sync-types";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { postponeRequests, rateLimitKey, waitForRateLimit } from "@/lib/platform/jobs/partner-rate-limit";
import { type EncodedNotices, encodeError, encodeNotices, joinNotices } from "@/lib/platform/notices";
import { DeltaShareClient, PER_SECOND, type ShareOptions } from "./client";
import { findTables, requiredParts } from "./find-tables";
import { importArticles } from "./import-articles";
import { importReceipts } from "./import-receipts";
import { readProfile } from "./profile";
import { readTable, type TableReadContext, type TableReadResult } from "./read-table";
import { isProfileRefused, setProfileRefused } from "./refused-profile";
import { ShareError } from "./share-error";
import { partNames } from "./share-tables";
import { deleteShareRows } from "./sql";
import { readState, type State, saveShareState } from "./state";

export type SyncOptions = Partial<Pick<ShareOptions, "retryDelays" | "timeout">> &
  SyncRequest & {
    /** milliseconds until the rest is left to the next part */
    budget?: number;
    /** requests per second; by default, what the platform allows */
    perSecond?: number;
  };

const BUDGET_MS = 20_000;
/** Seconds to wait after each consecutive busy response. After the last one, the run ends with an error. */
const BUSY_RETRY_DELAYS = [30, 60, 120, 300, 600];
const CLEAR_BATCH_SIZE = 5_000;

/**
 * Imports a client's orders from its data share: one part of a run of about `budget` ms, to be called until it returns
 * no next part. Errors of the share end up in the run's report; only our own are thrown. Per client, parts never run
 * concurrently: a second call returns without doing anything. Can be killed at any time.
 */
export async function syncShare(clientId: string, options: SyncOptions = {}): Promise<SyncPart> {
  const part = await withSyncLock("share", clientId, async () => {
    const row = await selectIntegration(clientId, "share");
    return row?.enabled ? await runPart(row, options) : SYNC_FINISHED;
  });
  return part ?? SYNC_FINISHED;
}

async function runPart(row: IntegrationRow, options: SyncOptions): Promise<SyncPart> {
  const clientId = row.client_id;
  if (typeof unsealCredentials(row)?.profile !== "string") return failUnreadable(clientId);
  const integration = withSecrets(row, "share");
  const profile = readProfile(integration.secrets.profile);
  const state = readState(integration, profile.endpoint);
  const saveProgress = async () => {
    state.active_at = now().getTime();
    await saveShareState(clientId, state);
    if (state.run) await recordProgress(clientId, "share", state.run, state.counts);
  };
  if (!state.run) {
    Object.assign(state, {
      run: await startSyncRun(clientId, "share"),
      counts: {},
      done: [],
      left_out: {},
      stumbles: 0,
    });
    await saveProgress();
  }
  // A requested run retries a rejected profile, which may be valid again.
  if (!options.requested && isProfileRefused(integration))
    return finishPart(clientId, state, encodeNotices({ reason: "profile_refused_before" }));
  const filesBefore = state.counts.files ?? 0;
  const deadline = performance.now() + (options.budget ?? BUDGET_MS);
  try {
    while (state.clearing) {
      state.clearing = (await deleteShareRows(pool(), clientId, CLEAR_BATCH_SIZE)) >= CLEAR_BATCH_SIZE;
      await saveProgress();
    }
    const isDone = await readTables(integration, state, saveProgress, { ...options, until: deadline });
    if (!isDone) return { nextInSeconds: 0, error: null };
    if (isProfileRefused(integration)) await setProfileRefused(integration, false);
    const timeZone = String((await getClient(clientId))?.config.time_zone ?? "UTC");
    while (
      await importReceipts({
        clientId,
        settings: integration.settings,
        counts: state.counts,
        timeZone,
      })
    ) {
      await saveProgress();
      if (performance.now() > deadline) return { nextInSeconds: 0, error: null };
    }
    const importError = await importCatalogIfChanged(integration, state, new URL(profile.endpoint).origin, options);
    const warning = joinNotices([...warningsOf(state), ...importError]);
    await mergeState(clientId, "share", { warning });
    return await finishPart(clientId, state, null, warning);
  } catch (error) {
    if (!(error instanceof ShareError)) throw error;
    if (error.kind !== "busy") {
      if (error.kind === "credential") await setProfileRefused(integration, true);
      return finishPart(clientId, state, encodeError(error));
    }
    if ((state.counts.files ?? 0) > filesBefore) state.stumbles = 0;
    const delaySeconds = BUSY_RETRY_DELAYS[state.stumbles];
    if (delaySeconds === undefined) return finishPart(clientId, state, encodeError(error));
    state.stumbles += 1;
    await saveProgress();
    return {
      nextInSeconds: Math.min(Math.max(delaySeconds, error.details.retryAfter ?? 0), 3_600),
      error: encodeError(error),
    };
  }
}

/** Reads all tables. Returns false if time is up. */
async function readTables(
  { clientId, settings, secrets }: IntegrationWithSecrets<"share">,
  state: State,
  saveProgress: () => Promise<void>,
  { until, retryDelays, timeout, perSecond }: SyncOptions & { until: number },
): Promise<boolean> {
  if (state.done.length === partNames.length) return true;
  const share = createDeltaShareClient({ secrets }, { retryDelays, timeout, perSecond });
  const { found, missing } = await findTables(share, settings);
  if (missing) throw new ShareError("missing", missing);
  const { counts, told: notices } = state;
  // At least one file per part, so that every part makes progress.
  let files = 0;
  const hasTime = () => performance.now() < until || files++ === 0;
  const reading: TableReadContext = {
    share,
    clientId,
    settings,
    counts,
    notices,
    skippedFiles: state.left_out,
    timeout,
    hasTime,
  };
  for (const part of partNames) {
    if (state.done.includes(part)) continue;
    const table = found[part];
    const before = counts[part] ?? 0;
    try {
      if (!table) delete notices[part];
      const read: TableReadResult = table
        ? await readTable(reading, part, table, state.seen[part])
        : { state: "unchanged" };
      if (part === "articles" && (counts.articles ?? 0) > before) state.articles_changed = true;
      if (read.state === "more") {
        await saveProgress();
        return false;
      }
      if (read.state === "read") state.seen[part] = read.seen;
    } catch (error) {
      // Stores and articles are optional: orders are imported without their names.
      if (
        !(error instanceof ShareError) ||
        requiredParts.includes(part) ||
        error.kind === "busy" ||
        error.kind === "credential"
      )
        throw error;
      notices[part] = [encodeError(error)];
    }
    state.done.push(part);
    state.stumbles = 0;
    await saveProgress();
  }
  return true;
}

/** A client that shares the rate limit of all processes. */
export function createDeltaShareClient(
  { secrets }: Pick<IntegrationWithSecrets<"share">, "secrets">,
  { perSecond = PER_SECOND, ...options }: Pick<SyncOptions, "retryDelays" | "timeout" | "perSecond"> = {},
): DeltaShareClient {
  const profile = readProfile(secrets.profile);
  const key = rateLimitKey("share", profile.bearerToken);
  return new DeltaShareClient({
    profile,
    waitForSlot: () => waitForRateLimit(key, perSecond),
    onRateLimited: (seconds) => postponeRequests(key, seconds),
    ...options,
  });
}

const warningsOf = (state: State): EncodedNotices[] => Object.values(state.told).flat();

async function finishPart(
  clientId: string,
  state: State,
  error: EncodedNotices | null,
  warning = joinNotices(warningsOf(state)),
): Promise<SyncPart> {
  if (state.run) await finishSyncRun(clientId, "share", state.run, { counts: state.counts, error, warning });
  Object.assign(state, {
    run: undefined,
    active_at: undefined,
    done: [],
    left_out: {},
  });
  await saveShareState(clientId, state);
  return { nextInSeconds: null, error };
}

async function failUnreadable(clientId: string): Promise<SyncPart> {
  await finishSyncRun(clientId, "share", await startSyncRun(clientId, "share"), {
    error: CREDENTIALS_UNREADABLE,
  });
  return { nextInSeconds: null, error: CREDENTIALS_UNREADABLE };
}

/**
 * Imports changed articles, if enabled. Mass deletions need a person's confirmation. Returns notices about a failed
 * import.
 */
async function importCatalogIfChanged(
  { clientId, settings }: IntegrationWithSecrets<"share">,
  state: State,
  origin: string,
  { confirmDeletions }: SyncRequest,
): Promise<EncodedNotices[]> {
  if (!settings.catalogue || !state.articles_changed) return [];
  let importError: AppError | null = null;
  try {
    const report = await importArticles(clientId, { source: `${origin} (articles)`, confirmDeletions });
    addCount(state.counts, "products", report.created + report.updated + report.deleted);
    state.articles_changed = false;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    importError = error;
  }
  await mergeState(clientId, "share", { deletions_held: importError?.code === "conflict" || null });
  return importError ? [encodeNotices({ reason: "articles_not_imported" }, ...importError.issues)] : [];
}
