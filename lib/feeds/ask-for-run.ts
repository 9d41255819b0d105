import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { type FeedRow, isAsked, selectFeed, toFeed } from "@/lib/feeds/feed-rows";
import { laneOf } from "@/lib/feeds/lane";
import type { Feed } from "@/lib/feeds/schema";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { enqueue, wakeRelay } from "@/lib/platform/jobs/outbox/enqueue";

type Asked = { confirmDeletions?: boolean };

/**
 * Has a feed fetched now, whether or not it is switched on. Throws `not_found`, and `conflict` while a run that somebody
 * asked for has yet to end: a second click does nothing.
 */
export async function runFeedNow(client: Pick<ClientRow, "id">, id: string, asked: Asked): Promise<Feed> {
  const row = await transaction(async (db) => {
    await db.query("select from feeds where client_id = $1 and id = $2 for update", [client.id, id]);
    const known = await selectFeed(client.id, id, db);
    if (!known) throw new AppError("not_found", { reason: "feed_not_found" });
    if (isAsked(known)) throw new AppError("conflict", { reason: "feed_already_fetched" });
    return askForRun(db, known, asked);
  });
  wakeRelay();
  return toFeed(row);
}

/** Writes the wish, in the caller's transaction. */
export async function askForRun(db: Db, feed: FeedRow, { confirmDeletions }: Asked): Promise<FeedRow> {
  const { client_id, id: feed_id } = feed;
  const { rows } = await db.query<{ asked_at: Date }>(
    "update feeds set asked_at = now() where client_id = $1 and id = $2 returning asked_at",
    [client_id, feed_id],
  );
  const confirmed = confirmDeletions ? { confirm_deletions: true } : {};
  const data = { client_id, feed_id, lane: laneOf(client_id), asked: true, ...confirmed };
  await enqueue(db, [{ name: "feed/due", data }]);
  return { ...feed, asked_at: rows[0]?.asked_at ?? null };
}
