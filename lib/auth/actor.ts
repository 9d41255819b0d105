import { hasRole } from "@/lib/auth/rules";
import type { Role, Scope } from "@/lib/http/contract";

/**
 * Who is asking, and how far they reach. Every verb takes one. `clients` is the set of client ids, or `all` for
 * operators and for jobs of the service itself.
 */
export type Actor = {
  kind: "key" | "user" | "rule" | "system" | "visitor";
  id: string;
  name: string;
  role: Role;
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
