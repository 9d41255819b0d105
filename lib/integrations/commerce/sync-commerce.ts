import { getClient } from "@/lib/accounts/stores/get-client";
import { beginRun, endRun, recordProgress, rememberState } from "@/lib/integrations/record-run";
import {
  configured,
  type IntegrationRow,
  LOST,
  type Opened,
  opened,
  secretsOf,
  selectIntegration,
} from "@/lib/integrations/rows";
import { type Asked, alone, OVER, type SyncPart } from "@/lib/integrations/sync-part";
import { readingSince } from "@/lib/orders/erased";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { holdOff, paceKey, waitForTurn } from "@/lib/platform/jobs/pace";
import { joinKept, type Kept, keep, keepError } from "@/lib/platform/notices";
import { importCatalogue } from "./import-catalogue";
import { refusesRights, StoreFault } from "./read-fault";
import { credentialsOf } from "./schema";
import { keeperOf, keepLogin, keepState, type Login, loginOf, readLogin, readState, type State } from "./state";
import { Store, type StoreOptions } from "./store";
import { Lookups } from "./surroundings";
import { step, type Work } from "./sync-orders";

export type SyncOptions = Partial<Pick<StoreOptions, "waits" | "timeout">> &
  Asked & {
    /** milliseconds after which the rest is left to the next part */
    budget?: number;
  };

const BUDGET = 20_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Sentences on what the shop failed on. */
const MOST_FAILURES = 10;
/** Seconds to wait where the shop is busy, one time after another; then the run is given up until the next. */
const WAITS = [30, 60, 120, 300, 600];

/**
 * Takes a client's orders from its shop: a part of a run, as long as `budget` says, to be called until nothing is left.
 * What happens in the shop ends in the run's report and is no failure of ours; only what is wrong here is thrown. One
 * part at a time for each client; another that is asked for meanwhile does nothing. Can be killed at any moment.
 */
export async function syncCommerce(clientId: string, options: SyncOptions = {}): Promise<SyncPart> {
  const part = await alone("commerce", clientId, async () => {
    const row = await selectIntegration(clientId, "commerce");
    return row?.enabled ? await work(row, options) : OVER;
  });
  return part ?? OVER;
}

async function work(row: IntegrationRow, options: SyncOptions): Promise<SyncPart> {
  const { clientId, settings, state: kept } = configured(row, "commerce");
  const state = readState({ settings, state: kept });
  const note = async () => {
    state.active_at = now().getTime();
    await keepState(clientId, state);
    if (state.run) await recordProgress(clientId, "commerce", state.run, state.counts);
  };
  if (!state.run) {
    Object.assign(state, {
      run: await beginRun(clientId, "commerce"),
      since: undefined,
      counts: {},
      phase: "again",
      stumbles: 0,
      places: [],
      failures: [],
    });
    await note();
  }
  if (secretsOf(row) === null) return end(clientId, state, LOST);
  const integration = opened(row, "commerce");
  const login = readLogin(integration);
  if (login.refused === loginOf(integration)) return end(clientId, state, keep({ reason: "shop_login_waits" }));
  try {
    const store = storeOf(integration, login, options);
    // Whoever asks for it may have allowed it; and other credentials may be allowed more.
    const resources = state.denied?.version === row.version && !options.asked ? state.denied.resources : {};
    state.denied = { version: row.version, resources };
    const lookups = new Lookups(store, resources);
    const client = await getClient(clientId);
    const timeZone = String(client?.config.time_zone ?? "UTC");
    state.since ??= (await readingSince(pool(), clientId)).getTime();
    const since = new Date(state.since);
    const tools: Work = { clientId, settings, store, state, lookups, timeZone, since, counts: state.counts };
    const until = performance.now() + (options.budget ?? BUDGET);
    while (await step(tools)) {
      state.stumbles = 0;
      noteFailures(tools);
      await note();
      if (performance.now() > until) return { again: 0, error: null };
    }
    await keepCatalogue(tools, options);
    noteFailures(tools);
    await rememberState(clientId, "commerce", { warning: warningOf(state) });
    return await end(clientId, state, null);
  } catch (error) {
    if (!(error instanceof AppError) || isOurs(error)) throw error;
    if (!(error instanceof StoreFault) || error.kind !== "busy") {
      if (error instanceof StoreFault && error.kind === "login") {
        login.refused = loginOf(integration);
        await keepLogin(clientId, login);
      }
      return end(clientId, state, keepError(error));
    }
    const wait = WAITS[state.stumbles];
    if (wait === undefined) return end(clientId, state, keepError(error));
    state.stumbles += 1;
    await note();
    return { again: Math.min(Math.max(wait, error.details.retryAfter ?? 0), 3_600), error: keepError(error) };
  }
}

