import type { PoolClient } from "pg";
import { now } from "@/lib/platform/clock";
import { emailKey } from "@/lib/platform/secrets/person-hash";

/**
 * Seconds until a service email may be sent to an unconfirmed address, 0 if now: at most one per hour from a client and
 * three in 24 hours from this installation, regardless of who enters the address and why. Doesn't count invitations and
 * reminders, which have their own cooldown, or test emails of the store. Locks the address until the end of the
 * caller's transaction, which must queue the email: a concurrent call then counts it.
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
