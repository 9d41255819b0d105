import { randomBytes } from "node:crypto";
import type { z } from "zod";
import type { Actor } from "@/lib/accounts/actor";
import { createUserWithin } from "@/lib/accounts/create-user";
import { mailPasswordLink } from "@/lib/accounts/password-links";
import { requirePerson } from "@/lib/accounts/people";
import { requireAdminOf, requireRole } from "@/lib/accounts/permissions";
import type { AuditDetail } from "@/lib/accounts/record-audit";
import { recordPersonAudit } from "@/lib/accounts/record-person-audit";
import { type InvitedPerson, isUserName, type NewPerson } from "@/lib/accounts/schema";
import { refuseOpenDemo } from "@/lib/accounts/sign-in/demo";
import { hashPassword } from "@/lib/accounts/sign-in/password";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { transaction } from "@/lib/platform/db/prisma";
import { AppError } from "@/lib/platform/errors";
import { takeToken } from "@/lib/platform/http/rate-limit";

/**
 * Creates a login and emails a link to set its password. It can't reach more than the person who invites. Throws
 * `invalid_field`, `not_found`, `conflict` if the user name exists, `rate_limited`, `forbidden` for the demo's login if
 * the demo is public.
 */
export async function invitePerson(
  actor: Actor,
  client: ClientRow,
  given: z.output<typeof NewPerson>,
): Promise<z.input<typeof InvitedPerson>> {
  requireRole(actor, "admin");
  refuseOpenDemo(client);
  const { role, roles = {}, all_clients = false, clients = [client.id] } = given;
  const email = given.email.trim();
  const username = given.username ?? email;
  if (!isUserName(username)) throw new AppError("invalid_field", { reason: "email_no_username", field: "username" });
  if (all_clients) requireAccountAccess(actor, client);
  else if (actor.clients !== "all") requireAdminOf(actor, clients);
  takeToken("people_mail", actor.id);
  const hash = await hashPassword(randomBytes(32).toString("base64url"));
  const access = all_clients ? { accountId: client.account_id } : { clients: [...new Set(clients)] };
  return transaction(async (db) => {
    const name = given.name?.trim() || null;
    const id = await createUserWithin(db, { username, role, roles, ...access, email, name }, hash);
    const person = { id, username, email, locale: null, account_id: client.account_id, all_clients };
    const detail: AuditDetail = {
      username,
      role,
      ...(Object.keys(roles).length > 0 ? { roles } : {}),
      ...(all_clients ? { all_clients } : { clients: access.clients }),
    };
    await recordPersonAudit(db, person, { actor, action: "user.invited", detail });
    await mailPasswordLink(db, person, invitationOf(actor, client));
    return { id, username };
  });
}

/**
 * Emails a new link and invalidates earlier ones. Throws `not_found`, `forbidden`, `conflict` if the person has no
 * address.
 */
export async function mailPersonLink(actor: Actor, client: ClientRow, id: string): Promise<void> {
  requireRole(actor, "admin");
  refuseOpenDemo(client);
  await transaction(async (db) => {
    const person = await requirePerson(db, actor, client, id);
    const { email } = person;
    if (email === null) throw new AppError("conflict", { reason: "person_without_email" });
    if (person.disabled_at) throw new AppError("conflict", { reason: "person_deactivated" });
    takeToken("people_mail", actor.id);
    await recordPersonAudit(db, person, { actor, action: "user.link_mailed" });
    await mailPasswordLink(
      db,
      { ...person, email },
      person.last_sign_in_at ? { kind: "reset" } : invitationOf(actor, client),
    );
  });
}

const invitationOf = (actor: Actor, { display_name, locale }: ClientRow) =>
  ({ kind: "invitation", by: actor.name, shop: display_name, locale }) as const;

/** Only people with access to the whole account can grant it. Throws `forbidden`. */
export function requireAccountAccess(actor: Actor, client: Pick<ClientRow, "account_id">): void {
  if (actor.clients !== "all" && !(actor.hasAccountAccess && actor.accountId === client.account_id))
    throw new AppError("forbidden", { reason: "account_not_reached" });
}
