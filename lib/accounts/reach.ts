import { type Actor, hasRole } from "@/lib/auth/actor";
import { AppError, refuseFaults } from "@/lib/errors";
import type { Role } from "@/lib/http/contract";

/** Whether somebody reaches a client. */
export const reaches = ({ clients }: Pick<Actor, "clients">, id: string): boolean =>
  clients === "all" || clients.has(id);

/** Refuses clients that are not the actor's, and unknown ones with the same words. Throws `invalid_field`. */
export const refuseOthers = (actor: Pick<Actor, "clients">, clients: readonly string[]): void =>
  refuseFaults(
    clients.flatMap((id, index) =>
      reaches(actor, id) ? [] : [{ field: `clients[${index}]`, message: "is not a client of yours" }],
    ),
  );

/** The door asks this of every call already; a verb asks it again, whoever calls it. Throws `forbidden`. */
export function requireRole(actor: Pick<Actor, "role">, role: Role): void {
  if (!hasRole(actor.role, role)) throw new AppError("forbidden", "Your role does not allow this.");
}
