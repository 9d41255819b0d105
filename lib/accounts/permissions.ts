import { type Actor, hasRole, roleAt } from "@/lib/accounts/actor";
import { AppError, throwIssues } from "@/lib/platform/errors";
import type { Role } from "@/lib/platform/http/contract";

type Who = Pick<Actor, "clients" | "role" | "roles" | "defaultRole">;

/** Whether somebody is an admin of a client. Whoever only moderates there gives nobody anything there. */
export const isAdminOf = (actor: Who, id: string): boolean =>
  actor.clients === "all" || (actor.clients.has(id) && hasRole(roleAt(actor, id), "admin"));

/** Refuses clients of which the actor is no admin, and unknown ones with the same words. Throws `invalid_field`. */
export const requireAdminOf = (actor: Who, clients: readonly string[]): void =>
  throwIssues(
    clients.flatMap((id, index) =>
      isAdminOf(actor, id) ? [] : [{ field: `clients[${index}]`, reason: "not_your_client" }],
    ),
  );

/** The door asks this of every call already; a verb asks it again, whoever calls it. Throws `forbidden`. */
export function requireRole(actor: Pick<Actor, "role">, role: Role): void {
  if (!hasRole(actor.role, role)) throw new AppError("forbidden", { reason: "role_forbids" });
}
