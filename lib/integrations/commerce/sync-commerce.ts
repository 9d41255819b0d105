import { getClient } from "@/lib/accounts/stores/get-client";
import { finishSyncRun, mergeState, recordProgress, startSyncRun } from "@/lib/integrations/record-run";
import {
  CREDENTIALS_UNREADABLE,
  type IntegrationRow,
  type IntegrationWithSecrets,
  selectIntegration,
  toConfig,
  unsealCredentials,
  withSecrets,
} from "@/lib/integrations/rows";
import { withSyncLock } from "@/lib/integrations/sync-lock";
import { SYNC_FINISHED, type SyncPart, type SyncRequest } from "@/lib/integrations/sync-types";
import { getReadStart } from "@/lib/orders/erased-hashes";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { postponeRequests, rateLimitKey, waitForRateLimit } from "@/lib/platform/jobs/partner-rate-limit";
import { type EncodedNotices, encodeError, encodeNotices, joinNotices } from "@/lib/platform/notices";
import { CommerceClient, type CommerceClientOptions } from "./client";
import { importCatalog } from "./import-catalog";
import { Lookups } from "./lookups";
import { readNextPage, type ScanContext } from "./scan-orders";
import { credentialsOf } from "./schema";
import {
  type Login,
  loginHash,
  readLogin,
  readState,
  type State,
  saveCommerceState,
  saveLogin,
  tokenStorageOf,
} from "./state";
import { isPermissionDenied, StoreError } from "./store-error";

export type SyncOptions = Partial<Pick<CommerceClientOptions, "retryDelays" | "timeout">> &
  SyncRequest & {
    /** milliseconds until the rest is left to the next part */
    budget?: number;
    /** requests per second; by default, those of the settings */
    perSecond?: number;
  };

const BUDGET_MS = 20_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Maximum number of recorded failures per run. */
const MAX_FAILURES = 10;
/** Seconds to wait after each consecutive busy response. After the last one, the run ends with an error. */
const BUSY_RETRY_DELAYS = [30, 60, 120, 300, 600];

/**
 * Imports a client's orders from its commerce store: one part of a run of about `budget` ms, to be called until it
 * returns no next part. Errors of the store end up in the run's report; only our own are thrown. Per client, parts
 * never run concurrently: a second call returns without doing anything. Can be killed at any time.
 */
export async function syncCommerce(clientId: string, options: SyncOptions = {}): Promise<SyncPart> {
  const part = await withSyncLock("commerce", clientId, async () => {
    const row = await selectIntegration(clientId, "commerce");
    return row?.enabled ? await runPart(row, options) : SYNC_FINISHED;
  });
  return part ?? SYNC_FINISHED;
}

