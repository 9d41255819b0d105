import type { Actor } from "@/lib/accounts/actor";
import { isAdminOf } from "@/lib/accounts/permissions";
import type { AuditedPerson } from "@/lib/accounts/record-person-audit";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { Db } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import type { AssignableRole, Role } from "@/lib/platform/http/contract";

/** A person as shown to those who manage people. */
export type PersonRow = AuditedPerson & {
  username: string;
  name: string | null;
  email: string | null;
  locale: string | null;
  role: Role;
  disabled_at: Date | null;
  last_sign_in_at: Date | null;
  demo: boolean;
  /** the clients named for the person, in order */
  clients: string[];
  /** roles at those clients where they differ from `role` */
  roles: Record<string, AssignableRole>;
};

export const personColumns = `u.id, u.account_id, u.all_clients, u.username, u.name, u.email, u.locale, u.role,
  u.disabled_at, u.last_sign_in_at, u.demo,
  array(select client_id from user_clients c where c.user_id = u.id order by 1) as clients,
  (select coalesce(jsonb_object_agg(c.client_id, c.role), '{}') from user_clients c
    where c.user_id = u.id and c.role is not null and not u.all_clients) as roles`;

/** A condition on `u`: the person reaches a client, given the client's id and its account. */
export const hasClientAccessSql = (client: string, account: string): string =>
  `((u.all_clients and u.account_id = ${account})
    or exists (select from user_clients c where c.user_id = u.id and c.client_id = ${client}))`;

/**
 * The ids of all who reach a client ({@link hasClientAccessSql}), found through indexes: the condition alone would scan
 * every person of the installation.
 */
export const usersWithAccessSql = (client: string, account: string): string =>
  `(select a.id from users a where a.all_clients and a.account_id = ${account}
    union select c.user_id from user_clients c where c.client_id = ${client})`;

/** The role of person `u` at a client that they reach. */
export const roleAtClientSql = (client: string): string =>
  `coalesce((select c.role from user_clients c where c.user_id = u.id and c.client_id = ${client} and not u.all_clients), u.role)`;

/** Only operators see operators. */
const isHidden = (actor: Pick<Actor, "role">, role: Role): boolean => role === "operator" && actor.role !== "operator";

/**
 * Whether the actor can change a person: never themselves, and not people with more access than they have. `demo`
 * logins can't be changed either.
 */
export function mayChange(
  actor: Actor,
  person: Pick<PersonRow, "id" | "account_id" | "all_clients" | "role" | "demo" | "clients">,
) {
  if (person.id === actor.id || person.demo || isHidden(actor, person.role)) return false;
  if (actor.clients === "all") return true;
  if (person.all_clients && !(actor.hasAccountAccess && actor.accountId === person.account_id)) return false;
  return person.clients.every((client) => isAdminOf(actor, client));
}

/** Locks a person who reaches the client and whom the actor can change. Throws `not_found`, `forbidden`. */
export async function requirePerson(db: Db, actor: Actor, client: ClientRow, id: string): Promise<PersonRow> {
  const { rows } = await db.query<PersonRow>(
    `select ${personColumns} from users u where u.id = $1 and ${hasClientAccessSql("$2", "$3")} for update of u`,
    [id, client.id, client.account_id],
  );
  const person = rows[0];
  if (!person || isHidden(actor, person.role)) throw new AppError("not_found", { reason: "person_not_found" });
  if (!mayChange(actor, person))
    throw new AppError("forbidden", { reason: person.id === actor.id ? "own_role" : "person_reaches_further" });
  return person;
}
