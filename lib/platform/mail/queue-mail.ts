import { now } from "@/lib/platform/clock";
import { type Db, pool } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import { emailKey } from "@/lib/platform/secrets/person-hash";

/** A new email. At most one is created per `idempotencyKey`. */
export type NewMail = {
  idempotencyKey: string;
  clientId: string | null;
  /** its purpose: `invitation`, `verification`, `rejection` … */
  kind: string;
  to: string;
  from: string;
  replyTo: string | null;
  subject: string;
  html: string | null;
  text: string;
  headers?: Record<string, string>;
};

/**
 * Queues an email, to be sent by `deliverMail` after the commit. Does nothing if the idempotency key exists. Returns
 * the id of the email with that key. Pass the transaction of the outbox event that causes the email.
 */
export async function queueMail(mail: NewMail, db: Db = pool()): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `with made as (
       insert into mails (id, client_id, idempotency_key, kind, "to", to_key, "from", reply_to, subject, html, text, headers, status, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'queued', $13)
       on conflict (idempotency_key) do nothing returning id
     )
     select id from made union all select id from mails where idempotency_key = $3 limit 1`,
    [
      newId("mail"),
      mail.clientId,
      mail.idempotencyKey,
      mail.kind,
      mail.to.trim(),
      emailKey(mail.to),
      mail.from,
      mail.replyTo,
      oneLine(mail.subject),
      mail.html,
      mail.text,
      JSON.stringify(mail.headers ?? {}),
      now(),
    ],
  );
  const id = rows[0]?.id;
  if (id) return id;
  // Another transaction inserted the same key while this statement ran, and has committed since.
  const { rows: known } = await db.query<{ id: string }>("select id from mails where idempotency_key = $1", [
    mail.idempotencyKey,
  ]);
  if (!known[0]) throw new Error(`Email ${mail.idempotencyKey} was neither created nor found.`);
  return known[0].id;
}

/** A subject is one header line, whatever a product's name contains. */
const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
