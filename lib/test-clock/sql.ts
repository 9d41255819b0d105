import pg from "pg";
import type { Day } from "@/lib/invitations/days";
import { REMINDER_WINDOW_DAYS, type SendRules } from "@/lib/invitations/rules";
import type { Db } from "@/lib/platform/db/pool";
import { type MovedTable, movedTables } from "@/lib/test-clock/moved-columns";
import type { DueDays } from "@/lib/test-clock/rules";

/** More days than any row's distance from another. */
const FAR = 1_000_000;

/** The statements that move a table's rows of a client by so many days into the past. */
function moveSql({ name, times, days = [], where, keyedByDay = false }: MovedTable, id: string, by: number): string[] {
  const update = (from: number, daysOnly = false) =>
    `update ${name} set ${[
      ...(daysOnly ? [] : times.map((column) => `${column} = ${column} - interval '${by * 24} hours'`)),
      ...days.map((column) => `${column} = ${column} - ${from}`),
    ].join(", ")} where client_id = ${id}${where ? ` and ${where}` : ""}`;
  // First out of the way of those that aren't moved yet.
  return keyedByDay ? [update(by + FAR), update(-FAR, true)] : [update(by)];
}

/**
 * Moves all times of a test store's rows by so many days into the past, and counts them. Call it in a transaction.
 * Returns false if it isn't a test store.
 */
export async function moveRows(db: Db, clientId: string, by: number): Promise<boolean> {
  const { rowCount } = await db.query(
    "update clients set test_days = test_days + $2 where id = $1 and test_days is not null",
    [clientId, by],
  );
  if (rowCount !== 1) return false;
  const id = pg.escapeLiteral(clientId);
  const statements = movedTables.flatMap((table) => moveSql(table, id, by));
  // Together, since each round trip would take longer than most of them.
  await db.query(
    `set local candor.moving_times = 'on'; ${statements.join("; ")}; set local candor.moving_times = 'off'`,
  );
  return true;
}

/** Adds to the audit entry of the call that advances the clock, which is the newest one of its kind. */
export async function extendAdvance(
  db: Db,
  clientId: string,
  { days, removed }: { days: number; removed: number },
): Promise<void> {
  await db.query(
    `update audit_entries
        set detail = detail || jsonb_build_object('days', (detail->>'days')::int + $2, 'removed', (detail->>'removed')::int + $3)
      where id = (select id from audit_entries where client_id = $1 and action = 'test_clock.advanced'
                   order by at desc, id desc limit 1)`,
    [clientId, days, removed],
  );
}

/** What `selectDueDays` needs to know about a store. `today` is the day of the moment at which its emails are sent. */
export type DueSettings = {
  today: Day;
  rules: SendRules;
  /** days after which invitations are reminded of; null: never */
  reminderDays: number | null;
  sellerOnly: boolean;
  /** kinds of integrations that are synced */
  syncs: string[];
};

/** Whole days until a moment, at least one. */
const daysTo = (moment: string) => `greatest(1, ceil(extract(epoch from ${moment} - now()) / 86400))::int`;

/**
 * In how many days, from 1, each kind of work is due next. Invitations at the earliest possible day: whether they are sent
 * is decided on that day. `expiry`: the first unanswered invitation whose link expires.
 */
