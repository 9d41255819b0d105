import { personLocale } from "@/lib/accounts/mail-notice";
import { type NotificationKind, notificationRoles } from "@/lib/accounts/notifications/values";
import { hasClientAccessSql, roleAtClientSql } from "@/lib/accounts/people";
import type { Db } from "@/lib/platform/db/pool";
import type { Values } from "@/lib/platform/i18n/translator";

const rank = (role: string): string => `array_position(array['viewer', 'moderator', 'admin', 'operator'], ${role})`;

/** The lowest role that a kind is for. Null, and so no one, for a kind of a newer version. */
const roleOfKindSql = (kind: string): string =>
  `case ${kind} ${Object.entries(notificationRoles)
    .map(([name, role]) => `when '${name}' then '${role}'`)
    .join(" ")} end`;

/** The condition that person `u` may be notified of something at store `c`, which is null for the installation. */
const maySeeSql = (client: string, role: string): string =>
  `(u.role = 'operator' or (${client} is not null and ${hasClientAccessSql(client, "c.account_id")}
     and ${rank(roleAtClientSql(client))} >= ${rank(role)}))`;

/** A fact to notify people of. `role`: all with at least this role at the store (or operators); else `user_ids`. */
export type Fact = {
  client_id: string | null;
  role: string | null;
  user_ids: readonly string[];
  kind: NotificationKind;
  params: Values;
  path: string;
  dedupe_key: string;
  is_repeat: boolean;
  quiet_hours: number;
};

/**
 * Inserts a notification for everyone concerned who didn't turn the kind off, in the order of the unique key, so that
 * concurrent calls wait for each other. Nobody is emailed about a test store. What happens again is emailed again a day later, since people who work from
 * emails don't mark anything as read. Returns the people with a notification that is to be emailed.
 */
export async function insertNotifications(db: Db, facts: readonly Fact[], moment: Date): Promise<string[]> {
  const { rows } = await db.query<{ user_id: string; is_due: boolean }>(
    `insert into notifications as n (user_id, client_id, kind, params, path, dedupe_key, by_email, created_at, again_at)
     select distinct on (u.id, f.client_id, f.dedupe_key) u.id, f.client_id, f.kind, f.params, f.path, f.dedupe_key,
            coalesce(s.email, false) and c.test_days is null, $2::timestamptz, $2
       from jsonb_to_recordset($1::jsonb) as f(client_id text, role text, user_ids jsonb, kind text, params jsonb,
              path text, dedupe_key text, is_repeat boolean, quiet_hours float8)
       left join clients c on c.id = f.client_id
       cross join lateral (
         select o.id from users o where f.role = 'operator' and o.role = 'operator'
         union select a.id from users a where f.role <> 'operator' and a.all_clients and a.account_id = c.account_id
         union select m.user_id from user_clients m where f.role <> 'operator' and m.client_id = c.id
         union select jsonb_array_elements_text(f.user_ids)) concerned
       join users u on u.id = concerned.id
       left join notification_settings s on s.user_id = u.id and s.kind = f.kind
      where u.disabled_at is null and (f.client_id is null or c.id is not null)
        and ${maySeeSql("f.client_id", `coalesce(f.role, ${roleOfKindSql("f.kind")})`)}
        and (coalesce(s.portal, true) or coalesce(s.email, false))
        and (not f.is_repeat or exists (select from notifications e where e.user_id = u.id
              and e.client_id is not distinct from f.client_id and e.dedupe_key = f.dedupe_key and e.read_at is null))
        and (f.quiet_hours = 0 or not exists (select from notifications e where e.user_id = u.id
              and e.client_id is not distinct from f.client_id and e.dedupe_key = f.dedupe_key
              and e.again_at > $2::timestamptz - f.quiet_hours * interval '1 hour'))
      order by u.id, f.client_id, f.dedupe_key
     on conflict (user_id, client_id, dedupe_key) where read_at is null do update
       set count = n.count + 1, again_at = greatest(n.again_at, excluded.again_at), params = excluded.params,
           path = excluded.path, by_email = n.by_email or excluded.by_email,
           emailed_at = case when n.emailed_at > excluded.again_at - interval '20 hours' then n.emailed_at end
     returning n.user_id, n.by_email and n.emailed_at is null as is_due`,
    [JSON.stringify(facts), moment],
  );
  return [...new Set(rows.filter(({ is_due }) => is_due).map(({ user_id }) => user_id))];
}

export type NotificationRow = {
  id: string;
  kind: NotificationKind;
  params: Values;
  client_id: string | null;
  client_name: string | null;
  path: string;
  count: number;
  created_at: Date;
  again_at: Date;
  read_at: Date | null;
};

const from = "notifications n join users u on u.id = n.user_id left join clients c on c.id = n.client_id";
const columns = `n.id::text, n.kind, n.params, n.client_id, c.display_name as client_name, n.path, n.count, n.created_at,
  n.again_at, n.read_at`;
