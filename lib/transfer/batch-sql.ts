import type { PoolClient } from "pg";
import { isAppealOpenSql } from "@/lib/reviews/decisions/appeals";
import { moderationDueSql } from "@/lib/reviews/decisions/moderation-due";
import { type Column, columnBit, columns } from "@/lib/transfer/review-row";

// SQL for one batch of staged rows (s), joined to their reviews (r) and the catalog (p). `wanted` defines a review's
// new values; imports and dry runs share it, so their reports agree.
//
// $1 client, $2 rows after, $3 up to, $4 whether the file is our own, $5 today, $6 now, $7 the import (only to create).

const isPresentSql = (name: Column): string => `s.said & ${columnBit(name)} <> 0`;
/** The row's value if given, else the stored one. Null leaves empty text empty, since CSV can't distinguish them. */
const plain = (name: Column): string =>
  columns[name] === "text"
    ? `case when ${isPresentSql(name)} then coalesce(s.${name}, case when r.${name} = '' then '' end) else r.${name} end`
    : `case when ${isPresentSql(name)} then s.${name} else r.${name} end`;
/** Once visitors have voted here, counts from a file don't overwrite their votes. */
const votes = (name: "votes_up" | "votes_down"): string =>
  `coalesce(case when ${isPresentSql(name)} and not exists (select from votes v where v.client_id = $1 and v.review_id = r.id) then s.${name} end, r.${name}, 0)`;

const wanted: Record<string, string> = {
  external_id: "coalesce(s.external_id, r.external_id)",
  product_id: plain("product_id"),
  // Families follow the catalog.
  family_id: `coalesce(p.family_id, s.family_id, case when not ${isPresentSql("family_id")} then r.family_id end)`,
  product_name: `coalesce(${plain("product_name")}, r.product_name, p.name)`,
  product_url: `coalesce(${plain("product_url")}, r.product_url, p.url)`,
  category: plain("category"),
  author: plain("author"),
  author_email: plain("author_email"),
  email_key: `case when ${isPresentSql("author_email")} then s.email_key else r.email_key end`,
  score: "coalesce(s.score, r.score)",
  title: plain("title"),
  extract: `coalesce(${plain("extract")}, '')`,
  pros: `coalesce(${plain("pros")}, '{}')`,
  cons: `coalesce(${plain("cons")}, '{}')`,
  recommended: plain("recommended"),
  answers: `coalesce(${plain("answers")}, '{}')`,
  lang: `coalesce(s.lang, case when r.id is null and not ${isPresentSql("lang")} then s.detected else r.lang end)`,
  date: "coalesce(s.date, r.date, $5::date)",
  order_id: plain("order_id"),
  customer_id: plain("customer_id"),
  verified_buyer: `coalesce(${plain("verified_buyer")}, false)`,
  // The mark applies to one address and is dropped with it.
  verified_email: `coalesce(case when ${isPresentSql("verified_email")} then s.verified_email
    when ${isPresentSql("author_email")} and s.email_key is distinct from r.email_key then false else r.verified_email end, false)`,
  incentivized: `coalesce(${plain("incentivized")}, false)`,
  terms_agreed_at: plain("terms_agreed_at"),
  terms_version: plain("terms_version"),
  votes_up: votes("votes_up"),
  votes_down: votes("votes_down"),
  accepted: "a.accepted",
  accepted_at: `case when a.accepted then coalesce(case when a.taken then s.accepted_at end, case when r.accepted then r.accepted_at end, $6::timestamptz) end`,
  reject_reason: `case when a.accepted = false then coalesce(case when a.taken then s.reject_reason end, case when r.accepted = false then r.reject_reason end, 'unspecified') end`,
  images: `coalesce(case when ${isPresentSql("images")} then s.kept_images else r.images end, '[]')`,
};
const names = Object.keys(wanted);
const list = (prefix = "") => names.map((name) => prefix + name).join(", ");
const wantedList = names.map((name) => `${wanted[name]} as ${name}`).join(",\n    ");

/** SQL condition: the author's appeal of the review is open, which a person decides. Only pending reviews have one. */
const isAppealOpen = `(r.accepted is null and ${isAppealOpenSql("$1", "'review'", "r.id")})`;

// A status decided here wins over another service's, which was decided earlier; our own files win over decisions, since the
// operator imports them, but don't decide appeals.
const joined = `
  left join products p on p.client_id = $1 and p.id = (${plain("product_id")})
  cross join lateral (select ${isPresentSql("accepted")} and not ${isAppealOpen} and not (not $4::boolean and r.id is not null
    and (s.accepted, coalesce(s.reject_reason, '')) is distinct from (r.accepted, coalesce(r.reject_reason, ''))
    and exists (select from moderation_events e where e.client_id = $1 and e.kind = 'review' and e.subject_id = r.id
                   and e.actor_kind in ('user', 'key', 'rule'))) as taken) t
  cross join lateral (select t.taken, case when t.taken then s.accepted else r.accepted end as accepted) a`;

const replyColumns =
  "id text, author text, extract text, lang text, date date, created_at timestamptz(3), updated_at timestamptz(3)";
