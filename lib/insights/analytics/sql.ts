import type { DayRange, Unit } from "@/lib/insights/analytics/rules";
import type { AnalyticsFilter, AnalyticsQuery, Dimension, ScoreDist } from "@/lib/insights/analytics/schema";
import {
  decisionHoursSql,
  MAX_MAILS,
  MIN_COMPARED_REVIEWS,
  wasDecidedHereSql,
  wasSentSql,
} from "@/lib/insights/analytics/values";
import type { Db } from "@/lib/platform/db/pool";

/** Most reviews whose moderation times are read, the newest. */
export const MAX_TIMES = 100_000;
/** Most reviews whose pros and cons are read, the newest. */
export const MAX_TOPIC_REVIEWS = 10_000;
/** Pros, and cons, that are listed. */
const MAX_TOPICS = 10;

type Value = (given: unknown) => string;

/** A statement's values, and a function that adds one and returns its placeholder. `$1` is the client. */
function parameters(clientId: string): { values: unknown[]; value: Value } {
  const values: unknown[] = [clientId];
  return { values, value: (given) => `$${values.push(given)}` };
}

const ofProducts = (condition: string) =>
  `product_id = any(array(select id from products where client_id = $1 and ${condition}))`;

/** Conditions of a filter on reviews. Those of the catalog need the reviews themselves, others only their counts. */
function conditions({ product, brand, category, lang, source, stars }: AnalyticsFilter, value: Value): string[] {
  const where: string[] = [];
  if (product) {
    const id = value(product.trim());
    where.push(`(product_id = ${id} or family_id = ${id})`);
  }
  if (brand) where.push(ofProducts(`lower(brand) = lower(${value(brand.trim())})`));
  if (category) where.push(ofProducts(`lower(category) = lower(${value(category.trim())})`));
  if (lang) where.push(`lang = ${value(lang)}`);
  if (source) where.push(`source = ${value(source)}`);
  if (stars) where.push(`score = any(${value([...stars].map(Number))}::smallint[])`);
  return where;
}

const catalogDimensions: readonly Dimension[] = ["product", "family", "brand", "category"];

/**
 * Reviews of some days, as rows with a number `n` of them: from the counts by day if these tell enough, else the reviews
 * themselves, of which the index of the list has all these columns, by score and date.
 */
function reviewsIn({ from, to }: DayRange, filter: AnalyticsFilter, value: Value, by?: Dimension): string {
  const needsReviews = filter.product || filter.brand || filter.category || (by && catalogDimensions.includes(by));
  const where = [
    "client_id = $1",
    `date between ${value(from)}::date and ${value(to)}::date`,
    ...conditions(filter, value),
  ].join(" and ");
  return needsReviews
    ? `select date, source, lang, score, accepted, product_id, family_id, 1 as n from reviews
        where ${where}${filter.stars ? "" : " and score = any('{1,2,3,4,5}'::smallint[])"}`
    : `select date, source, lang, score, accepted, count as n from review_counts where ${where}`;
}

const total = (condition = "true", of = "n") => `coalesce(sum(${of}) filter (where ${condition}), 0)::int`;
/** Counts of rows of {@link reviewsIn} that meet a condition. */
const counted = (condition: string) =>
  `${total(condition)} as received, ${total(`${condition} and accepted`)} as published,
   ${total(`${condition} and not accepted`)} as rejected, ${total(`${condition} and accepted is null`)} as pending,
   ${total(`${condition} and accepted`, "n * score")} as points`;

export type CountRow = { received: number; published: number; rejected: number; pending: number; points: number };
export type UnitCountRow = CountRow & { start: string; dist: ScoreDist };

const dist = `array[${[1, 2, 3, 4, 5].map((score) => total(`accepted and score = ${score}`)).join(", ")}]`;
const startOf = (unit: Unit, day: string) => `to_char(date_trunc('${unit}', ${day}), 'YYYY-MM-DD')`;

/** Counts by unit, which `start` begins. Units without reviews are left out. */
export async function selectUnitCounts(
  db: Db,
  clientId: string,
  range: DayRange,
  filter: AnalyticsFilter,
  unit: Unit,
): Promise<UnitCountRow[]> {
  const { values, value } = parameters(clientId);
  const { rows } = await db.query<UnitCountRow>({
    text: `select ${startOf(unit, "date")} as start, ${counted("true")}, ${dist} as dist
       from (select date, accepted, score, sum(n) as n from (${reviewsIn(range, filter, value)}) r group by 1, 2, 3) r
      group by 1`,
    values,
  });
  return rows;
}

