import { statementName } from "@/lib/db/named";
import type { Db } from "@/lib/db/pool";
import type { Asked, Subject } from "@/lib/display/versions";
import type { StoredImage } from "@/lib/uploads/schema";

/** Settings and versions that decide what a display call shows. */
export type Current = {
  client_version: number;
  expand_family: boolean;
  /** of the product asked for, where the catalogue knows it */
  family_id: string | null;
  product_changed: string | null;
  product_version: number | null;
  family_version: number | null;
  product_figures: number | null;
  family_figures: number | null;
};

// A look-up by primary key in each table for each row asked (`offset 0` keeps the planner from reading whole tables).
const currentText = `
  select c.version as client_version, c.expand_family, p.family_id, p.updated_at::text as product_changed,
         ps.version as product_version, fs.version as family_version,
         ps.figures_version as product_figures, fs.figures_version as family_figures
    from unnest($1::text[], $2::text[], $3::text[]) with ordinality as q(client_id, key, url_key, n)
    left join lateral (select version, expand_family from clients where id = q.client_id offset 0) c on true
    left join lateral (
      select family_id, updated_at from products where client_id = q.client_id and id = q.key offset 0) p on true
    left join lateral (
      select version, figures_version from product_summaries where client_id = q.client_id and product_id = q.key offset 0) ps on true
    left join lateral (
      select version, figures_version from family_summaries where client_id = q.client_id
         and family_id = case when q.key is null then q.url_key when c.expand_family then coalesce(p.family_id, q.url_key) end
      offset 0) fs on true
   order by q.n`;

/** For each call asked what is current, in order; null where the client does not exist. */
export async function selectCurrent(db: Db, asked: Asked[]): Promise<(Current | null)[]> {
  const { rows } = await db.query<Current & { client_version: number | null }>({
    name: "display-current",
    text: currentText,
    values: [asked.map(({ clientId }) => clientId), asked.map(({ key }) => key), asked.map(({ urlKey }) => urlKey)],
  });
  return rows.map((row) => (row.client_version === null ? null : row));
}

const columnOf = ({ kind }: Subject) => (kind === "family" ? "family_id" : "product_id");

async function select<Row extends object>(db: Db, text: string, values: unknown[]): Promise<Row[]> {
  const { rows } = await db.query<Row>({ name: statementName(text), text, values });
  return rows;
}

export async function selectProductName(db: Db, clientId: string, id: string): Promise<string | null> {
  const rows = await select<{ name: string }>(db, "select name from products where client_id = $1 and id = $2", [
    clientId,
    id,
  ]);
  return rows[0]?.name ?? null;
}

export type CountsRow = { count: number; sum: number; c1: number; c2: number; c3: number; c4: number; c5: number };

export async function selectCounts(db: Db, clientId: string, subject: Subject): Promise<CountsRow | null> {
  const table = subject.kind === "family" ? "family_summaries" : "product_summaries";
  const rows = await select<CountsRow>(
    db,
    `select count, sum, c1, c2, c3, c4, c5 from ${table} where client_id = $1 and ${columnOf(subject)} = $2`,
    [clientId, subject.id],
  );
  return rows[0] ?? null;
}

/** What reviewers name most, of the newest 1,000 reviews; spellings that differ in case only count as one. */
export const selectPoints = (
  db: Db,
  clientId: string,
  subject: Subject,
): Promise<{ kind: "pro" | "con"; text: string }[]> =>
  select(
    db,
    `with recent as (
       select pros, cons from reviews where client_id = $1 and ${columnOf(subject)} = $2 and accepted
        order by date desc, created_at desc, id desc limit 1000),
     said as (select 'pro' as kind, unnest(pros) as text from recent union all select 'con', unnest(cons) from recent),
     counted as (
       select kind, mode() within group (order by text) as text, count(*) as n,
              row_number() over (partition by kind order by count(*) desc, lower(text)) as place
         from said group by kind, lower(text))
     select kind, text from counted where place <= 10 order by kind, place`,
    [clientId, subject.id],
  );

/** How often each value was given to each custom question; each option of a choice of several counts. */
export const selectAnswers = (
  db: Db,
  clientId: string,
  subject: Subject,
): Promise<{ name: string; value: string; values: number; reviews: number }[]> =>
  select(
    db,
    `with given as (
       select a.key as name, a.value from reviews r cross join lateral jsonb_each(r.answers) a
        where r.client_id = $1 and r.${columnOf(subject)} = $2 and r.accepted and r.answers <> '{}'),
     reviews_of as (select name, count(*)::int as reviews from given group by name)
     select name, v.value, count(*)::int as values, reviews from given join reviews_of using (name)
       cross join lateral jsonb_array_elements_text(
         case jsonb_typeof(given.value) when 'array' then given.value else jsonb_build_array(given.value) end) v
      group by name, v.value, reviews`,
    [clientId, subject.id],
  );

export type ExternalRow = {
  kind: "pro" | "user";
  locale: string;
  country: string;
  count: number;
  score_dist: number[];
  points: number | null;
  url: string | null;
};

/** Imported totals of external reviews of a product, or of the products of a family; most reviews first. */
export const selectExternal = (db: Db, clientId: string, subject: Subject): Promise<ExternalRow[]> =>
  select(
    db,
    `select e.kind, e.locale, e.country, e.count, e.score_dist, external_points(e.count, e.score_dist) as points, e.url
       from external_totals e
     ${subject.kind === "family" ? "join products p on p.client_id = e.client_id and p.id = e.product_id" : ""}
      where e.client_id = $1 and ${subject.kind === "family" ? "p.family_id" : "e.product_id"} = $2
      order by e.count desc, e.source, e.locale, e.country`,
    [clientId, subject.id],
  );

/** Where a page of the list begins: after the review with this date, time and id. */
export type ListPlace = { date: string; createdAt: string; id: string };

export type ListedRow = {
  id: string;
  body: string;
  images: StoredImage[];
  feedback_token: string;
  date: string;
  created_at: Date;
};

/** Accepted reviews of a product or family, newest first. */
export const selectReviews = (
  db: Db,
  clientId: string,
  subject: Subject,
  after: ListPlace | null,
  limit: number,
): Promise<ListedRow[]> =>
  select(
    db,
    `select id, body, images, feedback_token, date, created_at from reviews
      where client_id = $1 and ${columnOf(subject)} = $2 and accepted
        ${after ? "and (date, created_at, id) < ($4::date, $5::timestamptz, $6)" : ""}
      order by date desc, created_at desc, id desc limit $3`,
    [clientId, subject.id, limit, ...(after ? [after.date, after.createdAt, after.id] : [])],
  );
