import { getClient } from "@/lib/accounts/stores/get-client";
import { beginRun, endRun, recordProgress, rememberState } from "@/lib/integrations/record-run";
import { type IntegrationRow, LOST, type Opened, opened, secretsOf, selectIntegration } from "@/lib/integrations/rows";
import { type Asked, alone, OVER, type SyncPart } from "@/lib/integrations/sync-part";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { holdOff, paceKey, waitForTurn } from "@/lib/platform/jobs/pace";
import { joinKept, type Kept, keep, keepError } from "@/lib/platform/notices";
import { findTables, neededParts } from "./find-tables";
import { importArticles } from "./import-articles";
import { partNames } from "./parts";
import { readProfile } from "./profile";
import { ShareFault } from "./read-fault";
import { type Reading, type ReadTo, readTable } from "./read-table";
import { isRefused, noteRefused } from "./refused-profile";
import { PER_SECOND, Share, type ShareOptions } from "./share";
import { dropRows } from "./sql";
import { keepState, readState, type State } from "./state";
import { takeReceipts } from "./take-receipts";
import { count } from "./take-rows";

export type SyncOptions = Partial<Pick<ShareOptions, "waits" | "timeout">> &
  Asked & {
    /** milliseconds after which the rest is left to the next part */
    budget?: number;
    /** calls a second; what the platform allows unless told */
    perSecond?: number;
  };

const BUDGET = 20_000;
/** Seconds to wait where the share is busy, one time after another; then the run is given up until the next. */
const WAITS = [30, 60, 120, 300, 600];
const CLEARED_AT_ONCE = 5_000;

/**
 * Takes a client's orders from its data share: a part of a run, as long as `budget` says, to be called until nothing is
 * left. What happens there ends in the run's report and is no failure of ours; only what is wrong here is thrown. One part
 * at a time for each client; another that is asked for meanwhile does nothing. Can be killed at any moment.
 */
export async function syncShare(clientId: string, options: SyncOptions = {}): Promise<SyncPart> {
  const part = await alone("share", clientId, async () => {
    const row = await selectIntegration(clientId, "share");
    return row?.enabled ? await work(row, options) : OVER;
  });
  return part ?? OVER;
}

async function work(row: IntegrationRow, options: SyncOptions): Promise<SyncPart> {
  const clientId = row.client_id;
  if (typeof secretsOf(row)?.profile !== "string") return lost(clientId);
  const integration = opened(row, "share");
  const profile = readProfile(integration.secrets.profile);
  const state = readState(integration, profile.endpoint);
  const note = async () => {
    state.active_at = now().getTime();
    await keepState(clientId, state);
    if (state.run) await recordProgress(clientId, "share", state.run, state.counts);
  };
  if (!state.run) {
    Object.assign(state, {
      run: await beginRun(clientId, "share"),
      counts: {},
      done: [],
      left_out: {},
      stumbles: 0,
    });
    await note();
  }
  // Whoever asks for it may know that the profile is good again.
  if (!options.asked && isRefused(integration)) return end(clientId, state, keep({ reason: "profile_refused_before" }));
  const filesBefore = state.counts.files ?? 0;
  const until = performance.now() + (options.budget ?? BUDGET);
  try {
    while (state.clearing) {
      state.clearing = (await dropRows(pool(), clientId, CLEARED_AT_ONCE)) >= CLEARED_AT_ONCE;
      await note();
    }
    const isDone = await readAll(integration, state, note, { ...options, until });
    if (!isDone) return { again: 0, error: null };
    if (isRefused(integration)) await noteRefused(integration, false);
    const timeZone = String((await getClient(clientId))?.config.time_zone ?? "UTC");
    while (
      await takeReceipts({
        clientId,
        settings: integration.settings,
        counts: state.counts,
        timeZone,
      })
    ) {
      await note();
      if (performance.now() > until) return { again: 0, error: null };
    }
    const held = await keepCatalogue(integration, state, new URL(profile.endpoint).origin, options);
    const warning = joinKept([...warningsOf(state), ...held]);
    await rememberState(clientId, "share", { warning });
    return await end(clientId, state, null, warning);
  } catch (error) {
    if (!(error instanceof ShareFault)) throw error;
    if (error.kind !== "busy") {
      if (error.kind === "credential") await noteRefused(integration, true);
      return end(clientId, state, keepError(error));
    }
    if ((state.counts.files ?? 0) > filesBefore) state.stumbles = 0;
    const wait = WAITS[state.stumbles];
    if (wait === undefined) return end(clientId, state, keepError(error));
    state.stumbles += 1;
    await note();
    return {
      again: Math.min(Math.max(wait, error.details.retryAfter ?? 0), 3_600),
      error: keepError(error),
    };
  }
}

