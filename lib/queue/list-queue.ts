import { type Actor, maySeePeople } from "@/lib/auth/actor";
import { listFindings } from "@/lib/auto-moderation/list-findings";
import type { Finding } from "@/lib/auto-moderation/schema";
import type { ClientRow } from "@/lib/clients/get-client";
import { contributionJson, portalAddresses } from "@/lib/contributions/serialize";
import { pool } from "@/lib/db/pool";
import { env } from "@/lib/env";
import { decodeCursor, nextLink } from "@/lib/http/page";
import { seconds } from "@/lib/http/seconds";
import { emailKey } from "@/lib/personal-data/person-hash";
import { hidesUnverified, isOldestFirst } from "@/lib/queue/rules";
import type { QueueItem, QueueQuery } from "@/lib/queue/schema";
import type { Review } from "@/lib/reviews/schema";
import { type QueueRow, selectQueueKeys, selectQueueRows } from "./sql";

const PAGE = 30;
/** How many rows one call may look through for filters that no index serves. */
const REACH = 2_000;

export type QueuePage = { data: QueueItem[]; links: { next?: string } };

/**
 * A page of the moderation queue. With a rare filter it may hold few rows, or none, and still have a next page: one
 * call looks through at most two thousand. Throws `invalid_cursor`. A search
 * by customer or address finds nothing for those who may not see people.
 */
export async function listQueue(
  actor: Pick<Actor, "role">,
  client: Pick<ClientRow, "id" | "require_verification">,
  query: QueueQuery,
  url: URL,
): Promise<QueuePage> {
  const order = isOldestFirst(query) ? "queue.oldest" : "queue.newest";
  const cursor = query.after === undefined ? null : decodeCursor(query.after, order, ["time", "text"]);
  const after = cursor ? { time: cursor.key[0] as string, id: cursor.key[1] as string } : null;
  const seesPeople = maySeePeople(actor);
  const person = query.q !== undefined && seesPeople ? { id: query.q.trim(), email: emailKey(query.q) } : null;
  const sieved = query.source ?? query.lang ?? query.verified ?? query.photo;
  const reach = sieved === undefined && !hidesUnverified(client, query) ? PAGE + 1 : REACH;
  const keys = await selectQueueKeys(pool(), client, query, person, after, reach);
  const hits = keys.filter(({ hit }) => hit);
  const shown = hits.slice(0, PAGE);
  // The next page begins after the last row shown, or after the last one looked at where too few were found.
  const last = hits.length > PAGE ? shown.at(-1) : keys.length === reach ? keys.at(-1) : undefined;
  const ids = shown.map(({ id }) => id);
  const [found, findings] = await Promise.all([
    selectQueueRows(pool(), client.id, ids),
    listFindings(client.id, "review", ids),
  ]);
  const rows = new Map(found.map((row) => [row.id, row]));
  const next =
    last && nextLink(env().PUBLIC_URL, url, { order, key: [last.created_at.toISOString(), last.id], began: null });
  return {
    // A review erased between the two statements is not there any more.
    data: shown.flatMap(({ id }) => {
      const row = rows.get(id);
      return row ? [toQueueItem(row, client.id, seesPeople, findings.get(id))] : [];
    }),
    links: next ? { next } : {},
  };
}

/** A row as the portal shows it; who wrote it stays hidden from those who may not see people. */
export function toQueueItem(row: QueueRow, clientId: string, people: boolean, findings: Finding[] = []): QueueItem {
  const portal = portalAddresses("reviews", clientId);
  const line = contributionJson([row.body, row.id, row.images, row.accepted], portal, { people });
  const review = JSON.parse(line) as Review;
  const { source, product_url, unverified, reports } = row;
  return { ...review, received_at: seconds(row.created_at), source, product_url, unverified, reports, findings };
}
