import { personLocale } from "@/lib/accounts/mail-notice";
import { mailPasswordLink } from "@/lib/accounts/password-links";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { prisma, transaction } from "@/lib/platform/db/prisma";
import { ipAddressOf, networkOf } from "@/lib/platform/http/address";
import { takeToken } from "@/lib/platform/http/rate-limit";
import { emailKey } from "@/lib/platform/secrets/person-hash";

/** Links that one person is mailed within an hour, whoever asks, through whichever process. */
const MAX_PER_HOUR = 3;
/** Logins of one address that are written to: a person has one or two. */
const MAX_USERS = 5;

/** Asks whether this caller may have a link mailed. Throws `rate_limited`; tells nothing about the login. */
export const limitResets = (headers: Headers): void => {
  takeToken("reset_address", networkOf(ipAddressOf(headers, undefined)));
};

/**
 * Mails a link to set a new password to whoever has this user name or address. An unknown one, one without an address, the
 * demo's and one that had its links for now get none. Whoever asks hears the same, and need not wait for this: the time it
 * takes would tell them apart.
 */
export async function mailReset(given: string): Promise<void> {
  const name = given.trim();
  if (name === "" || name.length > 320 || name.includes("\0")) return;
  const { rows } = await pool().query<{ id: string }>(
    // Anybody may give a login of theirs this address, and use it: those must not crowd out who is named, who has shown
    // that the address is theirs, or who is alone with it in an account.
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
    const asked = await (await prisma(db)).passwordLink.count({
      where: { userId: id, kind: "reset", createdAt: { gt: new Date(now().getTime() - 3_600_000) } },
    });
    if (asked < MAX_PER_HOUR) await mailPasswordLink(db, person, { kind: "reset" });
  });
