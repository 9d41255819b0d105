import { cookies } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { type Actor, actorAtClient, hasRole } from "@/lib/accounts/actor";
import { currentActor } from "@/lib/accounts/sign-in/current-actor";
import { type ClientRow, getClient } from "@/lib/accounts/stores/get-client";
import { type ListedClient, listAccessibleClients } from "@/lib/accounts/stores/list-accessible-clients";
import { AppError } from "@/lib/platform/errors";
import type { Role } from "@/lib/platform/http/contract";

// Guards of the portal's pages. A page calls one first, above any loading boundary, so that redirects and 404s are real
// HTTP statuses. Layouts don't guard.

export type Search = Record<string, string | string[] | undefined>;

/** Cookie with the client that the person last viewed. */
export const CLIENT_COOKIE = "candor-client";

export { currentActor };

/** The clients that the signed-in person may switch between, loaded once per request. */
export const clientsOf = cache((actor: Actor): Promise<ListedClient[]> => listAccessibleClients(actor));

/** One value of the query string; the first if the name occurs several times. */
export const param = (search: Search, name: string): string | undefined => {
  const value = search[name];
  return Array.isArray(value) ? value[0] : value;
};

/** A portal path with a query string. Leaves out undefined values. */
export function pathWithQuery(path: string, query: Record<string, string | undefined> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value);
  return search.size > 0 ? `${path}?${search}` : path;
}

type Page = {
  /** the page's own path, to return to after sign-in */
  path: string;
  search: Search;
  /** the lowest role that may see the page; others get 404 */
  role?: Role;
};

/** Returns the signed-in person. Redirects to sign-in (and back), or responds 404 if their role is too low. */
export async function requirePerson({ path: currentPath, search, role = "viewer" }: Page): Promise<Actor> {
  const actor = await currentActor();
  if (!actor) {
    // Drop an API key from the query string instead of copying it into the return path.
    const names = Object.keys(search).filter((name) => name !== "token");
    const query = Object.fromEntries(names.map((name) => [name, param(search, name)]));
    redirect(pathWithQuery("/portal/sign-in", { to: pathWithQuery(currentPath, query) }));
  }
  if (!hasRole(actor.role, role)) notFound();
  return actor;
}

export type Member = {
  actor: Actor;
  client: ClientRow;
  /** `client_id` for links; undefined if the person has only one client */
  clientId: string | undefined;
};

/** The client of a page whose address names none: the last viewed, else the first by name. Null if there is none. */
export async function defaultClientId(actor: Actor): Promise<string | null> {
  const remembered = (await cookies()).get(CLIENT_COOKIE)?.value;
  if (remembered !== undefined && canAccess(actor, remembered) && (await getClient(remembered))) return remembered;
  return (await clientsOf(actor))[0]?.id ?? null;
}

/**
 * Returns the person, with their role at the page's client, and that client. Responds 404 if the client is unknown or
 * not theirs, or if their role there is too low.
 */
export async function requireMember({ role = "viewer", ...page }: Page): Promise<Member> {
  const person = await requirePerson(page);
  const requestedId = param(page.search, "client_id");
  if (requestedId !== undefined && (requestedId.includes("\0") || !canAccess(person, requestedId))) notFound();
  const id = requestedId ?? (await defaultClientId(person));
  // Without any client only the portal's home has something to show.
  if (id === null) redirect("/portal");
  const client = await getClient(id);
  const actor = actorAtClient(person, id);
  if (!client || !hasRole(actor.role, role)) notFound();
  return { actor, client, clientId: hasSeveralClients(actor) ? client.id : undefined };
}

export const hasSeveralClients = (actor: Actor): boolean => actor.clients === "all" || actor.clients.size > 1;

const canAccess = (actor: Actor, id: string): boolean => actor.clients === "all" || actor.clients.has(id);

/** Returns the result, or responds 404 for `not_found` and for an invalid cursor in the address. */
export async function orNotFound<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && (error.code === "not_found" || error.code === "invalid_cursor")) notFound();
    throw error;
  }
}

/** Decodes a path segment. Responds 404 if it can't be decoded or can't be an id. */
export function decodeSegment(value: string): string {
  try {
    const text = decodeURIComponent(value);
    if (!text.includes("\0")) return text;
  } catch {
    // not decodable, such as `%E0%A4%A`
  }
  notFound();
}
