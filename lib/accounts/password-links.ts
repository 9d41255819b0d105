import { createHash } from "node:crypto";
import { linkWords } from "@/lib/accounts/account-words";
import { serviceSender } from "@/lib/accounts/service-sender";
import { now } from "@/lib/platform/clock";
import { type Db, pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { fill, languageOf } from "@/lib/platform/i18n/languages";
import { newToken } from "@/lib/platform/ids";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { queueMail } from "@/lib/platform/mail/queue-mail";
import { renderMessage } from "@/lib/platform/mail/render-message";
import { senderOf } from "@/lib/platform/mail/sender";

const HOUR_MS = 3_600_000;
/** How long a link works, from its mail. */
const lasts = { invitation: 7 * 24 * HOUR_MS, reset: HOUR_MS } as const;

const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("base64url");

export type LinkedPerson = { id: string; username: string; email: string; locale: string | null };

/**
 * Mails somebody a link by which they set a password, in the caller's transaction; earlier links end. `by` and `shop` are
 * named in an invitation; `locale` is for people who chose no language.
 */
export async function mailPasswordLink(
  db: Db,
  person: LinkedPerson,
  about: { kind: "invitation"; by: string; shop: string; locale: string } | { kind: "reset" },
): Promise<void> {
  const secret = newToken();
  const at = now();
  const hash = hashOf(secret);
  await db.query("update password_links set used_at = $2 where user_id = $1 and used_at is null", [person.id, at]);
  await db.query(
    "insert into password_links (hash, user_id, kind, created_at, expires_at) values ($1, $2, $3, $4, $5)",
    [hash, person.id, about.kind, at, new Date(at.getTime() + lasts[about.kind])],
  );
  const language = languageOf(person.locale, about.kind === "invitation" ? about.locale : null);
  const words = linkWords[language][about.kind];
  const told = { username: person.username, host: new URL(env().PUBLIC_URL).host, by: "", shop: "", ...about };
  const mailId = await queueMail(
    {
      idempotencyKey: `password:${hash}`,
      clientId: null,
      kind: "password",
      to: person.email,
      ...senderOf(serviceSender),
      ...renderMessage(serviceSender, {
        language,
        subject: fill(words.subject, told),
        preheader: words.preheader,
        heading: words.heading,
        lines: [fill(words.line, told), fill(words.sign_in, told)],
        button: { label: words.button, url: `${env().PUBLIC_URL}/portal/password/${secret}` },
        note: words.note,
        why: fill(words.why, told),
        opt_out: null,
      }),
    },
    db,
  );
  await enqueue(db, [{ name: "mail/queued", data: { mail_id: mailId } }]);
}

export type PasswordLink = { hash: string; kind: "invitation" | "reset"; userId: string; username: string };

/** Whose link it is, or null for one that is used up, has run out, or is not ours. Changes nothing. */
export async function openPasswordLink(secret: string): Promise<PasswordLink | null> {
  if (!/^[\w-]{22}$/.test(secret)) return null;
  const { rows } = await pool().query<PasswordLink>(
    `select l.hash, l.kind, l.user_id as "userId", u.username
       from password_links l join users u on u.id = l.user_id
      where l.hash = $1 and l.used_at is null and l.expires_at > $2 and u.disabled_at is null and not u.demo`,
    [hashOf(secret), now()],
  );
  return rows[0] ?? null;
}
