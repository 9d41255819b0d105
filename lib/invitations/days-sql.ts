import type { Day } from "@/lib/invitations/days";
import type { SendRules } from "@/lib/invitations/rules";
import type { Db } from "@/lib/platform/db/pool";
import { deliveredSql } from "./rules-sql";

/** Days after which an email counted for a day isn't sent any more. */
const MAX_DAYS_UNSENT = 366;

// A delegated email is sent once the external sender accepts it.
const sentAtSql =
  "case when n.sent_at is not null and (n.handed_at is null or n.taken_at is not null) then greatest(n.sent_at, n.taken_at) end";

/** The number of items that emails sent on a day asked about, or represented. Reminders have none of their own. */
export async function selectSentItems(db: Db, clientId: string, timeZone: string, day: Day): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from invitations n
       join invitation_items ii on ii.client_id = $1 and ii.invitation_id = n.id
      where n.client_id = $1 and n.day >= $2::date - ${MAX_DAYS_UNSENT}
        and (${sentAtSql}) >= $2::date::timestamp at time zone $3
        and (${sentAtSql}) < ($2::date + 1)::timestamp at time zone $3`,
    [clientId, day, timeZone],
  );
  return rows[0]?.count ?? 0;
}

/** The days of a period on which an email was sent, or the window of an item closed. */
export async function selectUsedDays(
  db: Db,
  clientId: string,
  timeZone: string,
  { beforeDays }: SendRules,
  { first, last }: { first: Day; last: Day },
): Promise<Day[]> {
  const { rows } = await db.query<{ day: Day }>(
    `select delivery_date + $4::int as day
       from (${deliveredSql("between $2::date - $4::int and $3::date - $4::int", "delivery_date")}) delivered
     union
     select sent.day from (
       select ((${sentAtSql}) at time zone $5)::date as day from invitations n
        where n.client_id = $1 and n.day >= $2::date - ${MAX_DAYS_UNSENT}) sent
      where sent.day between $2::date and $3::date
     order by day`,
    [clientId, first, last, beforeDays, timeZone],
  );
  return rows.map(({ day }) => day);
}
