import type { Actor } from "@/lib/accounts/actor";
import { mailNotice } from "@/lib/accounts/mail-notice";
import { endPasswordLinks, openPasswordLink } from "@/lib/accounts/password-links";
import { type AuditedPerson, recordPersonAudit } from "@/lib/accounts/record-person-audit";
import { Password } from "@/lib/accounts/schema";
import { checkPassword, hashPassword } from "@/lib/accounts/sign-in/password";
import { endSessions } from "@/lib/accounts/sign-in/session-store";
import { failuresOfDevice } from "@/lib/accounts/sign-in/sign-in-failures";
import { now } from "@/lib/platform/clock";
import { type Db, pool } from "@/lib/platform/db/pool";
import { prisma, transaction } from "@/lib/platform/db/prisma";
import { AppError, throwIssues } from "@/lib/platform/errors";
import { parse } from "@/lib/platform/http/issues";

type Row = AuditedPerson & { username: string; password_hash: string; demo: boolean };

/**
 * Sets the password by an emailed link. The link works once; every session and cached credential ends. Throws
 * `invalid_field` for an invalid password (the link stays valid), `not_found` if the link was used or has expired.
 */
export async function setPasswordByLink(secret: string, password: string): Promise<{ username: string }> {
  const link = await openPasswordLink(secret);
  if (!link) throw linkUsedError();
  requireStrongPassword(password, link.username);
  const hash = await hashPassword(password);
  await transaction(async (db) => {
    // Locks the person before their links, in the same order as everything that emails a link.
    await db.query("select from users where id = $1 for update", [link.userId]);
    const { passwordLink, user } = await prisma(db);
    const used = await passwordLink.updateMany({
      where: { hash: link.hash, usedAt: null, expiresAt: { gt: now() } },
      data: { usedAt: now() },
    });
    if (used.count !== 1) throw linkUsedError();
    const person = await writePassword(db, link.userId, hash);
    // The link was sent to the present address: a new address invalidates earlier links.
    await user.updateMany({ where: { id: person.id, emailProvenAt: null }, data: { emailProvenAt: now() } });
    await endSessions(db, person.id);
    const actor = { kind: "user", id: person.id } as const;
    await recordPersonAudit(db, person, {
      actor,
      action: link.kind === "invitation" ? "password.set" : "password.reset",
    });
    if (link.kind === "reset") await mailNotice(db, person.id, "password");
  });
  return { username: link.username };
}

/**
 * Changes the caller's password. The current session continues, every other ends. Throws `invalid_field` at `current`
 * for a wrong present password, `rate_limited` after ten of those, `forbidden` for the demo's login.
 */
export async function changePassword(actor: Actor, { current, password }: { current: string; password: string }) {
  const person = await requireOwnPassword(actor, current, "current");
  requireStrongPassword(password, person.username);
  const hash = await hashPassword(password);
  await transaction(async (db) => {
    const audited = await writePassword(db, actor.id, hash, person.password_hash);
    await endSessions(db, actor.id, actor.session ?? null);
    await db.query(
      "update portal_sessions set session_version = (select session_version from users where id = $2) where id = $1",
      [actor.session ?? null, actor.id],
    );
    await recordPersonAudit(db, audited, { actor, action: "password.changed" });
    await mailNotice(db, actor.id, "password");
  });
}

/**
 * The caller's own login, after confirming its password. Throws `invalid_field` at `field`, `rate_limited`, `forbidden`
 * for the demo's login.
 */
export async function requireOwnPassword(actor: Actor, password: string | undefined, field: string): Promise<Row> {
  const { rows } = await pool().query<Row>(
    "select id, account_id, all_clients, username, password_hash, demo from users where id = $1",
    [actor.id],
  );
  const person = rows[0];
  if (!person || person.demo) throw new AppError("forbidden", { reason: "demo_login_fixed" });
  // Counted for the signed-in person: guesses on the sign-in page don't lock them out here.
  const { throwIfTooMany, count } = failuresOfDevice(person.id);
  throwIfTooMany();
  const right = password !== undefined && (await checkPassword(person.password_hash, password));
  throwIfTooMany();
  if (!right) {
    if (password !== undefined) count();
    throw new AppError("invalid_field", {
      issues: [{ field, reason: "wrong_password" }],
    });
  }
  return person;
}

/** `was`: the expected present hash; of two concurrent changes the second is rejected. */
async function writePassword(db: Db, id: string, hash: string, was: string | null = null): Promise<AuditedPerson> {
  const { rows } = await db.query<AuditedPerson>(
    `update users set password_hash = $2, session_version = session_version + 1, updated_at = now()
      where id = $1 and ($3::text is null or password_hash = $3) returning id, account_id, all_clients`,
    [id, hash, was],
  );
  if (!rows[0]) throw new AppError("conflict", { reason: "password_changed" });
  await endPasswordLinks(db, id);
  return rows[0];
}

const linkUsedError = () => new AppError("not_found", { reason: "link_used" });

function requireStrongPassword(password: string, username: string): void {
  const { issues } = parse(Password, password);
  throwIssues((issues ?? []).map((issue) => ({ ...issue, field: "password" })));
  if (password.includes("\0"))
    throw new AppError("invalid_field", { reason: "invalid_password_character", field: "password" });
  if (password.toLowerCase() === username.toLowerCase())
    throw new AppError("invalid_field", { reason: "password_is_username", field: "password" });
}
