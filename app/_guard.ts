import { cookies } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { type Actor, actorAtClient, hasRole } from "@/lib/accounts/actor";
import { currentActor } from "@/lib/accounts/sign-in/current-actor";
import { type ClientRow, getClient } from "@/lib/accounts/stores/get-client";
import { type ReachableClient, reachableClients } from "@/lib/accounts/stores/reachable-clients";
import { AppError } from "@/lib/platform/errors";
import type { Role } from "@/lib/platform/http/contract";

// Guards of the portal's pages. A page calls one before anything else and above any loading boundary, so that a
// redirect and a miss are real statuses. A layout is chrome and guards nothing.

export type Search = Record<string, string | string[] | undefined>;

/** The cookie that remembers which client a person looked at last. */
export const CLIENT_COOKIE = "candor-client";

export { currentActor };

/** The clients the signed-in person may switch between, once a request. */
export const clientsOf = cache((actor: Actor): Promise<ReachableClient[]> => reachableClients(actor));

/** One value of the address's query; of a name given twice the first. */
export const param = (search: Search, name: string): string | undefined => {
  const value = search[name];
  return Array.isArray(value) ? value[0] : value;
};

/** A portal address with a query; what is undefined is left out. */
export function pathWithQuery(path: string, query: Record<string, string | undefined> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value);
  return search.size > 0 ? `${path}?${search}` : path;
}

type Page = {
  /** the page's own path, to come back to after signing in */
  path: string;
  search: Search;
  /** the least role that sees the page; for others it does not exist */
  role?: Role;
};

/** The signed-in person, or a redirect to sign-in (and back), or 404 for those whose role does not reach. */
export async function requirePerson({ path: here, search, role = "viewer" }: Page): Promise<Actor> {
  const actor = await currentActor();
  if (!actor) {
    // A key that somebody put there is not taken along.
    const names = Object.keys(search).filter((name) => name !== "token");
    const query = Object.fromEntries(names.map((name) => [name, param(search, name)]));
    redirect(pathWithQuery("/portal/sign-in", { to: pathWithQuery(here, query) }));
  }
  if (!hasRole(actor.role, role)) notFound();
  return actor;
}

export type Member = {
  actor: Actor;
  client: ClientRow;
  /** `client_id` for links, or undefined where the person has only one client */
  clientId: string | undefined;
};

/** The client of a page that names none: the one remembered, else the first by name. Null when there is none at all. */
export async function defaultClientId(actor: Actor): Promise<string | null> {
  const remembered = (await cookies()).get(CLIENT_COOKIE)?.value;
  if (remembered !== undefined && canAccess(actor, remembered) && (await getClient(remembered))) return remembered;
  return (await clientsOf(actor))[0]?.id ?? null;
}

/**
 * The person, as they are at the client the page is about, and that client. A client that is unknown or not theirs is 404,
 * and so is a page that their role there does not reach.
 */
export async function requireMember({ role = "viewer", ...page }: Page): Promise<Member> {
  const person = await requirePerson(page);
  const requestedId = param(page.search, "client_id");
  if (requestedId !== undefined && (requestedId.includes("\0") || !canAccess(person, requestedId))) notFound();
  const id = requestedId ?? (await defaultClientId(person));
  // Without any client there is nothing to show but the portal's home, which says so.
  if (id === null) redirect("/portal");
  const client = await getClient(id);
  const actor = actorAtClient(person, id);
  if (!client || !hasRole(actor.role, role)) notFound();
  return { actor, client, clientId: hasSeveralClients(actor) ? client.id : undefined };
}

export const hasSeveralClients = (actor: Actor): boolean => actor.clients === "all" || actor.clients.size > 1;

const canAccess = (actor: Actor, id: string): boolean => actor.clients === "all" || actor.clients.has(id);

/** What a verb answers, or 404 where it knows nothing of it, or of the place in a list that the address names. */
export async function orNotFound<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && (error.code === "not_found" || error.code === "invalid_cursor")) notFound();
    throw error;
  }
}

/** The text of a path's segment, or 404 for one that does not decode or that no id can be. */
export function decodeSegment(value: string): string {
  try {
    const text = decodeURIComponent(value);
    if (!text.includes("\0")) return text;
  } catch {
    // falls through: `%E0%A4%A` and the like name nothing
  }
  notFound();
}
