import type { Actor } from "@/lib/accounts/actor";
import { usersWithAccessSql } from "@/lib/accounts/people";
import type { Colleague } from "@/lib/accounts/schema";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { type Db, pool } from "@/lib/platform/db/pool";
import { throwIssues } from "@/lib/platform/errors";

/** More moderators than a store has. */
const MAX_COLLEAGUES = 500;

/** What a person is called among team members; `row` is of `users`. */
export const displayNameSql = (row: string): string => `coalesce(${row}.name, ${row}.username)`;

/** A condition on `u`: the person may moderate at a client, and the actor may see them. Only operators see operators. */
const isColleagueSql = (client: string, actor: string, isOperator: string): string =>
  `may_moderate(u.id, ${client}) and (u.role <> 'operator' or u.id = ${actor} or ${isOperator})`;

/** The people who may moderate at a client, by name: those whom an item can be assigned to, and the actor. */
export async function listColleagues(
  actor: Pick<Actor, "id" | "role">,
  client: Pick<ClientRow, "id" | "account_id">,
): Promise<Colleague[]> {
  const { rows } = await pool().query<Colleague>(
    `select u.id, ${displayNameSql("u")} as name from users u
      where u.id in (select a.id from ${usersWithAccessSql("$1", "$2")} a(id) union select $3)
        and ${isColleagueSql("$1", "$3", "$4")}
      order by lower(${displayNameSql("u")}), u.id limit $5`,
    [client.id, client.account_id, actor.id, actor.role === "operator", MAX_COLLEAGUES],
  );
  return rows;
}

/**
 * Checks that people may moderate at a client. Their rows are locked, so that they can't lose that until the
 * transaction ends. `fieldOf` names the field of a person, by index. Throws `invalid_field`.
 */
export async function requireColleagues(
  db: Db,
  actor: Pick<Actor, "id" | "role">,
  client: Pick<ClientRow, "id">,
  ids: readonly string[],
  fieldOf: (index: number) => string,
): Promise<void> {
  if (ids.length === 0) return;
  await db.query("select from users where id = any($1) order by id for share", [ids]);
  const { rows } = await db.query<{ id: string }>(
    `select u.id from users u where u.id = any($1) and ${isColleagueSql("$2", "$3", "$4")}`,
    [ids, client.id, actor.id, actor.role === "operator"],
  );
  const found = new Set(rows.map(({ id }) => id));
  throwIssues(
    ids.flatMap((id, index) => (found.has(id) ? [] : [{ field: fieldOf(index), reason: "not_a_moderator" }])),
  );
}
