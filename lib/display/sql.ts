import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { ExternalSettings } from "@/lib/catalog/summaries/rules";
import type { ExternalTotal } from "@/lib/display/rules";
import type { DisplayTarget, Subject } from "@/lib/display/versions";
import type { Db } from "@/lib/platform/db/pool";
import { statementName } from "@/lib/platform/db/statement-name";

const counters = ["count", "sum", "c1", "c2", "c3", "c4", "c5"] as const;
/** The counters of a summary's row, zeros if it's missing. */
const countColumns = (table: string): string =>
  counters.map((name) => `coalesce(${table}.${name}, 0) as ${name}`).join(", ");

/** Versions of what is shown of a product or family, see the counters' tables; null if there was never anything. */
type Versions = {
  version: number;
  figures: number;
  questions: number;
  review_count: number;
  question_count: number;
} | null;

/** Settings and versions that determine a display. */
export type DisplayState = {
  client_version: number;
  expand_family: boolean;
  /** of the requested product, if it's in the catalog */
  family_id: string | null;
  product_changed: string | null;
  product: Versions;
  family: Versions;
};

// A look-up by primary key in each table for each requested row (`offset 0` keeps the planner from reading whole
// tables). The arrays come from subselects, so that the planner doesn't see their lengths: after small batches it would
// take a plan of its own for each call to be cheaper, and planning costs more than the look-up.
const rowsOf = (...arrays: string[]) => `unnest(${arrays.map((array) => `(select ${array})`).join(", ")})`;
const versionsOf = (table: string, where: string) =>
  `select version, figures_version, questions_version, count, question_count from ${table} where ${where} offset 0`;
const currentText = `
  select c.version as client_version, c.expand_family, p.family_id, p.updated_at::text as product_changed,
         ps.version as p_version, ps.figures_version as p_figures, ps.questions_version as p_questions, ps.count as p_reviews, ps.question_count as p_count,
         fs.version as f_version, fs.figures_version as f_figures, fs.questions_version as f_questions, fs.count as f_reviews, fs.question_count as f_count
    from ${rowsOf("$1::text[]", "$2::text[]", "$3::text[]")} with ordinality as q(client_id, key, url_key, n)
    left join lateral (select version, expand_family from clients where id = q.client_id offset 0) c on true
    left join lateral (
      select family_id, updated_at from products where client_id = q.client_id and id = q.key offset 0) p on true
    left join lateral (${versionsOf("product_summaries", "client_id = q.client_id and product_id = q.key")}) ps on true
    left join lateral (${versionsOf(
      "family_summaries",
      `client_id = q.client_id and family_id =
         case when q.key is null then q.url_key when c.expand_family then coalesce(p.family_id, q.url_key)
              -- An unknown product beside a family.
              when p.family_id is null and ps.version is null then q.url_key end`,
    )}) fs on true
   order by q.n`;

type CurrentRow = Pick<DisplayState, "expand_family" | "family_id" | "product_changed"> &
  Record<`${"p" | "f"}_${"version" | "figures" | "questions" | "reviews" | "count"}`, number | null> & {
    client_version: number | null;
  };

/** The present versions for each request, in order; null if the client doesn't exist. */
export async function selectDisplayStates(db: Db, targets: DisplayTarget[]): Promise<(DisplayState | null)[]> {
  const { rows } = await db.query<CurrentRow>({
    name: "display-current",
    text: currentText,
    values: [
      targets.map(({ clientId }) => clientId),
      targets.map(({ key }) => key),
      targets.map(({ urlKey }) => urlKey),
    ],
  });
  return rows.map((row) => {
    if (row.client_version === null) return null;
    const { client_version, expand_family, family_id, product_changed } = row;
    const of = (one: "p" | "f"): Versions => {
      const [version, figures, questions] = [row[`${one}_version`], row[`${one}_figures`], row[`${one}_questions`]];
      if (version === null || figures === null || questions === null) return null;
      const [review_count, question_count] = [row[`${one}_reviews`] ?? 0, row[`${one}_count`] ?? 0];
      return { version, figures, questions, review_count, question_count };
    };
    return { client_version, expand_family, family_id, product_changed, product: of("p"), family: of("f") };
  });
}

