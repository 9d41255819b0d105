import { type Actor, maySeePeople } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { searchedPerson } from "@/lib/moderation/queue/list-queue";
import { needsScan, readFilter, systemViews } from "@/lib/moderation/queue/rules";
import type { QueueFilter, QueueView } from "@/lib/moderation/queue/schema";
import { listOwnViews } from "@/lib/moderation/saved-views";
import { pool } from "@/lib/platform/db/pool";
import { selectQueueKeys } from "./sql";

/** Counting stops here; the screen shows "99+". */
const MAX_COUNT = 99;
/** Maximum rows scanned for a count if no index serves the filter. */
const MAX_SCANNED_ROWS = 1_000;

type Shop = Pick<ClientRow, "id" | "require_verification">;

/** Lists a client's queue views: the system views, then the person's own by name, each with its count. */
export async function listViews(actor: Pick<Actor, "id" | "role">, client: Shop): Promise<QueueView[]> {
  const own = (await listOwnViews(actor, client, "queue")).map(({ query, ...view }) => {
    const params = new URLSearchParams(query);
    return { ...view, filter: readFilter((name) => params.get(name)) };
  });
  const views: QueueView[] = [];
  // Sequential, so that a person with many views doesn't use all connections.
  for (const view of [...systemViews, ...own])
    views.push({
      name: null,
      ...view,
      own: own.some(({ id }) => id === view.id),
      ...(await countOf(actor, client, view.filter)),
    });
  return views;
}

/** Counts a filter's items, up to 99; `more` also if the scan limit was reached. */
async function countOf(
  actor: Pick<Actor, "id" | "role">,
  client: Shop,
  filter: QueueFilter,
): Promise<Pick<QueueView, "count" | "more">> {
  const scanLimit = needsScan(client, filter) ? MAX_SCANNED_ROWS : MAX_COUNT + 1;
  const { hits, edge } = await selectQueueKeys(
    pool(),
    client,
    filter,
    actor.id,
    searchedPerson(filter, maySeePeople(actor)),
    null,
    { scanned: scanLimit, hits: MAX_COUNT + 1 },
  );
  return { count: Math.min(hits.length, MAX_COUNT), more: hits.length > MAX_COUNT || edge !== null };
}
