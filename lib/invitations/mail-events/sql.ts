import type { Db } from "@/lib/platform/db/pool";

export type MailOfEvent = { id: string; client_id: string | null; kind: string; to_key: string; sent_at: Date | null };

/**
 * The email of an event: by our own tag, since the event may arrive before we store the service's id, else by that id.
 */
export async function selectMailOf(db: Db, mailId: string | null, providerId: string): Promise<MailOfEvent | null> {
  const { rows } = await db.query<MailOfEvent>(
    `select id, client_id, kind, to_key, sent_at from mails where id = $1
     union all
     select id, client_id, kind, to_key, sent_at from mails where provider_id = $2 and provider = 'resend' limit 1`,
    [mailId, providerId],
  );
  return rows[0] ?? null;
}
