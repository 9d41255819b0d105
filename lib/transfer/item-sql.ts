import type { PoolClient } from "pg";
import { type DroppedRows, dropRows } from "@/lib/feeds/run-import";
import { copyText } from "@/lib/platform/db/copy-format";
import { newReviewId, newToken } from "@/lib/platform/ids";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { moderationDueSql } from "@/lib/reviews/decisions/moderation-due";
import { type RowRange, recordItems } from "@/lib/transfer/batch-sql";
import type { ItemRow } from "@/lib/transfer/review-row";
import type { ExportKind } from "@/lib/transfer/schema";

// Seller reviews and questions of our own files. Staged like reviews, in a table of the same name with what its
// statements for images and erased people need, and the rest as JSON. Existing rows stay as they are.

export type ItemKind = Exclude<ExportKind, "reviews">;

/** Creates the staging table, which is dropped with the connection. */
export async function createItemStage(db: PoolClient): Promise<void> {
  await db.query(`
    create temporary table staged_reviews (
      row integer, new_id text collate "C", id text collate "C", feedback_token text, customer_id text collate "C",
      email_key text collate "C", images jsonb, item jsonb,
      weight integer not null default 1, known text collate "C", kept_images jsonb)`);
}

export const COPY_ITEMS =
  "copy staged_reviews (row, new_id, id, feedback_token, customer_id, email_key, images, item) from stdin";

/** A row as a line in COPY's text format. */
export function copyItem({ row, id, images, item }: ItemRow): string {
  const key = item.author_email ? emailKey(item.author_email) : null;
  const cells = [id, newToken(), item.customer_id ?? null, key, JSON.stringify(images), JSON.stringify(item)];
  return `${row}\t${newReviewId()}\t${cells.map(copyText).join("\t")}\n`;
}

/** Of rows with the same id, keeps the last one, and finds those that exist. */
export async function matchItems(db: PoolClient, kind: ItemKind, clientId: string): Promise<DroppedRows> {
  await db.query("create unique index on staged_reviews (row)");
  await db.query("analyze staged_reviews");
  const doubled = await dropRows(
    db,
    `delete from staged_reviews s using (select row, max(row) over (partition by id) as last from staged_reviews) places
      where s.row = places.row and s.row < places.last returning s.row, 'doubled' as reason`,
  );
  await matchItemRows(db, kind, clientId, 0, 2 ** 31 - 1);
  return doubled;
}

/** Finds which rows after `from` up to `to` exist; repeated for a batch that conflicts with a concurrent write. */
export async function matchItemRows(
  db: PoolClient,
  kind: ItemKind,
  clientId: string,
  from: number,
  to: number,
): Promise<void> {
  await db.query(
    `update staged_reviews s set known = r.id from ${kind} r
      where r.client_id = $1 and r.id = s.id and s.known is null and s.row > $2 and s.row <= $3`,
    [clientId, from, to],
  );
}

/** Number of rows of a batch that don't exist yet. */
export async function countNewItems(db: PoolClient, { from, to }: Pick<RowRange, "from" | "to">): Promise<number> {
  const { rows } = await db.query<{ rows: number }>(
    "select count(*)::int as rows from staged_reviews where known is null and row > $1 and row <= $2",
    [from, to],
  );
  return rows[0]!.rows;
}

// $1 client, $2 rows after, $3 up to, $4 the import, $5 today, $6 now.

const shared = {
  author: "text",
  author_email: "text",
  lang: "text",
  date: "date",
  customer_id: "text",
  verified_email: "boolean",
  terms_agreed_at: "timestamptz(3)",
  terms_version: "text",
  votes_up: "integer",
  votes_down: "integer",
};
const moderated = "custom_questions jsonb, accepted boolean, accepted_at timestamptz(3), reject_reason text";
const columnsOf: Record<ItemKind, Record<string, string>> = {
  seller_reviews: {
    ...shared,
    score: "smallint",
    title: "text",
    extract: "text",
    order_id: "text",
    verified_buyer: "boolean",
    incentivized: "boolean",
  },
  questions: {
    ...shared,
    product_id: "text",
    family_id: "text",
    product_name: "text",
    product_url: "text",
    question: "text",
    details: "text",
    mail_answer: "boolean",
  },
};
/** Values that differ from the file's: defaults, and what the catalog knows. */
const values: Record<string, string> = {
  date: "coalesce(i.date, $5::date)",
  extract: "coalesce(i.extract, '')",
  details: "coalesce(i.details, '')",
  verified_buyer: "coalesce(i.verified_buyer, false)",
  verified_email: "coalesce(i.verified_email, false)",
  incentivized: "coalesce(i.incentivized, false)",
  mail_answer: "coalesce(i.mail_answer, false)",
  votes_up: "coalesce(i.votes_up, 0)",
  votes_down: "coalesce(i.votes_down, 0)",
  family_id: "coalesce(p.family_id, i.family_id)",
  product_name: "coalesce(i.product_name, p.name)",
  product_url: "coalesce(i.product_url, p.url)",
};
const singular = { seller_reviews: "seller_review", questions: "question" } as const;