export type KeyRow = CountRow & {
  key: string | null;
  name: string | null;
  published_before: number;
  points_before: number;
};

/** The column that groups reviews, and the name of a group; those of the catalog are joined after counting. */
const groups: Record<Dimension, { column: string; key: string; name: string }> = {
  product: {
    column: "product_id",
    key: "column",
    name: "(select p.name from products p where p.client_id = $1 and p.id = k.key)",
  },
  family: {
    column: "family_id",
    key: "column",
    name: "(select p.name from products p where p.client_id = $1 and p.family_id = k.key order by p.deleted, p.id limit 1)",
  },
  brand: { column: "product_id", key: "brand", name: "k.key" },
  category: { column: "product_id", key: "category", name: "k.key" },
  language: { column: "lang", key: "column", name: "k.key" },
  source: { column: "source", key: "column", name: "k.key" },
  rating: { column: "score", key: "column", name: "k.key" },
};

const average = (points: string, published: string) => `${points}::numeric / nullif(${published}, 0)`;
const sums = ["received", "published", "rejected", "pending", "points", "published_before", "points_before"];
const order: Record<Exclude<AnalyticsQuery["sort"], "name">, string> = {
  received: "received",
  published: "published",
  rejected: "rejected",
  pending: "pending",
  average: average("points", "published"),
  change: "change",
};

/** Counts by group, also of the published reviews of the days compared with. */
export async function selectByKey(
  db: Db,
  clientId: string,
  range: DayRange,
  filter: AnalyticsFilter,
  {
    by,
    sort,
    dir,
    compared,
    limit,
  }: Pick<AnalyticsQuery, "by" | "sort" | "dir"> & {
    compared: DayRange | null;
    /** null: all */
    limit: number | null;
  },
): Promise<KeyRow[]> {
  const { values, value } = parameters(clientId);
  const { column, key, name } = groups[by];
  const rowsOf = (days: DayRange, current: boolean) =>
    `select ${column} as "column", score, accepted, n, ${current} as current from (${reviewsIn(days, filter, value, by)}) r`;
  const all = [rowsOf(range, true), ...(compared ? [rowsOf(compared, false)] : [])].join(" union all ");
  const byColumn = `select "column", ${counted("current")}, ${total("not current and accepted")} as published_before,
      ${total("not current and accepted", "n * score")} as points_before from (${all}) r group by 1`;
  const isJoined = key !== "column";
  const byKey = isJoined
    ? `select min(p.${key}) as key, ${sums.map((sum) => `sum(c.${sum})::int as ${sum}`).join(", ")}
         from (${byColumn}) c left join products p on p.client_id = $1 and p.id = c."column" group by lower(p.${key})`
    : `select "column"::text as key, ${sums.join(", ")} from (${byColumn}) c`;
  const change = `case when least(published, published_before) >= ${MIN_COMPARED_REVIEWS}
      then ${average("points", "published")} - ${average("points_before", "published_before")} end`;
  const sorted = `${sort === "name" ? `lower(coalesce(${name}, key))` : order[sort]} ${dir} nulls last, received desc, key`;
  const { rows } = await db.query<KeyRow>({
    text: `select k.key, received, published, rejected, pending, points, published_before, points_before, ${name} as name
       from (select *, ${change} as change from (${byKey}) k where received > 0) k
      order by ${sorted} limit ${value(limit)}`,
    values,
  });
  return rows;
}

export type TimesRow = {
  /** null: of all */
  start: string | null;
  decided: number;
  median_hours: number | null;
  p90_hours: number | null;
  /** reviews read for all units together, with any filter, and the oldest of them */
  scanned: number;
  oldest: Date | null;
};

