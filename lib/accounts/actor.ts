import { hasRole } from "@/lib/accounts/sign-in/rules";
import type { Role, Scope } from "@/lib/platform/http/contract";

/**
 * The caller and its permissions; every operation takes one. `clients` is a set of client ids, or `all` for operators
 * and the service's own jobs.
 */
export type Actor = {
  kind: "key" | "user" | "rule" | "system" | "visitor";
  id: string;
  name: string;
  /** the role at the client of this call or page; elsewhere the person's usual role */
  role: Role;
  /** roles at clients where it differs from the usual one; see {@link actorAtClient} */
  roles?: ReadonlyMap<string, Role>;
  defaultRole?: Role;
  scopes: readonly Scope[];
  clients: ReadonlySet<string> | "all";
  accountId: string | null;
  /** access to all clients of the account, including future ones */
  hasAccountAccess?: boolean;
  /** the browser session, if there is one */
  session?: string;
  /** the person's language setting */
  language?: string | null;
};

export { hasRole };

/** Viewers don't see personal data: customers' names, addresses and ids are hidden from them. */
export const maySeePeople = (actor: Pick<Actor, "role">): boolean => hasRole(actor.role, "moderator");

/** The actor's role at a client they have access to. */
export const roleAt = (
  { role, roles, defaultRole = role }: Pick<Actor, "role" | "roles" | "defaultRole">,
  client: string,
) => roles?.get(client) ?? defaultRole;

/** The actor with the role, and so the scopes, that they have at one client. */
export function actorAtClient(actor: Actor, client: string): Actor {
  const role = roleAt(actor, client);
  return role === actor.role
    ? actor
    : { ...actor, role, scopes: scopesOf(role), defaultRole: actor.defaultRole ?? actor.role };
}

/** The actor with their highest role anywhere, for use before it's known which client a call is about. */
export function withHighestRole(actor: Actor): Actor {
  const roles = [actor.role, ...(actor.roles?.values() ?? [])];
  const best = roles.reduce((highest, role) => (hasRole(role, highest) ? role : highest));
  return best === actor.role ? actor : { ...actor, role: best, scopes: scopesOf(best) };
}

/** The API scopes of a person's role: viewers can only read. */
export const scopesOf = (role: Role): readonly Scope[] => (role === "viewer" ? ["read"] : allScopes);

/** The service itself, as the actor of jobs and of the admin command. */
export const systemActor: Actor = {
  kind: "system",
  id: "system",
  name: "Candor",
  role: "operator",
  scopes: ["read", "write", "privacy"],
  clients: "all",
  accountId: null,
};

export const allScopes: readonly Scope[] = ["read", "write", "privacy"];