const replies = (alias: string) =>
  `rows from (jsonb_to_recordset(${alias}.responses) as (${replyColumns})) with ordinality as w(id, author, extract, lang, date, created_at, updated_at, place)`;
const ofReview = "c.client_id = $1 and c.kind = 'review' and c.subject_id = r.id";
const storedReplies = `(select jsonb_agg(jsonb_build_array(c.author, c.date, c.extract, c.lang) order by c.created_at, c.id) from responses c where ${ofReview})`;
const givenReplies = `(select jsonb_agg(jsonb_build_array(w.author, w.date, w.extract, w.lang) order by w.created_at, w.place) from ${replies("s")})`;

// Our own file has all replies of a review. Another service's has only its own, matched by id; others stay.
const repliesDiffer = `(${isPresentSql("responses")} and case when $4::boolean
    then ${storedReplies} is distinct from ${givenReplies}
    else exists (select from ${replies("s")} where not exists (
      select from responses c where ${ofReview} and c.id = w.id and (c.extract, c.date) = (w.extract, w.date))) end)`;
const differs = `((${names.map((name) => wanted[name]).join(", ")}) is distinct from (${list("r.")}) or ${repliesDiffer})`;

const batch = "select * from staged_reviews where row > $2 and row <= $3";
const differing = `differing as (
  select s.known, s.weight, r.accepted, r.reject_reason, r.decided_at from (${batch} and known is not null) s join reviews r on r.client_id = $1 and r.id = s.known ${joined}
   where ${differs})`;

const state = (accepted: string) =>
  `case when ${accepted} is null then 'pending' when ${accepted} then 'accepted' else 'rejected' end`;
const texts = ["author", "score", "title", "extract", "pros", "cons"];

/** Inserts new replies of the rows in `plan`. Those without an id get one that preserves their order. */
const insertReplies = (condition: string) => `
  insert into responses (client_id, id, kind, subject_id, author, extract, lang, date, created_at, updated_at)
  select $1, coalesce(w.id, 'rsp_' || left(md5(plan.id || plan.salt), 18) || lpad(to_hex(w.place), 2, '0')), 'review', plan.id, w.author,
         w.extract, w.lang, w.date, w.created_at, w.updated_at
    from plan, ${replies("plan")} where ${condition}`;

/** Claims the uploads that `plan` uses as images. */
const claimImages = `
  update uploads u set claimed_at = now(), subject_kind = 'review', subject_id = plan.id
    from plan, jsonb_array_elements(plan.images) i
   where u.client_id = $1 and u.token = i->>'token' and u.claimed_at is null`;

/**
 * Queues pending reviews for the client's rules, if it has any. Not those submitted through our own forms, since that
 * would email their authors.
 */
const due = (condition: string) =>
  moderationDueSql(
    "review",
    `select $1 as client_id, id, null::timestamptz as clock_at from plan where accepted is null and ${condition}`,
  );

/** Records what the import created, so that it can be undone. */
export const recordItems = (parameter: `$${number}`): string =>
  `insert into review_import_items (client_id, import_id, id) select $1, ${parameter}, id from plan on conflict do nothing`;

const update = `with ${differing},
held as materialized (
  -- Not those decided or appealed while this waited for them, of which it doesn't see the history.
  select r.* from differing d join reviews r on r.client_id = $1 and r.id = d.known
     and (r.accepted, r.reject_reason, r.decided_at) is not distinct from (d.accepted, d.reject_reason, d.decided_at)
   order by r.id for update of r),
compared as materialized (
  select r.id, r.source, s.weight, s.responses, ${repliesDiffer} as replies_differ, gen_random_uuid()::text as salt, r.images as old_images, r.accepted as old_accepted,
    r.reject_reason as old_reason, r.decided_at as old_decided_at, jsonb_build_object(${texts.map((name) => `'${name}', r.${name}`).join(", ")}) as old_texts,
    r.incentivized as old_incentivized,
    ${wantedList}
  from (${batch} and known is not null) s join held r on r.id = s.known ${joined}
  where ${differs}),
plan as materialized (
  select *, old_texts is distinct from jsonb_build_object(${texts.map((name) => `'${name}', ${name}`).join(", ")}) as edited, incentivized <> old_incentivized as marked from compared),
written as (
  update reviews t set ${names.map((name) => `${name} = plan.${name}`).join(", ")},
         decided_at = case when plan.accepted is null then null when plan.accepted is distinct from plan.old_accepted then $6::timestamptz else plan.old_decided_at end
    from plan where t.client_id = $1 and t.id = plan.id),
history as (
  insert into moderation_events (client_id, kind, subject_id, actor_kind, action, from_state, to_state, reason, texts)
  select $1, 'review', id, 'system', 'imported', ${state("old_accepted")}, ${state("accepted")}, e.reason, e.texts
    from plan cross join lateral (
      select 1 as step, case when accepted is distinct from old_accepted then reject_reason else old_reason end as reason,
             old_texts || case when marked then jsonb_build_object('incentivized', old_incentivized) else '{}' end as texts
       where edited or marked
      union all
      -- A row with texts is a decision only if the state changed, so another reason needs its own.
      select 2, reject_reason, null where case when edited or marked then accepted is not distinct from old_accepted and old_reason is distinct from reject_reason
             else (old_accepted, old_reason) is distinct from (accepted, reject_reason) end) e
   order by id, e.step),
gone_replies as (
  delete from responses c using plan where plan.replies_differ and $4::boolean and c.client_id = $1 and c.kind = 'review' and c.subject_id = plan.id),
new_replies as (${insertReplies("plan.replies_differ")}
  on conflict (client_id, id) do update set extract = excluded.extract, date = excluded.date
   where responses.subject_id = excluded.subject_id and (responses.extract, responses.date) is distinct from (excluded.extract, excluded.date)),
claimed as (${claimImages}),
released as (
  update uploads u set claimed_at = null, subject_kind = null, subject_id = null, created_at = now() - interval '2 days'
    from plan, jsonb_array_elements(plan.old_images) i
   where u.client_id = $1 and u.token = i->>'token' and u.subject_id = plan.id
     and not exists (select from jsonb_array_elements(plan.images) n where n->>'token' = u.token)),
due as (${due("(edited or old_accepted is not null) and source in ('api', 'import')")})
select coalesce(sum(weight), 0)::int as rows, (select count(*) from held) < (select count(*) from differing) as has_changed from plan`;

