import type { z } from "zod";
import type { Actor } from "@/lib/accounts/actor";
import { mailNotice } from "@/lib/accounts/mail-notice";
import { endPasswordLinks } from "@/lib/accounts/password-links";
import { recordPersonAudit } from "@/lib/accounts/record-person-audit";
import type { OwnAccount, OwnChange, Session } from "@/lib/accounts/schema";
import { requireOwnPassword } from "@/lib/accounts/set-password";
import { endSession, endSessions } from "@/lib/accounts/sign-in/session-store";
import { pool } from "@/lib/platform/db/pool";
import { prisma, transaction } from "@/lib/platform/db/prisma";
import { AppError } from "@/lib/platform/errors";
import type { AssignableRole } from "@/lib/platform/http/contract";
import { languages } from "@/lib/platform/i18n/languages";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { emailKey } from "@/lib/platform/secrets/person-hash";

/** The caller's own login. */
export async function getOwnAccount(actor: Actor): Promise<OwnAccount> {
  const own = await (await prisma()).user.findUnique({
    where: { id: actor.id },
    select: {
      username: true,
      name: true,
      email: true,
      locale: true,
      role: true,
      demo: true,
      totpSecret: true,
      recoveryCodes: true,
      hideStars: true,
      allClients: true,
      clients: { where: { role: { not: null } }, select: { clientId: true, role: true } },
    },
  });
  if (!own) throw new AppError("unauthorized", { reason: "login_gone" });
  const { locale, role, totpSecret, recoveryCodes, hideStars, allClients, clients, ...row } = own;
  return {
    ...row,
    role: role as OwnAccount["role"],
    roles: Object.fromEntries(allClients ? [] : clients.map((one) => [one.clientId, one.role as AssignableRole])),
    second_factor: totpSecret !== null,
    recovery_codes: recoveryCodes.length,
    hide_stars: hideStars,
    language: languages.find((language) => language === locale) ?? null,
  };
}

/**
 * Changes the caller's name, language, whether stars are hidden, or address; omitted fields stay. A new address requires the password, since it
 * can be used to reset it. Throws `invalid_field`, `rate_limited`, `forbidden` for the demo's login.
 */
export async function changeOwnAccount(actor: Actor, change: z.output<typeof OwnChange>): Promise<void> {
  const { email, own } = await ownAddress(actor, change);
  const name = change.name === undefined ? undefined : change.name?.trim() || null;
  await transaction(async (db) => {
    if (name !== undefined || change.language !== undefined || change.hide_stars !== undefined)
      await (await prisma(db)).user.updateMany({
        where: { id: actor.id, demo: false },
        data: {
          ...(name !== undefined && { name }),
          ...(change.language !== undefined && { locale: change.language }),
          ...(change.hide_stars !== undefined && { hideStars: change.hide_stars }),
        },
      });
    if (!own || email === undefined) return;
    const { rows } = await db.query<{ formerly: string | null }>(
      `update users u set email = $2, email_key = $3, email_proven_at = null, updated_at = now()
         from (select id, email from users where id = $1 for update) was
        where u.id = was.id returning was.email as formerly`,
      [actor.id, email, emailKey(email)],
    );
    // Earlier links went to the old address.
    await endPasswordLinks(db, actor.id);
    await recordPersonAudit(db, own, { actor, action: "user.address_changed" });
    await mailNotice(db, actor.id, "address", { oldEmail: rows[0]?.formerly ?? null });
  });
}

async function ownAddress(actor: Actor, { email: newEmail, password }: z.output<typeof OwnChange>) {
  const email = newEmail?.trim();
  const { demo, email: currentEmail } = await getOwnAccount(actor);
  if (demo) throw new AppError("forbidden", { reason: "demo_login_fixed" });
  if (email === undefined || email === currentEmail) return { email: undefined, own: null };
  return { email, own: await requireOwnPassword(actor, password, "password") };
}

/** More sessions than a person has open. */
const MAX_SESSIONS = 100;

/** The caller's open sessions, latest first. */
export async function listSessions(actor: Actor): Promise<Session[]> {
  const { rows } = await pool().query<{
    id: string;
    user_agent: string | null;
    address: string | null;
    created_at: Date;
    last_seen_at: Date;
  }>(
    `select s.id, s.user_agent, s.address, s.created_at, s.last_seen_at
       from portal_sessions s join users u on u.id = s.user_id
      where s.user_id = $1 and s.ended_at is null and s.session_version = u.session_version
      order by s.id <> $2, s.last_seen_at desc, s.id limit $3`,
    [actor.id, actor.session ?? "", MAX_SESSIONS],
  );
  return rows.map(({ user_agent, created_at, last_seen_at, ...row }) => ({
    ...row,
    browser: user_agent,
    created_at: toIsoSeconds(created_at),
    last_seen_at: toIsoSeconds(last_seen_at),
    current: row.id === actor.session,
  }));
}

/** Ends one of the caller's sessions. Throws `not_found`. */
export async function endOwnSession(actor: Actor, id: string): Promise<void> {
  if (!(await endSession(actor.id, id))) throw new AppError("not_found", { reason: "session_not_found" });
}

/** Ends all of the caller's sessions except the current one. */
export async function endOtherSessions(actor: Actor): Promise<void> {
  await endSessions(pool(), actor.id, actor.session ?? null);
}
