import type { Dimension } from "@/lib/insights/analytics/schema";
import { decisionHoursSql, MAX_MAILS, wasDecidedHereSql, wasSentSql } from "@/lib/insights/analytics/values";
import type { Db } from "@/lib/platform/db/pool";
import { statementName } from "@/lib/platform/db/statement-name";

/**
 * Most reviews that are counted, the newest. They are read from an index of the list and counted in one go, so a store
 * with millions waits no longer than one with this many, and the page shows the first day counted.
 */
export const MAX_REVIEWS = 100_000;

export type Scope = { from: string; zone: string; by: Dimension; only?: string | undefined };

const keys: Record<Dimension, string> = {
  product: "r.product_id",
  family: "r.family_id",
  brand: "(select p.brand from products p where p.client_id = $1 and p.id = r.product_id)",
  language: "r.lang",
};

// $1 client, $2 start, $3 time zone
const seen = `seen as (
  select created_at, score, accepted, decided_at, source, lang, product_id, family_id from reviews
   where client_id = $1 and created_at >= ($2::timestamp at time zone $3)
   order by created_at desc, id desc limit ${MAX_REVIEWS + 1})`;

const counted = `count(*)::int as received, count(*) filter (where r.accepted)::int as published,
  count(*) filter (where r.accepted = false)::int as rejected, count(*) filter (where r.accepted is null)::int as waiting,
  coalesce(sum(r.score) filter (where r.accepted), 0)::int as points`;

export type MonthRow = {
  month: string | null;
  received: number;
  published: number;
  rejected: number;
  waiting: number;
  points: number;
  decided: number;
  median_hours: number | null;
  p90_hours: number | null;
  oldest: Date | null;
};

/** By month, oldest first, and the total (month null). */
export async function selectMonthFigures(
  db: Db,
  clientId: string,
  { from, zone, by, only }: Scope,
): Promise<MonthRow[]> {
  const values: unknown[] = [clientId, from, zone];
  if (only !== undefined) values.push(only);
  const text = `with ${seen}
    select to_char(r.created_at at time zone $3, 'YYYY-MM') as month, ${counted},
           count(*) filter (where ${wasDecidedHereSql})::int as decided,
           percentile_cont(0.5) within group (order by ${decisionHoursSql}) filter (where ${wasDecidedHereSql}) as median_hours,
           percentile_cont(0.9) within group (order by ${decisionHoursSql}) filter (where ${wasDecidedHereSql}) as p90_hours,
           min(r.created_at) as oldest
      from seen r ${only === undefined ? "" : `where ${keys[by]} = $4`}
     group by grouping sets ((1), ())`;
  const { rows } = await db.query<MonthRow>({ name: statementName(text), text, values });
  return rows.sort((a, b) => ((a.month ?? "~") < (b.month ?? "~") ? -1 : 1));
}

export type KeyRow = Pick<MonthRow, "received" | "published" | "rejected" | "waiting" | "points"> & {
  key: string | null;
  name: string | null;
};

/** By product, family, brand or language, most reviews first. */
export async function selectByKey(
  db: Db,
  clientId: string,
  { from, zone, by }: Scope,
  limit: number,
): Promise<KeyRow[]> {
  const name: Record<Dimension, string> = {
    product: "(select p.name from products p where p.client_id = $1 and p.id = k.key)",
    family:
      "(select p.name from products p where p.client_id = $1 and p.family_id = k.key order by p.deleted, p.id limit 1)",
    brand: "k.key",
    language: "k.key",
  };
  // A brand belongs to the product: reviews are summed by product first, and only those sums look it up.
  const text =
    by === "brand"
      ? `with ${seen}, products_seen as (select r.product_id, ${counted} from seen r group by 1)
         select p.brand as key, p.brand as name, sum(s.received)::int as received, sum(s.published)::int as published,
                sum(s.rejected)::int as rejected, sum(s.waiting)::int as waiting, sum(s.points)::int as points
           from products_seen s left join products p on p.client_id = $1 and p.id = s.product_id
          group by 1 order by 3 desc, 1 limit $4`
      : `with ${seen}, k as (
           select ${keys[by]} as key, ${counted} from seen r group by 1 order by 2 desc, 1 limit $4)
         select k.*, ${name[by]} as name from k order by received desc, key`;
  const { rows } = await db.query<KeyRow>({
    name: statementName(text),
    text,
    values: [clientId, from, zone, limit],
  });
  return rows;
}

export type ScannedRow = { counted: number; oldest: Date | null };

/** Whether there are more reviews than are counted, and the start of those that are. */
export async function selectScannedReviews(db: Db, clientId: string, { from, zone }: Scope): Promise<ScannedRow> {
  const { rows } = await db.query<ScannedRow>({
    name: "analytics-reach",
    text: `select count(*)::int as counted, min(created_at) as oldest from (
             select created_at from reviews where client_id = $1 and created_at >= ($2::timestamp at time zone $3)
              order by created_at desc, id desc limit ${MAX_REVIEWS + 1}) r`,
    values: [clientId, from, zone],
  });
  return rows[0] as ScannedRow;
}

export type MailResponseRow = { month: string; sent: number; answered: number; looked: number; oldest: string };

/**
 * Invitation emails and reminders sent (by the merchant's own sender if it accepted them), by month, and those of them
 * that led to a review. `looked` is how many were scanned in all languages, `oldest` their oldest day.
 */
export async function selectMailResponses(
  db: Db,
  clientId: string,
  { from, by, only }: Scope,
): Promise<MailResponseRow[]> {
  const hit = by === "language" && only !== undefined ? "filter (where i.lang = $3)" : "";
  const text = `select to_char(day, 'YYYY-MM') as month, (count(*) ${hit})::int as sent,
                       (count(reviewed_at) ${hit})::int as answered, count(*)::int as looked, min(day) as oldest
                  from (select day, reviewed_at, lang from invitations
                         where client_id = $1 and day >= $2::date and ${wasSentSql} order by day desc limit ${MAX_MAILS}) i
                 group by 1 order by 1`;
  const { rows } = await db.query<MailResponseRow>({
    name: statementName(text),
    text,
    values: by === "language" && only !== undefined ? [clientId, from, only] : [clientId, from],
  });
  return rows;
}