export async function selectDueDays(
  db: Db,
  clientId: string,
  { today, rules, reminderDays, sellerOnly, syncs }: DueSettings,
): Promise<DueDays> {
  const { rows } = await db.query<Record<keyof DueDays, number | null>>(
    `with free as (
       select c.id, c.email_key, max(q.last_day) + $6::int as day
         from customers c left join quarantines q on q.client_id = $1 and q.person_hash in (c.id_hash, c.email_hash)
        where c.client_id = $1 and c.email_key is not null and not c.opt_out_by_order
          and not exists (select from suppressions s where s.client_id = $1 and s.email_hash in (c.id_hash, c.email_hash))
        group by c.id, c.email_key)
     select least(
       (select min(g.day) from (
         select greatest(i.delivery_date + $3::int, $2::date + 1, i.held_until, f.day) as day, i.delivery_date + $4::int as last
           from order_items i join orders o on o.client_id = $1 and o.id = i.order_id join free f on f.id = o.customer_id
          where i.client_id = $1 and (i.reviewable or $7) and i.reviewable_set is not false and not i.asked
            and i.delivery_date is not null and i.delivery_date + $4::int > $2::date
            and not (i.held_at is not null and i.held_until is null)
            and not exists (select from reviews v where v.client_id = $1 and v.order_id = i.order_id and v.product_id = i.id)) g
         where g.day <= g.last),
       (select min(g.day) from (
         select greatest(n.day + $5::int, $2::date + 1, f.day) as day, n.day + $5::int + ${REMINDER_WINDOW_DAYS} as last
           from invitations n join free f on f.id = n.customer_id
          where n.client_id = $1 and n.kind = 'invitation' and n.status = 'sent' and n.reviewed_at is null
            and not exists (select from invitations r where r.client_id = $1 and r.reminder_of = n.id)) g
         where g.day <= g.last),
       (select $2::date + 1 from invitations where client_id = $1 and status = 'claimed' limit 1)) - $2::date as invitations,
       (select min(${daysTo("greatest(d.due_at, w.next_try_at)")}) from webhook_deliveries d
          join webhooks w on w.client_id = $1 and w.id = d.webhook_id
         where d.client_id = $1 and d.state = 'pending' and w.paused_at is null and w.disabled_at is null) as webhooks,
       (select min(${daysTo("d.due_at")}) from deliveries d join integrations i using (client_id, type)
         where client_id = $1 and type = 'engagement' and outcome = 'pending' and i.enabled) as engagement,
       (select min(${daysTo("next_run_at")}) from feeds where client_id = $1 and enabled) as feeds,
       (select 1 from integrations where client_id = $1 and enabled and type = any($8) and type <> 'engagement' limit 1) as syncs,
       (select min(${daysTo("expires_at")}) from invitations
         where client_id = $1 and kind <> 'reminder' and status = 'sent' and reviewed_at is null and expires_at > now()) as expiry`,
    [clientId, today, rules.afterDays, rules.beforeDays, reminderDays, rules.quarantineDays, sellerOnly, syncs],
  );
  const found = Object.entries(rows[0] ?? {}).filter((entry): entry is [keyof DueDays, number] => entry[1] !== null);
  return Object.fromEntries(found);
}

/** Tables whose rows are deleted after a while. */
const expiring = [
  "submissions",
  "quarantines",
  "erased_hashes",
  "moderation_prints",
  "feed_imports",
  "feed_uploads",
  "review_imports",
  "review_import_items",
  "notifications",
  "webhook_deliveries",
  "share_rows",
  "uploads",
  "job_failures",
];

/** The number of a store's rows in tables whose rows expire. */
export async function countExpiring(db: Db, clientId: string): Promise<number> {
  const counts = expiring.map((table) => `(select count(*) from ${table} where client_id = $1)`);
  const { rows } = await db.query<{ count: number }>(`select (${counts.join(" + ")})::int as count`, [clientId]);
  return rows[0]?.count ?? 0;
}

/** What has happened at a store since a moment. */
export async function countSince(
  db: Db,
  clientId: string,
  since: Date,
): Promise<{ invitations: number; reminders: number; emails: number; webhooks: number }> {
  const { rows } = await db.query<{ invitations: number; reminders: number; emails: number; webhooks: number }>(
    `select count(*) filter (where kind <> 'reminder')::int as invitations,
            count(*) filter (where kind = 'reminder')::int as reminders,
            (select count(*)::int from mails where client_id = $1 and created_at > $2) as emails,
            (select count(*)::int from webhook_deliveries where client_id = $1 and state = 'sent' and tried_at > $2) as webhooks
       from invitations where client_id = $1 and sent_at > $2`,
    [clientId, since],
  );
  return rows[0] ?? { invitations: 0, reminders: 0, emails: 0, webhooks: 0 };
}
