import type { PoolClient } from "pg";
import { now } from "@/lib/platform/clock";
import { emailKey } from "@/lib/platform/secrets/person-hash";

/**
 * Seconds until a service mail may go to an address that nobody has confirmed, 0 for now: at most one an hour from one
 * client and three in 24 hours from this host, whoever gives the address and whatever for (decisions 6). Invitations and
 * reminders do not count: they have a quarantine of their own; nor do mails that the shop tries on itself. The address is held until the caller's transaction ends, in which the
 * mail is to be written: of two at once the second sees the first one's mail.
 */
export async function secondsUntilNextMail(db: PoolClient, clientId: string, email: string): Promise<number> {
  const key = emailKey(email);
  await db.query("select pg_advisory_xact_lock(hashtextextended($1, 1070))", [key]);
  const { rows } = await db.query<{ seconds: number | null }>(
    `with sent as (
       select client_id, created_at from mails
        where to_key = $1 and kind not in ('invitation', 'reminder', 'test') and created_at > $3::timestamptz - interval '24 hours'
        order by created_at desc, id desc)
     select extract(epoch from greatest(
              (select max(created_at) + interval '1 hour' from sent where client_id = $2),
              (select created_at + interval '24 hours' from sent offset 2 limit 1)) - $3::timestamptz)::float8 as seconds`,
    [key, clientId, now()],
  );
  return Math.max(0, Math.ceil(rows[0]?.seconds ?? 0));
}