const shownReplies = `coalesce((select jsonb_agg(jsonb_build_object('author', w.author, 'date', to_char(w.date, 'YYYY-MM-DD'), 'extract', w.extract, 'lang', w.lang,
    'updated_at', to_char(w.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) order by w.created_at, coalesce(w.id, lpad(w.place::text, 4, '0'))) from ${replies("s")}), '[]')`;

const create = `with plan as materialized (
  select coalesce(s.id, s.new_id) as id, s.row, s.weight, s.feedback_token, coalesce(s.responses, '[]') as responses, ${shownReplies} as shown_replies, s.new_id as salt,
    ${wantedList}
  from (${batch} and known is null) s cross join (select (null::reviews).*) r ${joined}),
stored as (
  insert into reviews (client_id, id, source, feedback_token, decided_at, responses, ${list()})
  select $1, id, 'import', feedback_token, case when accepted is not null then coalesce(accepted_at, $6::timestamptz) end, shown_replies, ${list()}
    from plan order by row),
history as (
  insert into moderation_events (client_id, kind, subject_id, actor_kind, action, to_state, reason)
  select $1, 'review', id, 'system', 'imported', ${state("accepted")}, reject_reason from plan order by row),
new_replies as (${insertReplies("true")}
  on conflict (client_id, id) do update set kind = excluded.kind, subject_id = excluded.subject_id, author = excluded.author,
    extract = excluded.extract, lang = excluded.lang, date = excluded.date),
claimed as (${claimImages}),
due as (${due("true")}),
recorded as (${recordItems("$7")})
select coalesce(sum(weight), 0)::int as rows from plan`;

const simulate = `with ${differing}
select coalesce(sum(weight), 0)::int as updated,
       (select coalesce(sum(weight), 0)::int from (${batch} and known is null) s) as created from differing
 where $5::date is not null and $6::timestamptz is not null`;

/** Rows after `from` up to `to` of one import. */
export type RowRange = {
  importId: string;
  clientId: string;
  from: number;
  to: number;
  own: boolean;
  today: string;
  moment: Date;
};

const values = ({ clientId, from, to, own, today, moment }: RowRange) => [clientId, from, to, own, today, moment];

/** The file's rows with a status for a review with an open appeal, which keeps its own. */
export async function selectAppealedRows(db: PoolClient, clientId: string): Promise<number[]> {
  const { rows } = await db.query<{ row: number }>(
    `select s.row from staged_reviews s join reviews r on r.client_id = $1 and r.id = s.known
      where ${isPresentSql("accepted")} and s.accepted is not null and ${isAppealOpen} order by s.row`,
    [clientId],
  );
  return rows.map(({ row }) => row);
}

/**
 * Updates the existing reviews of a batch that differ, in one statement, except those that were decided meanwhile: then it
 * `has_changed`, and the caller repeats it. Returns the number of file rows.
 */
export async function updateBatch(db: PoolClient, range: RowRange): Promise<{ rows: number; has_changed: boolean }> {
  const { rows } = await db.query<{ rows: number; has_changed: boolean }>({
    name: "transfer-update",
    text: update,
    values: values(range),
  });
  return rows[0]!;
}

/** Inserts the new reviews of a batch, with their history, replies and images; returns the number of file rows. */
export async function createBatch(db: PoolClient, range: RowRange): Promise<number> {
  const { rows } = await db.query<{ rows: number }>({
    name: "transfer-create",
    text: create,
    values: [...values(range), range.importId],
  });
  return rows[0]!.rows;
}

/** Returns what `updateBatch` and `createBatch` would. */
export async function simulateBatch(db: PoolClient, range: RowRange): Promise<{ created: number; updated: number }> {
  const { rows } = await db.query<{ created: number; updated: number }>({
    name: "transfer-simulate",
    text: simulate,
    values: values(range),
  });
  return rows[0]!;
}
