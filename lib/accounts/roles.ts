import type { Db } from "@/lib/platform/db/pool";
import { throwIssues } from "@/lib/platform/errors";
import type { AssignableRole, Role } from "@/lib/platform/http/contract";

// A person has a usual role, and can have a different one at some of the clients named for them. People who reach a
// whole account, including future clients, have one role in all of it.

/** Rejects roles at clients that aren't named for the person. Throws `invalid_field`. */
export const requireRolesAtClients = (roles: Record<string, AssignableRole>, clients: readonly string[]): void =>
  throwIssues(
    Object.keys(roles).flatMap((id) =>
      clients.includes(id) ? [] : [{ field: `roles.${id}`, reason: "not_a_client_of_person" }],
    ),
  );

/**
 * Replaces the roles at single clients, in the caller's transaction. A client without one, or with the usual role, uses
 * the usual role.
 */
export async function writeRoles(
  db: Db,
  userId: string,
  usual: Role,
  roles: Record<string, AssignableRole>,
): Promise<void> {
  await db.query(
    `update user_clients c set role = nullif($3::jsonb ->> c.client_id, $2)
      where c.user_id = $1 and c.role is distinct from nullif($3::jsonb ->> c.client_id, $2)`,
    [userId, usual, JSON.stringify(roles)],
  );
}
