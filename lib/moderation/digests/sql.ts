import { hasClientAccessSql, roleAtClientSql } from "@/lib/accounts/people";
import type { Day } from "@/lib/invitations/days";
import type { Digest } from "@/lib/moderation/digests/schema";
import type { Db } from "@/lib/platform/db/pool";
import type { Role } from "@/lib/platform/http/contract";

/** A digest with its recipient. */
export type DigestRow = Digest & {
  user_id: string;
  client_id: string;
  last_day: Day;
  email: string;
  locale: string | null;
  role: Role;
  account_id: string | null;
};

/** Only people who may moderate the client now and have an email address; not deactivated people or removed members. */
const columns = `d.user_id, d.client_id, d.every, d.hour, d.last_day, u.email, u.locale,
  ${roleAtClientSql("shop.id")} as role, u.account_id`;
const allowed = `u.disabled_at is null and not u.demo and u.email is not null
  and ${roleAtClientSql("shop.id")} in ('moderator', 'admin', 'operator')
  and (u.role = 'operator' or ${hasClientAccessSql("shop.id", "shop.account_id")})`;
const from = "digests d join users u on u.id = d.user_id join clients shop on shop.id = d.client_id";

/** Digests of some clients, or of all (null), with the clients' time zones. */
export async function selectDigests(
  db: Db,
  clientIds: string[] | null,
): Promise<(DigestRow & { time_zone: string | null })[]> {
  const { rows } = await db.query<DigestRow & { time_zone: string | null }>(
    `select ${columns}, shop.config->>'time_zone' as time_zone from ${from}
      where ${allowed} and ($1::text[] is null or d.client_id = any($1)) order by d.client_id, d.user_id`,
    [clientIds],
  );
  return rows;
}

/** One digest, locked until the transaction ends. Null if it doesn't exist or is locked. */
export async function lockDigest(db: Db, userId: string, clientId: string): Promise<DigestRow | null> {
  const { rows } = await db.query<DigestRow>(
    `select ${columns} from ${from} where ${allowed} and d.user_id = $1 and d.client_id = $2
        for update of d skip locked`,
    [userId, clientId],
  );
  return rows[0] ?? null;
}

export async function setLastDay(db: Db, userId: string, clientId: string, day: Day): Promise<void> {
  await db.query("update digests set last_day = $3::date where user_id = $1 and client_id = $2", [
    userId,
    clientId,
    day,
  ]);
}

/** Creates or changes a digest. An unchanged one keeps its last completed day. */
export async function upsertDigest(
  db: Db,
  userId: string,
  clientId: string,
  { every, hour }: Digest,
  done: Day,
): Promise<void> {
  await db.query(
    `insert into digests as d (user_id, client_id, every, hour, last_day) values ($1, $2, $3, $4, $5::date)
     on conflict (user_id, client_id) do update
       set every = excluded.every, hour = excluded.hour, last_day = excluded.last_day, updated_at = now()
     where (d.every, d.hour) is distinct from (excluded.every, excluded.hour)`,
    [userId, clientId, every, hour, done],
  );
}
