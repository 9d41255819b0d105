import { personLocale } from "@/lib/accounts/mail-notice";
import { mailPasswordLink } from "@/lib/accounts/password-links";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { prisma, transaction } from "@/lib/platform/db/prisma";
import { ipAddressOf, networkOf } from "@/lib/platform/http/address";
import { takeToken } from "@/lib/platform/http/rate-limit";
import { emailKey } from "@/lib/platform/secrets/person-hash";

/** Most links emailed to one person per hour, across all callers and processes. */
const MAX_PER_HOUR = 3;
/** Most logins of one address that get an email: a person has one or two. */
const MAX_USERS = 5;

/** Limits password resets per caller. Throws `rate_limited`; reveals nothing about the login. */
export const limitResets = (headers: Headers): void => {
  takeToken("reset_address", networkOf(ipAddressOf(headers, undefined)));
};

/**
 * Emails a link to set a new password to the person with this user name or address. An unknown or demo login, one
 * without an address, and one at its limit get none. Don't make the caller wait for this: the response is the same for
 * all, but the time taken would tell them apart.
 */
export async function mailReset(given: string): Promise<void> {
  const name = given.trim();
  if (name === "" || name.length > 320 || name.includes("\0")) return;
  const { rows } = await pool().query<{ id: string }>(
    // Anyone can give their own logins this address and use them: those must not crowd out the login with this user
    // name, the one that verified the address, or the only one with it in its account.
    `select id from (
       select id, username = $1 as named, email_proven_at is not null as proven, last_sign_in_at,
              row_number() over (partition by coalesce(account_id, id)
                order by username = $1 desc, email_proven_at nulls last, last_sign_in_at desc nulls last, id) as place
         from users where (username = $1 or email_key = $2) and email is not null and disabled_at is null and not demo
     ) u order by named desc, proven desc, place, last_sign_in_at desc nulls last, id limit $3`,
    [name, emailKey(name), MAX_USERS],
  );
  for (const { id } of rows) await mailResetTo(id);
}

const mailResetTo = (id: string): Promise<void> =>
  transaction(async (db) => {
    const { rows } = await db.query<{ id: string; username: string; email: string; locale: string | null }>(
      `select id, username, email, ${personLocale} as locale from users u
        where id = $1 and disabled_at is null and not demo for update of u`,
      [id],
    );
    const person = rows[0];
    if (!person) return;
    const recentLinks = await (await prisma(db)).passwordLink.count({
      where: { userId: id, kind: "reset", createdAt: { gt: new Date(now().getTime() - 3_600_000) } },
    });
    if (recentLinks < MAX_PER_HOUR) await mailPasswordLink(db, person, { kind: "reset" });
  });