/** Replies and answers get ids that preserve their order. A row has at most 1,000 of them. */
const childId = (prefix: string) =>
  `'${prefix}_' || left(md5(plan.id || plan.feedback_token), 17) || lpad(to_hex(c.place), 3, '0')`;

const children: Record<ItemKind, string> = {
  seller_reviews: `
    insert into responses (client_id, id, kind, subject_id, author, extract, lang, date, created_at, updated_at)
    select $1, ${childId("rsp")}, 'seller_review', plan.id, c.author, c.extract, c.lang, c.date, c.created_at, c.updated_at
      from plan, rows from (jsonb_to_recordset(plan.item -> 'responses') as (author text, extract text, lang text, date date,
           created_at timestamptz(3), updated_at timestamptz(3))) with ordinality as c(author, extract, lang, date, created_at, updated_at, place)
     order by plan.row, c.place`,
  questions: `
    insert into answers (client_id, id, question_id, author, from_seller, answer, lang, date, accepted, accepted_at, reject_reason,
           decided_at, created_at, updated_at)
    select $1, ${childId("ans")}, plan.id, c.author, c.from_seller, c.answer, c.lang, c.date, c.accepted, case when c.accepted then c.created_at end,
           case when c.accepted = false then coalesce(c.reject_reason, 'unspecified') end,
           case when c.accepted is not null then c.created_at end, c.created_at, c.updated_at
      from plan, rows from (jsonb_to_recordset(plan.item -> 'answers') as (author text, from_seller boolean, answer text, lang text, date date,
           accepted boolean, reject_reason text, created_at timestamptz(3), updated_at timestamptz(3)))
           with ordinality as c(author, from_seller, answer, lang, date, accepted, reject_reason, created_at, updated_at, place)
     order by plan.row, c.place`,
};

function createText(kind: ItemKind): string {
  const columns = columnsOf[kind];
  const names = Object.keys(columns);
  const given = names.map((name) => `${name} ${columns[name]}`).join(", ");
  const answersColumn = kind === "questions" ? "answers_given" : "answers";
  const product = kind === "questions" ? "left join products p on p.client_id = $1 and p.id = i.product_id" : "";
  return `with plan as materialized (
  select s.row, s.id, s.feedback_token, s.email_key, s.item, coalesce(s.kept_images, '[]') as images,
    coalesce(i.custom_questions, '{}') as given_answers, i.accepted,
    case when i.accepted then coalesce(i.accepted_at, $6::timestamptz) end as accepted_at,
    case when i.accepted = false then coalesce(i.reject_reason, 'unspecified') end as reject_reason,
    ${names.map((name) => `${values[name] ?? `i.${name}`} as ${name}`).join(", ")}
  from staged_reviews s, jsonb_to_record(s.item) as i(${given}, ${moderated}) ${product}
  where s.known is null and s.row > $2 and s.row <= $3),
stored as (
  insert into ${kind} (client_id, id, source, feedback_token, email_key, images, ${answersColumn}, accepted, accepted_at, reject_reason, decided_at, ${names.join(", ")})
  select $1, id, 'import', feedback_token, email_key, images, given_answers, accepted, accepted_at, reject_reason,
         case when accepted is not null then coalesce(accepted_at, $6::timestamptz) end, ${names.join(", ")}
    from plan order by row),
history as (
  insert into moderation_events (client_id, kind, subject_id, actor_kind, action, to_state, reason)
  select $1, '${singular[kind]}', id, 'system', 'imported',
         case when accepted is null then 'pending' when accepted then 'accepted' else 'rejected' end, reject_reason
    from plan order by row),
new_children as (${children[kind]}),
claimed as (
  update uploads u set claimed_at = now(), subject_kind = '${singular[kind]}', subject_id = plan.id
    from plan, jsonb_array_elements(plan.images) image
   where u.client_id = $1 and u.token = image->>'token' and u.claimed_at is null),
due as (${moderationDueSql(singular[kind], "select $1 as client_id, id, null::timestamptz as clock_at from plan where accepted is null")}),
recorded as (${recordItems("$4")})
select count(*)::int as rows from plan`;
}

const createTexts = { seller_reviews: createText("seller_reviews"), questions: createText("questions") };

/** Inserts the new items of a batch, with their history, replies or answers, and images, in one statement. */
export async function createItems(db: PoolClient, kind: ItemKind, range: RowRange): Promise<number> {
  const { clientId, from, to, importId, today, moment } = range;
  const { rows } = await db.query<{ rows: number }>({
    name: `transfer-create-${kind}`,
    text: createTexts[kind],
    values: [clientId, from, to, importId, today, moment],
  });
  return rows[0]!.rows;
}