/** The figures of a client's seller reviews: counters of the accepted ones, and a version of everything shown. */
export type SellerFigures = CountsRow & { version: string };

const sellerText = `
  select c.version || '.' || coalesce(s.version, 0) as version, ${countColumns("s")}
    from ${rowsOf("$1::text[]")} with ordinality as q(client_id, n)
    left join lateral (select version from clients where id = q.client_id offset 0) c on true
    left join lateral (select * from seller_summaries where client_id = q.client_id offset 0) s on true
   order by q.n`;

/** The same for each requested client, in order; null if it doesn't exist. */
export async function selectSellerFigures(db: Db, clientIds: string[]): Promise<(SellerFigures | null)[]> {
  const { rows } = await db.query<CountsRow & { version: string | null }>({
    name: "display-seller",
    text: sellerText,
    values: [clientIds],
  });
  return rows.map((row) => (row.version === null ? null : { ...row, version: row.version }));
}

/** The column that identifies the subject in reviews, questions and counters. */
export const columnOf = ({ kind }: Subject) => (kind === "family" ? "family_id" : "product_id");

export async function select<Row extends object>(db: Db, text: string, values: unknown[]): Promise<Row[]> {
  const { rows } = await db.query<Row>({ name: statementName(text), text, values });
  return rows;
}

type CountsRow = { count: number; sum: number; c1: number; c2: number; c3: number; c4: number; c5: number };

/** A facet's count among accepted reviews; an empty `value` counts those that have the facet at all. */
type FacetRow = { facet: string; value: string; count: number };

/** Everything in a summary, as of one moment. */
type SummaryRow = CountsRow &
  Pick<ClientRow, "locale" | "custom_questions" | "collect_questions"> &
  ExternalSettings & {
    product_name: string | null;
    question_count: number;
    /** most frequent pros and cons of the newest 1,000 reviews; spellings that differ only in case count as one */
    points: { kind: "pro" | "con"; text: string }[];
    /** languages, photos, verified buyers and answered custom questions; most reviews first */
    facets: FacetRow[];
    /** imported totals of external reviews of the product, or of the family's products; most reviews first */
    external: ExternalTotal[];
  };

const summaryText = (subject: Subject) => {
  const column = columnOf(subject);
  const [table, ofExternal, from] =
    subject.kind === "family"
      ? [
          "family_summaries",
          "p.family_id",
          "external_totals e join products p on p.client_id = e.client_id and p.id = e.product_id",
        ]
      : ["product_summaries", "e.product_id", "external_totals e"];
  return `
  select c.locale, c.custom_questions, c.collect_questions, c.external_pro_reviews, c.external_user_reviews,
         c.external_review_locale, c.external_review_countries,
         (select name from products where client_id = $1 and id = $3) as product_name,
         ${countColumns("s")}, coalesce(s.question_count, 0) as question_count,
         case when s.count > 0 then (
           with recent as (
             select pros, cons from reviews where client_id = $1 and ${column} = $2 and accepted
              order by date desc, created_at desc, id desc limit 1000),
           said as (select 'pro' as kind, unnest(pros) as text from recent union all select 'con', unnest(cons) from recent),
           counted as (
             select kind, mode() within group (order by text) as text,
                    row_number() over (partition by kind order by count(*) desc, lower(text)) as place
               from said group by kind, lower(text))
           select coalesce(json_agg(json_build_object('kind', kind, 'text', text) order by kind, place), '[]')
             from counted where place <= 10) else '[]' end as points,
         (select coalesce(json_agg(json_build_object('facet', facet, 'value', value, 'count', count)
                   order by count desc, facet, value), '[]')
            from (select unnest(array['lang', 'photos', 'verified']) as name
                  union select 'answer.' || coalesce(q ->> 'name', q ->> 'id') from jsonb_array_elements(c.custom_questions) q
                         where q ->> 'type' <> 'text') shown
            -- One facet at a time: PostgreSQL 15 would read the values of all of them, thousands of free texts included.
            cross join lateral (
              select facet, value, count from review_facets
               where client_id = $1 and kind = '${subject.kind}' and subject_id = $2 and facet = shown.name offset 0) f) as facets,
         (select coalesce(json_agg(json_build_object('kind', e.kind, 'locale', e.locale, 'country', e.country, 'count', e.count,
                   'score_dist', e.score_dist, 'points', external_points(e.count, e.score_dist), 'url', e.url)
                   order by e.count desc, e.source, e.locale, e.country), '[]')
            from ${from} where e.client_id = $1 and ${ofExternal} = $2) as external
    from clients c
    left join lateral (select * from ${table} where client_id = $1 and ${column} = $2 offset 0) s on true
   where c.id = $1`;
};

