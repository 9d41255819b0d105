import { type Actor, maySeePeople } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { loadItems } from "@/lib/moderation/queue/load-items";
import { readerOf } from "@/lib/moderation/queue/reader-of";
import { isOldestFirst, needsScan } from "@/lib/moderation/queue/rules";
import type { QueueFilter, QueueItem, QueueQuery } from "@/lib/moderation/queue/schema";
import { pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { decodeCursor, nextLink } from "@/lib/platform/http/cursor";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { selectQueueKeys } from "./sql";

const PAGE = 30;
/** Maximum rows scanned per call for filters without an index. */
const MAX_SCANNED_ROWS = 2_000;

export type QueuePage = { data: QueueItem[]; links: { next?: string } };

/**
 * Returns a page of the moderation queue. Each call scans at most 2,000 rows, so with a rare filter a page may have few
 * rows or none and still have a next page. A search by customer or email address finds nothing for people who may not
 * see personal data. Throws `invalid_cursor`.
 */
export async function listQueue(
  actor: Pick<Actor, "id" | "role">,
  client: Pick<ClientRow, "id" | "require_verification">,
  query: QueueQuery,
  url: URL,
): Promise<QueuePage> {
  const order = isOldestFirst(query) ? "queue.oldest" : "queue.newest";
  const cursor = query.after === undefined ? null : decodeCursor(query.after, order, ["time", "text"]);
  const after = cursor ? { time: cursor.key[0] as string, id: cursor.key[1] as string } : null;
  const seesPeople = maySeePeople(actor);
  const person = searchedPerson(query, seesPeople);
  const scanLimit = needsScan(client, query) ? MAX_SCANNED_ROWS : PAGE + 1;
  const limits = { scanned: scanLimit, hits: PAGE + 1 };
  const { hits, edge } = await selectQueueKeys(pool(), client, query, actor.id, person, after, limits);
  const shown = hits.slice(0, PAGE);
  // The next page starts after the last row shown, or after the last row scanned if too few matched.
  const last = hits.length > PAGE ? shown.at(-1) : edge;
  const items = await loadItems(client.id, shown, await readerOf(actor, client.id));
  const next =
    last && nextLink(env().PUBLIC_URL, url, { order, key: [last.created_at.toISOString(), last.id], startedAt: null });
  return { data: items, links: next ? { next } : {} };
}

/** The customer id or address a search may match. Null for people who may not see personal data. */
export const searchedPerson = ({ q }: QueueFilter, seesPeople: boolean): { id: string; email: string } | null =>
  q !== undefined && seesPeople ? { id: q.trim(), email: emailKey(q) } : null;