async function runPart(row: IntegrationRow, options: SyncOptions): Promise<SyncPart> {
  const { clientId, settings, state: savedState } = toConfig(row, "commerce");
  const state = readState({ settings, state: savedState });
  const saveProgress = async () => {
    state.active_at = now().getTime();
    await saveCommerceState(clientId, state);
    if (state.run) await recordProgress(clientId, "commerce", state.run, state.counts);
  };
  if (!state.run) {
    Object.assign(state, {
      run: await startSyncRun(clientId, "commerce"),
      since: undefined,
      counts: {},
      phase: "again",
      stumbles: 0,
      places: [],
      failures: [],
    });
    await saveProgress();
  }
  if (unsealCredentials(row) === null) return finishPart(clientId, state, CREDENTIALS_UNREADABLE);
  const integration = withSecrets(row, "commerce");
  const login = readLogin(integration);
  if (login.refused === loginHash(integration))
    return finishPart(clientId, state, encodeNotices({ reason: "shop_login_waits" }));
  try {
    const store = createCommerceClient(integration, login, options);
    // A requested run retries denied resources, since the permission may have been granted; so do changed credentials.
    const resources = state.denied?.version === row.version && !options.requested ? state.denied.resources : {};
    state.denied = { version: row.version, resources };
    const lookups = new Lookups(store, resources);
    const client = await getClient(clientId);
    const timeZone = String(client?.config.time_zone ?? "UTC");
    state.since ??= (await getReadStart(pool(), clientId)).getTime();
    const since = new Date(state.since);
    const passContext: ScanContext = {
      clientId,
      settings,
      store,
      state,
      lookups,
      timeZone,
      since,
      counts: state.counts,
    };
    const deadline = performance.now() + (options.budget ?? BUDGET_MS);
    while (await readNextPage(passContext)) {
      state.stumbles = 0;
      collectFailures(passContext);
      await saveProgress();
      if (performance.now() > deadline) return { nextInSeconds: 0, error: null };
    }
    await importCatalogDaily(passContext, options);
    collectFailures(passContext);
    await mergeState(clientId, "commerce", { warning: warningOf(state) });
    return await finishPart(clientId, state, null);
  } catch (error) {
    if (!(error instanceof AppError) || isInternalError(error)) throw error;
    if (!(error instanceof StoreError) || error.kind !== "busy") {
      if (error instanceof StoreError && error.kind === "login") {
        login.refused = loginHash(integration);
        await saveLogin(clientId, login);
      }
      return finishPart(clientId, state, encodeError(error));
    }
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

/** An error of our database, not of the store. */
const isInternalError = (error: AppError): boolean => error.code === "unavailable" && !(error instanceof StoreError);

/** A client that shares the rate limit of all processes. */
export function createCommerceClient(
  integration: Pick<IntegrationWithSecrets<"commerce">, "clientId" | "settings" | "secrets">,
  login: Login,
  { retryDelays, timeout, perSecond }: Pick<SyncOptions, "retryDelays" | "timeout" | "perSecond"> = {},
): CommerceClient {
  const { clientId, settings, secrets } = integration;
  const requestsPerSecond = perSecond ?? settings.requests_per_second;
  const key = rateLimitKey("commerce", new URL(settings.orders_url).origin);
  return new CommerceClient({
    ordersUrl: settings.orders_url,
    credentials: credentialsOf(settings, secrets),
    requestsPerSecond,
    tokens: tokenStorageOf(clientId, login, loginHash(integration)),
    waitForSlot: () => waitForRateLimit(key, requestsPerSecond),
    onRateLimited: (seconds) => postponeRequests(key, seconds),
    retryDelays,
    timeout,
  });
}

async function finishPart(clientId: string, state: State, error: EncodedNotices | null): Promise<SyncPart> {
  if (state.run)
    await finishSyncRun(clientId, "commerce", state.run, { counts: state.counts, error, warning: warningOf(state) });
  state.run = undefined;
  state.active_at = undefined;
  await saveCommerceState(clientId, state);
  return { nextInSeconds: null, error };
}

/** Once a day, if enabled. Mass deletions need a person's confirmation. */
async function importCatalogDaily(
  { clientId, settings, store, state, lookups }: ScanContext,
  { requested = false, confirmDeletions = false }: SyncRequest,
): Promise<void> {
  if (!settings.catalogue || !(requested || now().getTime() - (state.catalogue_at ?? 0) > DAY)) return;
  let deletionsHeld = false;
  let retryAfterMs = DAY;
  try {
    await importCatalog(clientId, store, settings, { confirmDeletions });
  } catch (error) {
    if (
      !(error instanceof AppError) ||
      isInternalError(error) ||
      (error instanceof StoreError && error.kind === "busy")
    )
      throw error;
    lookups.failures.add(encodeNotices({ reason: "catalogue_not_imported" }, ...error.issues));
    deletionsHeld = error.code === "conflict";
    // A failing store may recover soon; a denied permission is retried after a day.
    if (error instanceof StoreError && !isPermissionDenied(error)) retryAfterMs = HOUR;
  }
  state.catalogue_at = now().getTime() - DAY + retryAfterMs;
  await mergeState(clientId, "commerce", { deletions_held: deletionsHeld || null });
}

/** Keeps the failures of this part for the run's report. */
function collectFailures({ lookups, state }: ScanContext): void {
  state.failures = [...new Set([...state.failures, ...lookups.failures])].slice(0, MAX_FAILURES);
}

/** Problems that don't stop the import but need attention; null if there are none. */
function warningOf({ denied, failures, without, broken, places }: State): EncodedNotices | null {
  const notices = [...Object.values(denied?.resources ?? {}).map(({ said }) => said), ...failures];
  const incomplete = Object.keys(without).length;
  if (incomplete > 0) notices.push(encodeNotices({ reason: "orders_incomplete", params: { count: incomplete } }));
  if (broken.length > 0)
    notices.push(encodeNotices({ reason: "orders_fail", params: { orders: broken.map(({ id }) => id).join(", ") } }));
  if (places.length > 0)
    notices.push(encodeNotices({ reason: "orders_left_out", params: { orders: places.join("; ") } }));
  return joinNotices(notices);
}
