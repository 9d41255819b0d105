import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { type FeedRow, isRunRequested, selectFeed, toFeed } from "@/lib/feeds/feed-rows";
import { importLane } from "@/lib/feeds/import-lane";
import type { Feed } from "@/lib/feeds/schema";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { enqueue, wakeRelay } from "@/lib/platform/jobs/outbox/enqueue";

type RunRequest = { confirmDeletions?: boolean };

/**
 * Requests a run of a feed now, enabled or not. Throws `not_found`, and `conflict` while a requested run hasn't ended,
 * so a second click does nothing.
 */
export async function runFeedNow(client: Pick<ClientRow, "id">, id: string, runOptions: RunRequest): Promise<Feed> {
  const row = await transaction(async (db) => {
    await db.query("select from feeds where client_id = $1 and id = $2 for update", [client.id, id]);
    const feed = await selectFeed(client.id, id, db);
    if (!feed) throw new AppError("not_found", { reason: "feed_not_found" });
    if (isRunRequested(feed)) throw new AppError("conflict", { reason: "feed_already_fetched" });
    return requestRun(db, feed, runOptions);
  });
  wakeRelay();
  return toFeed(row);
}

/** Records the request, in the caller's transaction. */
export async function requestRun(db: Db, feed: FeedRow, { confirmDeletions }: RunRequest): Promise<FeedRow> {
  const { client_id, id: feed_id } = feed;
  const { rows } = await db.query<{ asked_at: Date }>(
    "update feeds set asked_at = now() where client_id = $1 and id = $2 returning asked_at",
    [client_id, feed_id],
  );
  const confirmed = confirmDeletions ? { confirm_deletions: true } : {};
  const data = { client_id, feed_id, lane: importLane(client_id), asked: true, ...confirmed };
  await enqueue(db, [{ name: "feed/due", data }]);
  return { ...feed, asked_at: rows[0]?.asked_at ?? null };
}
