import type { z } from "zod";
import type { Actor } from "@/lib/accounts/actor";
import { requireAccountAccess } from "@/lib/accounts/invite-person";
import { mailNotice } from "@/lib/accounts/mail-notice";
import { noSecondFactor } from "@/lib/accounts/own-second-factor";
import { endPasswordLinks } from "@/lib/accounts/password-links";
import { hasClientAccessSql, type PersonRow, requirePerson, roleAtClientSql } from "@/lib/accounts/people";
import { requireAdminOf, requireRole } from "@/lib/accounts/permissions";
import { recordAuditOfClients } from "@/lib/accounts/record-audit";
import { recordPersonAudit } from "@/lib/accounts/record-person-audit";
import { requireClients } from "@/lib/accounts/require-clients";
import { requireRolesAtClients, writeRoles } from "@/lib/accounts/roles";
import type { PersonChange } from "@/lib/accounts/schema";
import { endSessions } from "@/lib/accounts/sign-in/session-store";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { now } from "@/lib/platform/clock";
import type { Db } from "@/lib/platform/db/pool";
import { prisma, transaction } from "@/lib/platform/db/prisma";
import { AppError } from "@/lib/platform/errors";

type Change = z.output<typeof PersonChange>;

/**
 * Changes a person's role or access, removes a lost second factor, deactivates or reactivates them. A new role and
 * deactivation end their sessions immediately. Values that don't differ are ignored. Throws `not_found`, `forbidden`,
 * `invalid_field`.
 */
export async function changePerson(actor: Actor, client: ClientRow, id: string, change: Change): Promise<void> {
  requireRole(actor, "admin");
  await transaction(async (db) => {
    await lockActorAndPerson(db, actor, client, id);
    const person = await requirePerson(db, actor, client, id);
    const { user } = await prisma(db);
    if (person.role === "operator" && change.role !== undefined)
      throw new AppError("forbidden", { reason: "operators_on_server" });
    const accessChange = await setStoreAccess(db, actor, client, person, change);
    const detail = { ...accessChange, ...roleOf(person, change), ...(await setRoles(db, person, change)) };
    const disabledChanged = change.disabled !== undefined && change.disabled !== (person.disabled_at !== null);
    if (detail.role || detail.roles || disabledChanged) {
      await user.update({
        where: { id },
        data: {
          role: change.role ?? person.role,
          sessionVersion: { increment: 1 },
          disabledAt: (change.disabled ?? person.disabled_at !== null) ? (person.disabled_at ?? now()) : null,
        },
        select: { id: true },
      });
      await endSessions(db, id);
      if (change.disabled) await endPasswordLinks(db, id);
    }
    if (change.second_factor === false) {
      const cleared = await user.updateMany({ where: { id, totpSecret: { not: null } }, data: noSecondFactor });
      if (cleared.count === 1) {
        await recordPersonAudit(db, person, { actor, action: "second_factor.disabled" });
        await mailNotice(db, person.id, "second_factor_off");
      }
    }
    if (Object.keys(detail).length > 0) {
      await recordPersonAudit(db, person, { actor, action: "user.changed", detail });
      // Clients that the person loses access to get the audit entry, too.
      const removed = "clients" in detail ? person.clients.filter((one) => !detail.clients?.includes(one)) : [];
      await recordAuditOfClients(db, removed, { actor, action: "user.changed", subject: id, detail });
    }
    if (disabledChanged)
      await recordPersonAudit(db, person, { actor, action: change.disabled ? "user.disabled" : "user.enabled" });
  });
}

/**
 * Locks the actor and the person in order of their ids, then checks again that the actor may change the person: if two
 * admins demote each other concurrently, the second is rejected, so one admin always remains. Throws `forbidden`.
 */
async function lockActorAndPerson(db: Db, actor: Actor, client: ClientRow, id: string): Promise<void> {
  if (actor.kind !== "user") return;
  await db.query("select from users where id = any($1) order by id for update", [[actor.id, id]]);
  const { rowCount } = await db.query(
    `select from users u where u.id = $1 and u.disabled_at is null
        and (u.role = 'operator' or ('admin' = ${roleAtClientSql("$2")} and ${hasClientAccessSql("$2", "$3")}))`,
    [actor.id, client.id, client.account_id],
  );
  if (rowCount !== 1) throw new AppError("forbidden", { reason: "role_changed" });
}

const roleOf = (person: PersonRow, { role }: Change): { role?: string; was?: string } =>
  role !== undefined && role !== person.role ? { role, was: person.role } : {};

/** Sets the roles at single clients, after the clients are set. Returns them if they changed. */
async function setRoles(
  db: Db,
  person: PersonRow,
  { role = undefined, roles }: Change,
): Promise<{ roles?: Record<string, string> }> {
  const { userClient } = await prisma(db);
  const named = await userClient.findMany({ where: { userId: person.id }, select: { clientId: true } });
  const clients = named.map(({ clientId }) => clientId);
  if (roles) requireRolesAtClients(roles, clients);
  const usual = role ?? person.role;
  const remaining = Object.entries(roles ?? person.roles).filter(([id, one]) => clients.includes(id) && one !== usual);
  const newRoles = Object.fromEntries(remaining.sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeRoles(db, person.id, usual, newRoles);
  const was = Object.entries(person.roles).filter(([id]) => clients.includes(id));
  const same = was.length === remaining.length && was.every(([id, one]) => newRoles[id] === one);
  return same ? {} : { roles: newRoles };
}

/** Sets which clients the person reaches. Returns what changed. */
async function setStoreAccess(
  db: Db,
  actor: Actor,
  client: ClientRow,
  person: PersonRow,
  change: Change,
): Promise<{ all_clients?: true; clients?: string[] }> {
  const { all_clients: all = person.all_clients && change.clients === undefined, clients } = change;
  if (all === person.all_clients && (all || clients === undefined)) return {};
  const { user } = await prisma(db);
  if (all) {
    requireAccountAccess(actor, client);
    await user.update({
      where: { id: person.id },
      data: { allClients: true, accountId: client.account_id, clients: { deleteMany: {} } },
      select: { id: true },
    });
    return { all_clients: true };
  }
  const named = [...new Set(clients ?? [client.id])].sort();
  if (actor.clients !== "all") requireAdminOf(actor, named);
  if (!person.all_clients && named.join("\n") === person.clients.join("\n")) return {};
  const account = await requireClients(db, named);
  await user.update({
    where: { id: person.id },
    data: {
      allClients: false,
      accountId: person.account_id ?? account,
      clients: {
        deleteMany: { clientId: { notIn: named } },
        createMany: { data: named.map((clientId) => ({ clientId })), skipDuplicates: true },
      },
    },
    select: { id: true },
  });
  return { clients: named };
}