/** Everything in a summary of a product or family; `key` is the requested product. Null for an unknown client. */
export async function selectSummary(
  db: Db,
  clientId: string,
  subject: Subject,
  key: string | null,
): Promise<SummaryRow | null> {
  const rows = await select<SummaryRow>(db, summaryText(subject), [clientId, subject.id, key]);
  return rows[0] ?? null;
}

/**
 * A requested product or family, with the counters of the subject it shows; `external`: the client has external totals.
 */
export type RatingRow = CountsRow & {
  key: string | null;
  url_key: string | null;
  /** the family whose reviews are shown; null if it's a product's */
  family_subject: string | null;
  external: boolean;
};

const noReviews: CountsRow = { count: 0, sum: 0, c1: 0, c2: 0, c3: 0, c4: 0, c5: 0 };

// Counters by request; families of products only if the client groups by them. No joins: the few rows are found by
// their keys.
const ratingsText = `
  with c as materialized (
    select expand_family, exists (select from external_totals where client_id = $1) as external from clients where id = $1),
  grouped as materialized (
    select id, family_id from products where client_id = $1 and id = any($2) and (select expand_family from c))
  select 'client' as what, null as id, null as family_id, external, ${counters.map((name) => `0 as ${name}`).join(", ")} from c
  union all
  select 'grouped', id, family_id, false, ${counters.map(() => "0").join(", ")} from grouped
  union all
  select 'product', product_id, null, false, ${counters.join(", ")} from product_summaries
   where client_id = $1 and product_id = any($2)
  union all
  select 'family', family_id, null, false, ${counters.join(", ")} from family_summaries
   where client_id = $1 and family_id = any($3::text[] || array(select family_id from grouped))`;

type FoundRow = CountsRow & {
  what: "client" | "grouped" | "product" | "family";
  id: string | null;
  family_id: string | null;
  external: boolean;
};

/** The counters of each requested product and family, in order; null for an unknown client. */
export async function selectRatings(
  db: Db,
  clientId: string,
  keys: string[],
  urlKeys: string[],
): Promise<RatingRow[] | null> {
  const { rows } = await db.query<FoundRow>({
    name: "display-ratings",
    text: ratingsText,
    values: [clientId, keys, urlKeys],
  });
  const client = rows.find(({ what }) => what === "client");
  if (!client) return null;
  const found = new Map(rows.map((row) => [`${row.what} ${row.id}`, row]));
  const rated = (key: string | null, url_key: string | null): RatingRow => {
    const family_subject = url_key ?? found.get(`grouped ${key}`)?.family_id ?? null;
    const counted = found.get(family_subject === null ? `product ${key}` : `family ${family_subject}`) ?? noReviews;
    return { ...counted, key, url_key, family_subject, external: client.external };
  };
  return [...keys.map((key) => rated(key, null)), ...urlKeys.map((urlKey) => rated(null, urlKey))];
}
