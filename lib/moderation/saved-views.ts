import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { prisma, transaction } from "@/lib/platform/db/prisma";
import { AppError, throwIssues } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import { sortByName } from "@/lib/platform/sort-by-name";

/** Maximum views of a page per person and client. */
export const MAX_VIEWS = 30;

/** The pages with saved views, as the table names them. */
export type ViewPage = "queue" | "library";
type Who = Pick<Actor, "id">;
type Shop = Pick<ClientRow, "id">;

/** The person's own views of a page by name; `query` is the page's query string. */
export async function listOwnViews(
  actor: Who,
  client: Shop,
  page: ViewPage,
): Promise<{ id: string; name: string; query: string }[]> {
  const { savedView } = await prisma();
  const where = { userId: actor.id, page, clientId: client.id };
  return sortByName(
    await savedView.findMany({ where, select: { id: true, name: true, query: true }, take: MAX_VIEWS }),
  );
}

/** Saves a person's view, replacing one of the same name. Throws `invalid_field` if the limit is reached. */
export function saveView(
  actor: Who,
  client: Shop,
  page: ViewPage,
  { name, query }: { name: string; query: string },
): Promise<{ id: string }> {
  return transaction(async (db) => {
    // Serializes concurrent saves by the same person.
    await db.query("select pg_advisory_xact_lock(hashtextextended($1, 1206))", [actor.id]);
    const { savedView } = await prisma(db);
    const place = { userId: actor.id, page, clientId: client.id };
    const savedViews = await savedView.findMany({ where: place, select: { id: true, name: true } });
    const same = savedViews.find((view) => view.name === name.trim());
    const tooMany = !same && savedViews.length >= MAX_VIEWS;
    throwIssues(tooMany ? [{ field: "name", reason: "one_too_many", params: { max: MAX_VIEWS } }] : []);
    const id = same?.id ?? newId("view");
    await savedView.upsert({ where: { id }, create: { ...place, id, name: name.trim(), query }, update: { query } });
    return { id };
  });
}

/** Deletes a person's own view. Throws `not_found`. */
export async function removeView(actor: Who, client: Shop, page: ViewPage, id: string): Promise<undefined> {
  await transaction(async (db) => {
    const where = { userId: actor.id, page, clientId: client.id, id };
    const { count } = await (await prisma(db)).savedView.deleteMany({ where });
    if (count === 0) throw new AppError("not_found", { reason: "view_not_found" });
  });
  return undefined;
}
