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

/** The page name of the queue's views in the table of saved views. */
const PAGE = "queue";
/** Counting stops here; the screen shows "99+". */
const MAX_COUNT = 99;
/** Maximum rows scanned for a count if no index serves the filter. */
const MAX_SCANNED_ROWS = 1_000;

type Shop = Pick<ClientRow, "id" | "require_verification">;

/** Lists a client's queue views: the system views, then the person's own by name, each with its count. */
export async function listViews(actor: Pick<Actor, "id" | "role">, client: Shop): Promise<QueueView[]> {
  const { savedView } = await prisma();
  const where = { userId: actor.id, page: PAGE, clientId: client.id };
  const rows = await savedView.findMany({ where, select: { id: true, name: true, query: true }, take: MAX_VIEWS });
  const own = sortByName(rows).map(({ query, ...view }) => {
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

/** Saves a person's view, replacing one of the same name. Throws `invalid_field` if the limit is reached. */
export function saveView(
  actor: Pick<Actor, "id">,
  client: Pick<ClientRow, "id">,
  { name, filter }: NewView,
): Promise<{ id: string }> {
  return transaction(async (db) => {
    // Serializes concurrent saves by the same person.
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

/** Deletes a person's own view. Throws `not_found`. */
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