/** What the database says, as against the shop. */
const isOurs = (error: AppError): boolean => error.code === "unavailable" && !(error instanceof StoreFault);

/** Where the shop is asked, at the pace that all of ours keep together. */
export function storeOf(
  integration: Pick<Opened<"commerce">, "clientId" | "settings" | "secrets">,
  login: Login,
  { waits, timeout }: Pick<SyncOptions, "waits" | "timeout"> = {},
): Store {
  const { clientId, settings, secrets } = integration;
  const key = paceKey("commerce", new URL(settings.orders_url).origin);
  return new Store({
    ordersUrl: settings.orders_url,
    credentials: credentialsOf(settings, secrets),
    requestsPerSecond: settings.requests_per_second,
    tokens: keeperOf(clientId, login, loginOf(integration)),
    turn: () => waitForTurn(key, settings.requests_per_second),
    slowDown: (seconds) => holdOff(key, seconds),
    waits,
    timeout,
  });
}

async function end(clientId: string, state: State, error: Kept | null): Promise<SyncPart> {
  if (state.run)
    await endRun(clientId, "commerce", state.run, { counts: state.counts, error, warning: warningOf(state) });
  state.run = undefined;
  state.active_at = undefined;
  await keepState(clientId, state);
  return { again: null, error };
}

/** Once a day, where the client wants it. That too much would be deleted is a person's to decide. */
async function keepCatalogue(
  { clientId, settings, store, state, lookups }: Work,
  { asked = false, confirmDeletions = false }: Asked,
): Promise<void> {
  if (!settings.catalogue || !(asked || now().getTime() - (state.catalogue_at ?? 0) > DAY)) return;
  let held = false;
  let again = DAY;
  try {
    await importCatalogue(clientId, store, settings, { confirmDeletions });
  } catch (error) {
    if (!(error instanceof AppError) || isOurs(error) || (error instanceof StoreFault && error.kind === "busy"))
      throw error;
    lookups.failures.add(keep({ reason: "catalogue_not_imported" }, ...error.issues));
    held = error.code === "conflict";
    // What the shop fails on may be mended soon; a role that may not read it is left alone for a day.
    if (error instanceof StoreFault && !refusesRights(error)) again = HOUR;
  }
  state.catalogue_at = now().getTime() - DAY + again;
  await rememberState(clientId, "commerce", { deletions_held: held || null });
}

/** What the shop failed on in this part is said when the run is over. */
function noteFailures({ lookups, state }: Work): void {
  state.failures = [...new Set([...state.failures, ...lookups.failures])].slice(0, MOST_FAILURES);
}

/** What does not keep orders from coming in and should be looked at; null where nothing is. */
function warningOf({ denied, failures, without, broken, places }: State): Kept | null {
  const notes = [...Object.values(denied?.resources ?? {}).map(({ said }) => said), ...failures];
  const lacking = Object.keys(without).length;
  if (lacking > 0) notes.push(keep({ reason: "orders_incomplete", params: { count: lacking } }));
  if (broken.length > 0)
    notes.push(keep({ reason: "orders_fail", params: { orders: broken.map(({ id }) => id).join(", ") } }));
  if (places.length > 0) notes.push(keep({ reason: "orders_left_out", params: { orders: places.join("; ") } }));
  return joinKept(notes);
}
