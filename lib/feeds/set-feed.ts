import type { Actor } from "@/lib/accounts/actor";
import { recordAudit } from "@/lib/accounts/record-audit";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { type FeedRow, sealAddress, selectFeed, selectFeeds, toFeed, unsealAddress } from "@/lib/feeds/feed-rows";
import { requestRun } from "@/lib/feeds/request-run";
import type { Feed, FeedInput, NewFeed } from "@/lib/feeds/schema";
import { now } from "@/lib/platform/clock";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import { deleteJobFailures } from "@/lib/platform/jobs/job-failures";
import { wakeRelay } from "@/lib/platform/jobs/outbox/enqueue";

type Client = Pick<ClientRow, "id">;
type ActorRef = Pick<Actor, "kind" | "id">;

const MAX_FEEDS = 50;

/**
 * Creates a feed, which is fetched immediately and then on its schedule. Throws `conflict` if the client has fifty
 * feeds.
 */
export async function createFeed(actor: ActorRef, client: Client, input: NewFeed): Promise<Feed> {
  const id = newId("feed");
  const row = await transaction(async (db) => {
    // Serialized, so two concurrent calls don't exceed the limit together.
    await db.query("select pg_advisory_xact_lock(hashtext('candor.feeds'), hashtext($1))", [client.id]);
    if ((await selectFeeds(client.id, db)).length >= MAX_FEEDS)
      throw new AppError("conflict", { reason: "too_many_feeds", params: { max: MAX_FEEDS } });
    const { url, sealed_url } = sealAddress(input.url);
    await db.query(
      `insert into feeds (client_id, id, kind, url, sealed_url, format, mapping, schedule, enabled, next_run_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now())`,
      [
        client.id,
        id,
        input.kind,
        url,
        sealed_url,
        input.format,
        JSON.stringify(input.mapping),
        input.schedule,
        input.enabled,
        now(),
      ],
    );
    await recordAudit(db, {
      clientId: client.id,
      actor,
      action: "feed.created",
      subject: id,
      detail: detailOf(input, url),
    });
    const created = await requireFeed(db, client, id);
    return input.enabled ? requestRun(db, created, {}) : created;
  });
  wakeRelay();
  return toFeed(row);
}

/**
 * Updates a feed. A URL as displayed keeps its hidden part; if the stored URL can't be unsealed, the given one is saved
 * as it is. With a different URL, format or mapping, the feed is imported again even if its server reports no change.
 * Throws `not_found`.
 */
export async function updateFeed(actor: ActorRef, client: Client, id: string, input: FeedInput): Promise<Feed> {
  const row = await transaction(async (db) => {
    await db.query("select from feeds where client_id = $1 and id = $2 for update", [client.id, id]);
    const before = await requireFeed(db, client, id);
    const address = unsealAddress(before);
    const { url, sealed_url } = sealAddress(input.url === before.url ? (address ?? input.url) : input.url);
    const isUnchanged =
      address === unsealAddress({ sealed_url }) &&
      before.format === input.format &&
      JSON.stringify(before.mapping) === JSON.stringify(input.mapping);
    await db.query(
      `update feeds set url = $3, sealed_url = $4, format = $5, mapping = $6, schedule = $7, enabled = $8,
              etag = case when $9 then etag end, last_modified = case when $9 then last_modified end,
              next_run_at = case when $9 and schedule = $7 and enabled then next_run_at else $10 end, updated_at = now()
        where client_id = $1 and id = $2`,
      [
        client.id,
        id,
        url,
        sealed_url,
        input.format,
        JSON.stringify(input.mapping),
        input.schedule,
        input.enabled,
        isUnchanged,
        now(),
      ],
    );
    await recordAudit(db, {
      clientId: client.id,
      actor,
      action: "feed.updated",
      subject: id,
      detail: detailOf(input, url),
    });
    return requireFeed(db, client, id);
  });
  return toFeed(row);
}

/** Deletes a feed. Its products, orders and reports stay. Throws `not_found`. */
export async function deleteFeed(actor: ActorRef, client: Client, id: string): Promise<void> {
  await transaction(async (db) => {
    const { url } = await requireFeed(db, client, id);
    await db.query("delete from feeds where client_id = $1 and id = $2", [client.id, id]);
    await deleteJobFailures(db, client.id, id);
    await recordAudit(db, { clientId: client.id, actor, action: "feed.deleted", subject: id, detail: { url } });
  });
}

async function requireFeed(db: Db, client: Client, id: string): Promise<FeedRow> {
  const row = await selectFeed(client.id, id, db);
  if (!row) throw new AppError("not_found", { reason: "feed_not_found" });
  return row;
}

const detailOf = ({ schedule, enabled, format }: FeedInput, url: string) => ({ url, schedule, enabled, format });