/** How long reviews waited for their decision, by unit and in all, by the day they were received. */
export async function selectTimes(
  db: Db,
  clientId: string,
  range: DayRange,
  filter: AnalyticsFilter,
  { unit, zone }: { unit: Unit; zone: string },
): Promise<TimesRow[]> {
  const { values, value } = parameters(clientId);
  const timeZone = value(zone);
  const midnight = (day: string, plus = "") => `((${value(day)}::date${plus})::timestamp at time zone ${timeZone})`;
  const where = ["client_id = $1", ...conditions(filter, value)].join(" and ");
  const { rows } = await db.query<TimesRow>({
    text: `with newest as materialized (
       select client_id, created_at, decided_at, source, lang, score, product_id, family_id from reviews
        where client_id = $1 and created_at >= ${midnight(range.from)} and created_at < ${midnight(range.to, " + 1")}
        order by created_at desc, id desc limit ${MAX_TIMES}),
       r as (select *, (select count(*) from newest)::int as scanned, (select min(created_at) from newest) as oldest
               from newest where ${where})
     select ${startOf(unit, `r.created_at at time zone ${timeZone}`)} as start, count(*) filter (where ${wasDecidedHereSql})::int as decided,
            percentile_cont(0.5) within group (order by ${decisionHoursSql}) filter (where ${wasDecidedHereSql}) as median_hours,
            percentile_cont(0.9) within group (order by ${decisionHoursSql}) filter (where ${wasDecidedHereSql}) as p90_hours,
            coalesce(max(scanned), 0) as scanned, max(oldest) as oldest
       from r group by grouping sets ((1), ())`,
    values,
  });
  return rows;
}

export type EmailRow = { start: string; sent: number; answered: number; scanned: number; oldest: string };

/**
 * Invitation emails and reminders sent (by the merchant's own sender if it accepted them), by unit, and those of them
 * that led to a review. `scanned` is how many were read in all languages, `oldest` their oldest day.
 */
export async function selectEmails(
  db: Db,
  clientId: string,
  { from, to }: DayRange,
  { unit, lang }: { unit: Unit; lang: string | undefined },
): Promise<EmailRow[]> {
  const { values, value } = parameters(clientId);
  const days = `day between ${value(from)}::date and ${value(to)}::date`;
  const hit = lang === undefined ? "" : `filter (where i.lang = ${value(lang)})`;
  const { rows } = await db.query<EmailRow>({
    text: `select ${startOf(unit, "day")} as start, (count(*) ${hit})::int as sent, (count(reviewed_at) ${hit})::int as answered,
            count(*)::int as scanned, min(day)::text as oldest
       from (select day, reviewed_at, lang from invitations
              where client_id = $1 and ${days} and ${wasSentSql} order by day desc limit ${MAX_MAILS}) i
      group by 1`,
    values,
  });
  return rows;
}

export type TopicRow = { kind: "pro" | "con"; text: string; reviews: number };

/**
 * The pros and cons that the newest published reviews of some days name most, by at least two of them. Those that differ
 * only in case are one, in its most frequent spelling. `scanned`: how many reviews were read.
 */
export async function selectTopics(
  db: Db,
  clientId: string,
  { from, to }: DayRange,
  filter: AnalyticsFilter,
): Promise<{ topics: TopicRow[]; scanned: number }> {
  const { values, value } = parameters(clientId);
  const where = [
    "client_id = $1",
    "accepted",
    `date between ${value(from)}::date and ${value(to)}::date`,
    ...(filter.stars ? [] : ["score = any('{1,2,3,4,5}'::smallint[])"]),
    ...conditions(filter, value),
  ];
  const { rows } = await db.query<{ topics: TopicRow[]; scanned: number }>({
    text: `with recent as materialized (
             select id from reviews where ${where.join(" and ")} order by date desc, id limit ${MAX_TOPIC_REVIEWS}),
           named as (
             select t.kind, recent.id, btrim(t.text) as text from recent
               -- one look-up each: the planner would read all reviews for so many
               cross join lateral (select pros, cons from reviews where client_id = $1 and id = recent.id offset 0) r
               cross join lateral (select 'pro' as kind, unnest(r.pros) as text union all select 'con', unnest(r.cons)) t),
           topics as (
             select kind, mode() within group (order by text) as text, count(distinct id)::int as reviews
               from named where text <> '' group by kind, lower(text) having count(distinct id) > 1),
           ranked as (select *, row_number() over (partition by kind order by reviews desc, text) as rank from topics)
           select (select coalesce(json_agg(json_build_object('kind', kind, 'text', text, 'reviews', reviews) order by kind, rank), '[]')
                     from ranked where rank <= ${MAX_TOPICS}) as topics,
                  (select count(*)::int from recent) as scanned`,
    values,
  });
  return rows[0] as { topics: TopicRow[]; scanned: number };
}
