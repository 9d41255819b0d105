import { notify } from "@/lib/accounts/notifications/notify";
import { type FeedRow, nextRun, selectFeed, unsealAddress } from "@/lib/feeds/feed-rows";
import { importOrders } from "@/lib/feeds/import-orders";
import { importProducts } from "@/lib/feeds/import-products";
import { createImport, failImport, failureNotice } from "@/lib/feeds/import-records";
import { getReadStart } from "@/lib/orders/erased-hashes";
import { now } from "@/lib/platform/clock";
import { pool, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import type { GuardedRequest } from "@/lib/platform/http/guarded-fetch";
import { log } from "@/lib/platform/log";
import type { EncodedNotices } from "@/lib/platform/notices";
import { fetchFeed } from "@/lib/platform/parsing/fetch-file";

export type FeedRun = { outcome: "imported" | "unchanged" | "refused" | "failed" | "skipped"; import_id?: string };

type RunFeedOptions = { requested?: boolean; confirmDeletions?: boolean; network?: GuardedRequest["network"] };

/** A feed that is due. `slot` identifies this due time among all of the feed's. */
export type DueFeed = { client_id: string; feed_id: string; slot: string };

/** Milliseconds after which an unfinished run counts as lost: another one starts and skips what was done. */
const RUN_STALE_AFTER_MS = 2 * 3_600_000;

/** Feeds due now, of these clients or of all. A feed stays due until a run of it has ended. */
export async function listDueFeeds(clientIds: string[] | null): Promise<DueFeed[]> {
  const { rows } = await pool().query<{ client_id: string; id: string; next_run_at: Date }>(
    `select client_id, id, next_run_at from feeds
      where enabled and next_run_at <= $1 and ($2::text[] is null or client_id = any($2)) order by next_run_at limit 1000`,
    [now(), clientIds],
  );
  return rows.map(({ client_id, id, next_run_at }) => {
    const attempts = Math.floor((now().getTime() - next_run_at.getTime()) / RUN_STALE_AFTER_MS);
    return { client_id, feed_id: id, slot: `${next_run_at.toISOString()}+${attempts}` };
  });
}

/**
 * Fetches and imports a feed, unless it is no longer due or its server reports no change. Always saves the outcome and
 * the next time; errors of the feed's server or content don't fail the run. Repeating it after a crash does the rest.
 */
export async function runFeed(clientId: string, id: string, runOptions: RunFeedOptions = {}): Promise<FeedRun> {
  const feed = await selectFeed(clientId, id);
  const due = feed?.enabled && feed.next_run_at !== null && feed.next_run_at <= now();
  if (!feed || !(due || runOptions.requested)) return { outcome: "skipped" };
  try {
    const run = await fetchAndImport(feed, runOptions);
    await saveOutcome(feed, run.outcome, null, run);
    return { outcome: run.outcome, ...(run.importId && { import_id: run.importId }) };
  } catch (error) {
    const outcome = isRefusal(error) ? "refused" : "failed";
    await saveOutcome(feed, outcome, failureNotice(error), null);
    if (!(error instanceof AppError)) throw error;
    log.info({ feed: id, client: clientId, reason: error.code }, "could not import feed");
    return { outcome };
  }
}

type Version = { etag: string | null; lastModified: string | null };
/** Rows read and rejected; null if unchanged since the last run. */
type Rows = { read: number; rejected: number };
type FetchResult = { outcome: "imported" | "unchanged"; version: Version | null; rows: Rows | null; importId?: string };

async function fetchAndImport(
  feed: FeedRow,
  { confirmDeletions = false, network }: RunFeedOptions,
): Promise<FetchResult> {
  const { client_id: clientId, id: feedId, kind, format, mapping } = feed;
  const known = confirmDeletions ? {} : { etag: feed.etag, lastModified: feed.last_modified };
  const since = await getReadStart(pool(), clientId);
  const fetched = await fetchFeed(addressOf(feed), known, { network }).catch((error) => recordFailedFetch(feed, error));
  if (fetched.notModified) return { outcome: "unchanged", version: null, rows: null };
  const { body, source, filename, charset, etag, lastModified } = fetched;
  const options = { source, filename, feedId, ...(charset && { charset }), ...(format && { format }) };
  try {
    const report =
      kind === "products"
        ? await importProducts(clientId, body, { ...options, mapping, confirmDeletions })
        : await importOrders(clientId, body, { ...options, since });
    // A truncated feed is fetched again, even if the server reports no change.
    const version = report.incomplete === null ? { etag, lastModified } : { etag: null, lastModified: null };
    const rows = { read: report.read, rejected: report.rejectedCount };
    return { outcome: "imported", version, rows, ...("id" in report && { importId: report.id as string }) };
  } finally {
    body.destroy();
  }
}

function addressOf(feed: FeedRow): string {
  const address = unsealAddress(feed);
  if (address === null) throw new AppError("invalid_field", { reason: "address_unreadable", field: "url" });
  return address;
}

/** Adds a failed fetch to the list of imports, with the reason. */
async function recordFailedFetch({ client_id, id, kind, url }: FeedRow, error: unknown): Promise<never> {
  const importId = await createImport(client_id, kind, { source: url, feedId: id });
  await failImport(client_id, importId, error);
  throw error;
}

const isRefusal = (error: unknown): boolean =>
  error instanceof AppError && (error.code === "conflict" || error.code === "invalid_field");

/** Saves the outcome of a run, and notifies admins if the feed fails; while it keeps failing only once. */
async function saveOutcome(
  feed: FeedRow,
  outcome: string,
  error: EncodedNotices | null,
  done: FetchResult | null,
): Promise<void> {
  const moment = now();
  const next = nextRun(feed.schedule, feed.next_run_at, moment, outcome === "failed");
  // If the URL was changed meanwhile, this response says nothing about the new one.
  const values = [
    ...[feed.client_id, feed.id, moment, outcome, error, feed.sealed_url, next, feed.asked_at],
    ...[done?.version != null, done?.version?.etag ?? null, done?.version?.lastModified ?? null],
    ...[done?.rows?.read ?? null, done?.rows?.rejected ?? null],
  ];
  await transaction(async (db) => {
    const { rows } = await db.query<{ enabled: boolean; url: string; was_failing: boolean | null }>(
      `update feeds f set last_run_at = $3, last_outcome = $4, last_error = $5,
              last_read = coalesce($12, f.last_read), last_rejected = coalesce($13, f.last_rejected),
              next_run_at = case when f.sealed_url = $6 then $7 else f.next_run_at end,
              asked_at = case when f.asked_at is not distinct from $8 then null else f.asked_at end,
              etag = case when f.sealed_url <> $6 then null when $9 then $10 else f.etag end,
              last_modified = case when f.sealed_url <> $6 then null when $9 then $11 else f.last_modified end
         from (select client_id, id, last_outcome from feeds where client_id = $1 and id = $2 for update) was
        where f.client_id = was.client_id and f.id = was.id
       returning f.enabled, f.url, was.last_outcome in ('failed', 'refused') as was_failing`,
      values,
    );
    const [saved] = rows;
    if (!saved?.enabled || error === null) return;
    await notify(db, {
      clientId: feed.client_id,
      to: { role: "admin" },
      kind: "feed_failed",
      params: { url: saved.url },
      path: "/portal/feeds",
      dedupeKey: `feed_failed:${feed.id}`,
      isRepeat: saved.was_failing === true,
    });
  });
}