/** Access and role are checked when reading, since they can change after the insert. */
const visible = maySeeSql("n.client_id", roleOfKindSql("n.kind"));
const shown = `${visible} and not exists (
  select from notification_settings s where s.user_id = n.user_id and s.kind = n.kind and not s.portal)`;

/** A person's notifications that the portal shows, newest first. */
export async function selectNotifications(
  db: Db,
  userId: string,
  { onlyUnread, after, limit }: { onlyUnread: boolean; after: { time: string; id: string } | null; limit: number },
): Promise<NotificationRow[]> {
  const { rows } = await db.query<NotificationRow>(
    `select ${columns} from ${from} where n.user_id = $1 and ${shown} and (not $2 or n.read_at is null)
        ${after ? "and (n.again_at, n.id) < ($4::timestamptz, $5::bigint)" : ""}
      order by n.again_at desc, n.id desc limit $3`,
    [userId, onlyUnread, limit, ...(after ? [after.time, after.id] : [])],
  );
  return rows;
}

/** How many unread notifications the portal shows to a person, counted up to `limit`. */
export async function countUnread(db: Db, userId: string, limit: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: "notifications-unread",
    text: `select count(*)::int as count from (
             select from ${from} where n.user_id = $1 and n.read_at is null and ${shown} limit $2) unread`,
    values: [userId, limit],
  });
  return rows[0]?.count ?? 0;
}

/** Marks one as read; it stays read since the first time. Returns whether the person has it. */
export async function updateRead(db: Db, userId: string, id: string, moment: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `update notifications set read_at = coalesce(read_at, $3)
      where id = (select n.id from ${from} where n.user_id = $1 and n.id = $2::bigint and ${shown})`,
    [userId, id, moment],
  );
  return rowCount === 1;
}

/** Marks those as read that last happened within the second `upTo`, or before: responses have whole seconds. */
export async function updateAllRead(db: Db, userId: string, upTo: string, moment: Date): Promise<void> {
  await db.query(
    `update notifications set read_at = $3 where read_at is null and id in (
       select n.id from ${from} where n.user_id = $1 and n.read_at is null
          and n.again_at < $2::timestamptz + interval '1 second' and ${shown})`,
    [userId, upTo, moment],
  );
}

/** Marks those of a kind as read that its person got by email and no longer sees in the portal. */
export async function updateEmailedRead(db: Db, userId: string, kind: NotificationKind, moment: Date): Promise<void> {
  await db.query(
    "update notifications set read_at = $3 where user_id = $1 and kind = $2 and read_at is null and emailed_at is not null",
    [userId, kind, moment],
  );
}

/** Unread ones that their person wants by email, still, and hasn't got. Older ones are no news. */
const toEmail = `n.by_email and n.emailed_at is null and n.read_at is null and n.again_at > $1::timestamptz - interval '3 days'
  and u.disabled_at is null and not u.demo and u.email is not null and ${visible}
  and exists (select from notification_settings s where s.user_id = n.user_id and s.kind = n.kind and s.email)`;

const lastEmail = "(select max(e.emailed_at) from notifications e where e.user_id = u.id)";

/** People with notifications to email who got no such email within the last hour. */
export async function selectPeopleToEmail(db: Db, moment: Date): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select distinct u.id from ${from} where ${toEmail}
        and coalesce(${lastEmail} <= $1::timestamptz - interval '1 hour', true) order by 1`,
    [moment],
  );
  return rows.map(({ id }) => id);
}

export type EmailReader = { email: string; locale: string | null };

/** Locks the person until the transaction ends. Null if they got an email within the last hour, or are locked. */
export async function lockPersonToEmail(db: Db, userId: string, moment: Date): Promise<EmailReader | null> {
  const { rows: locked } = await db.query("select from users where id = $1 for no key update skip locked", [userId]);
  if (locked.length === 0) return null;
  // In a statement of its own, which sees what the former holder of the lock has committed.
  const { rows } = await db.query<EmailReader>(
    `select u.email, ${personLocale} as locale from users u
      where u.id = $1 and u.email is not null and coalesce(${lastEmail} <= $2::timestamptz - interval '1 hour', true)`,
    [userId, moment],
  );
  return rows[0] ?? null;
}

/** Notifications to email to a person, newest first, locked. */
export async function selectToEmail(db: Db, userId: string, moment: Date): Promise<NotificationRow[]> {
  const { rows } = await db.query<NotificationRow>(
    `select ${columns} from ${from} where n.user_id = $2 and ${toEmail} order by n.again_at desc, n.id desc for update of n`,
    [moment, userId],
  );
  return rows;
}

/** Records that an email contained them. Those that the portal doesn't show are read then, so the next is news again. */
export async function setEmailed(db: Db, ids: string[], moment: Date): Promise<void> {
  await db.query(
    `update notifications n set emailed_at = $2, read_at = case when exists (
         select from notification_settings s where s.user_id = n.user_id and s.kind = n.kind and not s.portal) then $2::timestamptz end
      where id = any($1::bigint[])`,
    [ids, moment],
  );
}
