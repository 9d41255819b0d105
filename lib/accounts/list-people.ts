import type { Actor } from "@/lib/accounts/actor";
import { mayChange, type PersonRow, personColumns, usersWithAccessSql } from "@/lib/accounts/people";
import { isAdminOf, requireRole } from "@/lib/accounts/permissions";
import type { PersonLine } from "@/lib/accounts/schema";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";

/** More people than a store has; active ones come first. */
const MAX_PEOPLE = 500;

/** The people who reach a client, by name, deactivated ones last. Only operators see operators. */
export async function listPeople(actor: Actor, client: ClientRow): Promise<PersonLine[]> {
  requireRole(actor, "admin");
  const { rows } = await pool().query<PersonRow & { created_at: Date; second_factor: boolean }>(
    `select ${personColumns}, u.created_at, u.totp_secret is not null as second_factor from users u
      where u.id in ${usersWithAccessSql("$1", "$2")} and (u.role <> 'operator' or $3)
      order by u.disabled_at is not null, lower(coalesce(u.name, u.username)), u.id limit $4`,
    [client.id, client.account_id, actor.role === "operator", MAX_PEOPLE],
  );
  return rows.map((row) => {
    const visible = row.clients.filter((id) => isAdminOf(actor, id));
    return {
      id: row.id,
      username: row.username,
      name: row.name,
      email: row.email,
      role: row.role,
      roles: Object.fromEntries(Object.entries(row.roles).filter(([id]) => visible.includes(id))),
      state: row.disabled_at ? "disabled" : row.last_sign_in_at ? "active" : "invited",
      all_clients: row.all_clients,
      clients: visible,
      other_clients: row.clients.length - visible.length,
      second_factor: row.second_factor,
      last_sign_in_at: row.last_sign_in_at && toIsoSeconds(row.last_sign_in_at),
      created_at: toIsoSeconds(row.created_at),
      may_change: mayChange(actor, row),
    };
  });
}