/** Reads the tables, one after the other. False where the time is up. */
async function readAll(
  { clientId, settings, secrets }: Opened<"share">,
  state: State,
  note: () => Promise<void>,
  { until, waits, timeout, perSecond }: SyncOptions & { until: number },
): Promise<boolean> {
  if (state.done.length === partNames.length) return true;
  const share = shareOf({ secrets }, { waits, timeout, perSecond });
  const { found, lacking } = await findTables(share, settings);
  if (lacking) throw new ShareFault("missing", lacking);
  const { counts, told } = state;
  // One file at least in every part, so that each gets further however slow it is.
  let files = 0;
  const hasTime = () => performance.now() < until || files++ === 0;
  const reading: Reading = {
    share,
    clientId,
    settings,
    counts,
    told,
    leftOut: state.left_out,
    timeout,
    hasTime,
  };
  for (const part of partNames) {
    if (state.done.includes(part)) continue;
    const table = found[part];
    const before = counts[part] ?? 0;
    try {
      if (!table) delete told[part];
      const read: ReadTo = table ? await readTable(reading, part, table, state.seen[part]) : { state: "unchanged" };
      if (part === "articles" && (counts.articles ?? 0) > before) state.articles_changed = true;
      if (read.state === "more") {
        await note();
        return false;
      }
      if (read.state === "read") state.seen[part] = read.seen;
    } catch (error) {
      // Stores and articles may lack: orders come in without their names.
      if (
        !(error instanceof ShareFault) ||
        neededParts.includes(part) ||
        error.kind === "busy" ||
        error.kind === "credential"
      )
        throw error;
      told[part] = [keepError(error)];
    }
    state.done.push(part);
    state.stumbles = 0;
    await note();
  }
  return true;
}

/** Where the share is asked, at the pace that all of ours keep together. */
export function shareOf(
  { secrets }: Pick<Opened<"share">, "secrets">,
  { perSecond = PER_SECOND, ...options }: Pick<SyncOptions, "waits" | "timeout" | "perSecond"> = {},
): Share {
  const profile = readProfile(secrets.profile);
  const key = paceKey("share", profile.bearerToken);
  return new Share({
    profile,
    turn: () => waitForTurn(key, perSecond),
    slowDown: (seconds) => holdOff(key, seconds),
    ...options,
  });
}

const warningsOf = (state: State): Kept[] => Object.values(state.told).flat();

async function end(
  clientId: string,
  state: State,
  error: Kept | null,
  warning = joinKept(warningsOf(state)),
): Promise<SyncPart> {
  if (state.run) await endRun(clientId, "share", state.run, { counts: state.counts, error, warning });
  Object.assign(state, {
    run: undefined,
    active_at: undefined,
    done: [],
    left_out: {},
  });
  await keepState(clientId, state);
  return { again: null, error };
}

async function lost(clientId: string): Promise<SyncPart> {
  await endRun(clientId, "share", await beginRun(clientId, "share"), {
    error: LOST,
  });
  return { again: null, error: LOST };
}

/**
 * Where the client wants it and there is anything new. That too much would be deleted is a person's to decide: answers
 * what to tell them.
 */
async function keepCatalogue(
  { clientId, settings }: Opened<"share">,
  state: State,
  origin: string,
  { confirmDeletions }: Asked,
): Promise<Kept[]> {
  if (!settings.catalogue || !state.articles_changed) return [];
  let held: AppError | null = null;
  try {
    const report = await importArticles(clientId, { source: `${origin} (articles)`, confirmDeletions });
    count(state.counts, "products", report.created + report.updated + report.deleted);
    state.articles_changed = false;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable") throw error;
    held = error;
  }
  await rememberState(clientId, "share", { deletions_held: held?.code === "conflict" || null });
  return held ? [keep({ reason: "articles_not_imported" }, ...held.issues)] : [];
}
