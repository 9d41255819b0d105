import { hasRole } from "@/lib/accounts/sign-in/rules";
import type { Role, Scope } from "@/lib/platform/http/contract";

/**
 * Who is asking, and how far they reach. Every verb takes one. `clients` is the set of client ids, or `all` for
 * operators and for jobs of the service itself.
 */
export type Actor = {
  kind: "key" | "user" | "rule" | "system" | "visitor";
  id: string;
  name: string;
  /** at the client that a call or page is about; elsewhere the person's usual one */
  role: Role;
  /** of a person: the role at clients where it is not the usual one; see {@link actorAtClient} */
  roles?: ReadonlyMap<string, Role>;
  defaultRole?: Role;
  scopes: readonly Scope[];
  clients: ReadonlySet<string> | "all";
  accountId: string | null;
  /** a person who reaches all clients of the account, later ones too */
  wholeAccount?: boolean;
  /** the browser's session, where one asks */
  session?: string;
  /** the language a person chose for themselves */
  language?: string | null;
};

export { hasRole };

/** Viewers read all but personal data: names, addresses and ids of customers are hidden from them. */
export const maySeePeople = (actor: Pick<Actor, "role">): boolean => hasRole(actor.role, "moderator");

/** The role of somebody at a client that they reach. */
export const roleAt = (
  { role, roles, defaultRole = role }: Pick<Actor, "role" | "roles" | "defaultRole">,
  client: string,
) => roles?.get(client) ?? defaultRole;

/** Somebody as they are at one client: with the role, and so the scopes, that they have there. */
export function actorAtClient(actor: Actor, client: string): Actor {
  const role = roleAt(actor, client);
  return role === actor.role
    ? actor
    : { ...actor, role, scopes: scopesOf(role), defaultRole: actor.defaultRole ?? actor.role };
}

/** Somebody with the most that they may anywhere: before it is known which client a call is about. */
export function withHighestRole(actor: Actor): Actor {
  const roles = [actor.role, ...(actor.roles?.values() ?? [])];
  const best = roles.reduce((most, role) => (hasRole(role, most) ? role : most));
  return best === actor.role ? actor : { ...actor, role: best, scopes: scopesOf(best) };
}

/** What a person of a role may do by the API: viewers only read. */
export const scopesOf = (role: Role): readonly Scope[] => (role === "viewer" ? ["read"] : allScopes);

/** The actor of a job or of the admin command: the service itself. */
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
