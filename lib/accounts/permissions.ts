import { type Actor, hasRole, roleAt } from "@/lib/accounts/actor";
import { AppError, throwIssues } from "@/lib/platform/errors";
import type { Role } from "@/lib/platform/http/contract";

type Who = Pick<Actor, "clients" | "role" | "roles" | "defaultRole">;

/** Whether the actor is an admin of a client. A moderator can't grant anything there. */
export const isAdminOf = (actor: Who, id: string): boolean =>
  actor.clients === "all" || (actor.clients.has(id) && hasRole(roleAt(actor, id), "admin"));

/** Rejects clients that the actor doesn't administer; unknown ones get the same error. Throws `invalid_field`. */
export const requireAdminOf = (actor: Who, clients: readonly string[]): void =>
  throwIssues(
    clients.flatMap((id, index) =>
      isAdminOf(actor, id) ? [] : [{ field: `clients[${index}]`, reason: "not_your_client" }],
    ),
  );

/**
 * The request pipeline checks this for every call; operations check again, since they have other callers, too. Throws
 * `forbidden`.
 */
export function requireRole(actor: Pick<Actor, "role">, role: Role): void {
  if (!hasRole(actor.role, role)) throw new AppError("forbidden", { reason: "role_forbids" });
}
