import { type Actor, maySeePeople } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { searchedPerson } from "@/lib/moderation/queue/list-queue";
import { filterQueryString, needsScan, readFilter, systemViews } from "@/lib/moderation/queue/rules";
import { MAX_VIEWS, type NewView, type QueueFilter, type QueueView } from "@/lib/moderation/queue/schema";
import { pool } from "@/lib/platform/db/pool";
import { prisma, transaction } from "@/lib/platform/db/prisma";
import { AppError, throwIssues } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import { sortByName } from "@/lib/platform/sort-by-name";
import { selectQueueKeys } from "./sql";

/** Where the queue's views lie among those of other lists. */
const PAGE = "queue";
/** Beyond this nobody counts at a glance; the number says "99+". */
const MAX_COUNT = 99;
/** How many rows are looked through for a count where no index serves the filter. */
const MAX_SCANNED_ROWS = 1_000;

type Shop = Pick<ClientRow, "id" | "require_verification">;

/** Ways to look at a client's queue, everybody's and the person's own by name, each with how much it shows. */
export async function listViews(actor: Pick<Actor, "id" | "role">, client: Shop): Promise<QueueView[]> {
  const { savedView } = await prisma();
  const where = { userId: actor.id, page: PAGE, clientId: client.id };
  const rows = await savedView.findMany({ where, select: { id: true, name: true, query: true }, take: MAX_VIEWS });
  const own = sortByName(rows).map(({ query, ...view }) => {
    const params = new URLSearchParams(query);
    return { ...view, filter: readFilter((name) => params.get(name)) };
  });
  const views: QueueView[] = [];
  // One after the other: a person with many views must not take all connections for counting them.
  for (const view of [...systemViews, ...own])
    views.push({
      name: null,
      ...view,
      own: own.some(({ id }) => id === view.id),
      ...(await countOf(actor, client, view.filter)),
    });
  return views;
}

/** How much a filter shows, up to 99; `more` also where rows enough were looked through and others follow. */
async function countOf(
  actor: Pick<Actor, "role">,
  client: Shop,
  filter: QueueFilter,
): Promise<Pick<QueueView, "count" | "more">> {
  const scanLimit = needsScan(client, filter) ? MAX_SCANNED_ROWS : MAX_COUNT + 1;
  const keys = await selectQueueKeys(
    pool(),
    client,
    filter,
    searchedPerson(filter, maySeePeople(actor)),
    null,
    scanLimit,
  );
  const hits = keys.filter(({ hit }) => hit).length;
  return { count: Math.min(hits, MAX_COUNT), more: hits > MAX_COUNT || keys.length === scanLimit };
}

/** Keeps a view of the person's, in place of one of the same name. Throws `invalid_field` where there are too many. */
export function saveView(
  actor: Pick<Actor, "id">,
  client: Pick<ClientRow, "id">,
  { name, filter }: NewView,
): Promise<{ id: string }> {
  return transaction(async (db) => {
    // Of two at once the second sees the first.
    await db.query("select pg_advisory_xact_lock(hashtextextended($1, 1206))", [actor.id]);
    const { savedView } = await prisma(db);
    const place = { userId: actor.id, page: PAGE, clientId: client.id };
    const savedViews = await savedView.findMany({ where: place, select: { id: true, name: true } });
    const same = savedViews.find((view) => view.name === name.trim());
    const tooMany = !same && savedViews.length >= MAX_VIEWS;
    throwIssues(tooMany ? [{ field: "name", reason: "one_too_many", params: { max: MAX_VIEWS } }] : []);
    const query = filterQueryString(filter);
    const id = same?.id ?? newId("view");
    await savedView.upsert({ where: { id }, create: { ...place, id, name: name.trim(), query }, update: { query } });
    return { id };
  });
}

/** Removes a view of the person's own. Throws `not_found`. */
export async function removeView(
  actor: Pick<Actor, "id">,
  client: Pick<ClientRow, "id">,
  id: string,
): Promise<undefined> {
  await transaction(async (db) => {
    const where = { userId: actor.id, page: PAGE, clientId: client.id, id };
    const { count } = await (await prisma(db)).savedView.deleteMany({ where });
    if (count === 0) throw new AppError("not_found", { reason: "view_not_found" });
  });
  return undefined;
}
