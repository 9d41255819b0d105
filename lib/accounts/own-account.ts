import type { z } from "zod";
import type { Actor } from "@/lib/accounts/actor";
import { mailNotice } from "@/lib/accounts/mail-notice";
import { notePerson } from "@/lib/accounts/note-person";
import type { OwnAccount, OwnChange, Session } from "@/lib/accounts/schema";
import { requireOwn } from "@/lib/accounts/set-password";
import { endSession, endSessions } from "@/lib/accounts/sign-in/portal-session";
import { pool, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { languages } from "@/lib/platform/i18n/languages";
import { seconds } from "@/lib/platform/seconds";
import { emailKey } from "@/lib/platform/secrets/person-hash";

/** The caller's own login. */
export async function getOwnAccount(actor: Actor): Promise<OwnAccount> {
  const { rows } = await pool().query<Omit<OwnAccount, "language"> & { locale: string | null }>(
    `select username, name, email, locale, role, demo, totp_secret is not null as second_factor,
            cardinality(recovery_codes) as recovery_codes,
            (select coalesce(jsonb_object_agg(c.client_id, c.role), '{}') from user_clients c
              where c.user_id = u.id and c.role is not null and not u.all_clients) as roles
       from users u where id = $1`,
    [actor.id],
  );
  if (!rows[0]) throw new AppError("unauthorized", "This login is gone.");
  const { locale, ...row } = rows[0];
  return { ...row, language: languages.find((language) => language === locale) ?? null };
}

/**
 * Changes one's own name, language or address; what is left out stays. A new address asks for the password, since a new
 * password can be had by it. Throws `invalid_field`, `rate_limited`, `forbidden` for the demo's login.
 */
export async function changeOwnAccount(actor: Actor, change: z.output<typeof OwnChange>): Promise<void> {
  const { email, own } = await ownAddress(actor, change);
  const name = change.name === undefined ? undefined : change.name?.trim() || null;
  await transaction(async (db) => {
    if (name !== undefined || change.language !== undefined)
      await db.query(
        `update users set name = case when $2 then $3 else name end, locale = case when $4 then $5 else locale end,
                updated_at = now() where id = $1 and not demo`,
        [actor.id, name !== undefined, name ?? null, change.language !== undefined, change.language ?? null],
      );
    if (!own || email === undefined) return;
    const { rows } = await db.query<{ formerly: string | null }>(
      `update users u set email = $2, email_key = $3, email_proven_at = null, updated_at = now()
         from (select id, email from users where id = $1 for update) was
        where u.id = was.id returning was.email as formerly`,
      [actor.id, email, emailKey(email)],
    );
    // Links went to the address before.
    await db.query("update password_links set used_at = now() where user_id = $1 and used_at is null", [actor.id]);
    await notePerson(db, own, { actor, action: "user.address_changed" });
    await mailNotice(db, actor.id, "address", { formerly: rows[0]?.formerly ?? null });
  });
}

async function ownAddress(actor: Actor, { email: given, password }: z.output<typeof OwnChange>) {
  const email = given?.trim();
  const { demo, email: present } = await getOwnAccount(actor);
  if (demo) throw new AppError("forbidden", "The demo's login cannot be changed.");
  if (email === undefined || email === present) return { email: undefined, own: null };
  return { email, own: await requireOwn(actor, password, "password") };
}

/** More sessions than anybody has open. */
const MOST = 100;

/** Where the caller is signed in, the latest first. */
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
    [actor.id, actor.session ?? "", MOST],
  );
  return rows.map(({ user_agent, created_at, last_seen_at, ...row }) => ({
    ...row,
    browser: user_agent,
    created_at: seconds(created_at),
    last_seen_at: seconds(last_seen_at),
    current: row.id === actor.session,
  }));
}

/** Ends one of the caller's sessions. Throws `not_found`. */
export async function endOwnSession(actor: Actor, id: string): Promise<void> {
  if (!(await endSession(actor.id, id))) throw new AppError("not_found", "There is no such session of yours.");
}

/** Ends all of the caller's sessions but the one that asks. */
export async function endOtherSessions(actor: Actor): Promise<void> {
  await endSessions(pool(), actor.id, actor.session ?? null);
}
