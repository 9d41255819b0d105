import type { PoolClient } from "pg";
import { type DroppedRows, dropRows } from "@/lib/feeds/run-import";
import { filterErasedPeople, hasErasuresSince } from "@/lib/orders/erased-hashes";
import { copyList, copyText } from "@/lib/platform/db/copy-format";
import { newReviewId, newToken } from "@/lib/platform/ids";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { MAX_IMAGES, type StoredImage } from "@/lib/reviews/uploads/schema";
import { type Column, columnBit, columnNames, columns, type ReplyRow, type ReviewRow } from "@/lib/transfer/review-row";

// Rows of a file are first copied into an unlogged temporary table, which is dropped with the connection. Set-based
// statements match rows to reviews; then batches compare and write rows, history and replies, each in one statement and
// thus one transaction.

const stageColumns = [
  "row",
  "new_id",
  "feedback_token",
  "id",
  "said",
  "email_key",
  "detected",
  "other_date",
  "candidates",
  "parent",
  ...columnNames,
];

/** Creates the staging tables, which are dropped with the connection. */
export async function createStage(db: PoolClient): Promise<void> {
  const text = (name: string) => `${name} text collate "C"`;
  await db.query(`
    create temporary table staged_reviews (
      row integer, new_id text, feedback_token text, ${text("id")}, said integer, ${text("email_key")}, detected text, other_date date,
      candidates text[] collate "C", ${text("parent")}, ${columnNames.map((name) => (columns[name] === "text" ? text(name) : `${name} ${columns[name]}`)).join(", ")},
      weight integer not null default 1, ${text("known")}, kept_images jsonb)`);
}

export const COPY_REVIEWS = `copy staged_reviews (${stageColumns.join(", ")}) from stdin`;

/** A review as a line in COPY's text format. */
export function copyReview({ row, id, values, detected, otherDate, candidates }: ReviewRow): string {
  let mask = 0;
  let line = "";
  for (const name of columnNames) {
    const value = values[name];
    if (value !== undefined) mask |= columnBit(name);
    line += `\t${copyValue(name, value ?? null)}`;
  }
  const email = values.author_email ? emailKey(values.author_email) : null;
  return `${row}\t${newReviewId()}\t${newToken()}\t${copyText(id)}\t${mask}\t${copyText(email)}\t${copyText(detected)}\t${copyText(otherDate)}\t${copyList(candidates)}\t\\N${line}\n`;
}

/** A reply in its own row, until it is attached to its review. */
export function copyReply({ row, parent, reply }: ReplyRow): string {
  const line = columnNames.map((name) => (name === "responses" ? copyValue(name, [reply]) : "\\N")).join("\t");
  return `${row}\t\\N\t\\N\t\\N\t0\t\\N\t\\N\t\\N\t\\N\t${copyText(parent)}\t${line}\n`;
}

function copyValue(name: Column, value: unknown): string {
  if (value === null) return "\\N";
  if (columns[name] === "text[]") return copyList(value as string[]);
  return copyText(columns[name] === "jsonb" ? JSON.stringify(value) : String(value));
}

/** Resolves what requires the whole file: the reading of ambiguous dates, and which replies belong to which review. */
export async function prepareStage(db: PoolClient, clientId: string, monthFirst: boolean): Promise<void> {
  if (monthFirst) await db.query("update staged_reviews set date = other_date where other_date is not null");
  await db.query(`
    create temporary table staged_replies as
    with moved as (delete from staged_reviews where parent is not null returning row, parent, responses) select row, parent, responses->0 as reply from moved`);
  await db.query("create unique index on staged_reviews (row)");
  await db.query("analyze staged_reviews");
  // Which of a service's product names is in the catalog: as a product, else as a family, else the first of them.
  await db.query(
    `update staged_reviews s set product_id = f.product_id, family_id = f.family_id
       from (select named.candidates, case when p.id is null and y.id is not null then null else coalesce(p.id, named.candidates[1]) end as product_id,
                    case when p.id is null then y.id end as family_id
               from (select distinct candidates from staged_reviews where candidates is not null) named
               left join lateral (select p.id from unnest(named.candidates) with ordinality c(id, place) join products p on p.client_id = $1 and p.id = c.id
                                   order by c.place limit 1) p on true
               left join lateral (select c.id from unnest(named.candidates) with ordinality c(id, place)
                                   where exists (select from products p where p.client_id = $1 and p.family_id = c.id) order by c.place limit 1) y on true) f
      where s.candidates = f.candidates`,
    [clientId],
  );
}

/** Of rows with the same external id or id, keeps the last one. */
export const dropDuplicates = (db: PoolClient): Promise<DroppedRows> => dropRows(db, lastOf("external_id", "id"));

const lastOf = (...names: string[]): string => {
  const last = (name: string) => `case when ${name} is null then row else max(row) over (partition by ${name}) end`;
  return `delete from staged_reviews s using (select row, greatest(${names.map(last).join(", ")}) as last from staged_reviews) places
           where s.row = places.row and s.row < places.last
          returning s.row, 'doubled' as reason`;
};

/**
 * Matches rows to stored reviews, by external id or else by id. Of rows matching the same review, keeps the last one.
 * Removes rows that match two different reviews, and new ones without required fields.
 */
export async function matchStage(db: PoolClient, clientId: string): Promise<DroppedRows[]> {
  await matchStagedRows(db, clientId, 0, 2 ** 31 - 1);
  const same = await dropRows(db, lastOf("known"));
  const unusable = await dropRows(
    db,
    `delete from staged_reviews s
      where (s.known is null and (s.score is null or (s.product_id is null and s.family_id is null)))
         or (s.known <> s.id and exists (select from reviews r where r.client_id = $1 and r.id = s.id))
     returning row, case when known is not null then 'ids_conflict' when score is null then 'score_missing' else 'product_missing' end as reason`,
    [clientId],
  );
  // Plans of the batches depend on the number of matched rows; misestimated, each would scan all rows of the other
  // side.
  await db.query("analyze staged_reviews");
  return [same, unusable];
}

/** Matches rows after `from` up to `to`; repeated for a batch that conflicts with a concurrently stored review. */
export async function matchStagedRows(db: PoolClient, clientId: string, from: number, to: number): Promise<void> {
  for (const name of ["external_id", "id"]) {
    await db.query(
      `update staged_reviews s set known = r.id from reviews r
        where r.client_id = $1 and s.known is null and s.${name} = r.${name} and s.row > $2 and s.row <= $3`,
      [clientId, from, to],
    );
  }
}

/** Removes rows about people who were erased since the file began to be read. */
export async function dropErased(
  db: PoolClient,
  { clientId, from, to }: { clientId: string; from: number; to: number },
  since: Date,
): Promise<DroppedRows> {
  if (!(await hasErasuresSince(db, clientId, since))) return { total: 0, rows: [] };
  type Row = { row: number; weight: number; customer_id: string | null; email_key: string | null };
  const { rows } = await db.query<Row>(
    "select row, weight, customer_id, email_key from staged_reviews where row > $1 and row <= $2 order by row",
    [from, to],
  );
  const personOf = ({ customer_id, email_key }: Row) => ({ customer: customer_id, email: email_key, since });
  const erasedRows = await filterErasedPeople(db, clientId, rows, personOf);
  await db.query("delete from staged_reviews where row = any($1)", [erasedRows.map(({ row }) => row)]);
  return {
    total: erasedRows.reduce((sum, { weight }) => sum + weight, 0),
    rows: erasedRows.map(({ row }) => ({ row, reason: "erased" })),
  };
}

/** Attaches replies to their reviews, which then also count for the replies' rows. Removes replies without a review. */
export async function attachReplies(db: PoolClient): Promise<DroppedRows> {
  await db.query(
    `update staged_reviews s set said = s.said | ${columnBit("responses")}, weight = 1 + given.count, responses = given.replies
       from (select parent, count(*)::int as count, jsonb_agg(reply order by row) as replies from staged_replies group by parent) given
      where s.external_id = given.parent`,
  );
  return dropRows(
    db,
    `delete from staged_replies d where not exists (select from staged_reviews s where s.external_id = d.parent)
     returning row, 'parent_missing' as reason`,
  );
}

/**
 * Stages the images that rows name, each token once, since an image belongs to one review. Returns the rows of removed
 * ones.
 */
export async function stageImages(db: PoolClient): Promise<{ row: number; reason: string }[]> {
  await db.query(`
    create temporary table staged_images as
    select s.row, i.place::integer as place, i.token collate "C" as token, i.url, null::jsonb as kept
      from staged_reviews s, rows from (jsonb_to_recordset(s.images) as (token text, url text)) with ordinality as i(token, url, place)`);
  await db.query("create index on staged_images (row)");
  const { rows } = await db.query<{ row: number; reason: string }>(
    `delete from staged_images i
      using (select row, place, row_number() over (partition by token order by row, place) as time,
                    row_number() over (partition by row order by place) as position from staged_images) n
      where i.row = n.row and i.place = n.place and (n.time > 1 or n.position > $1)
     returning i.row, case when n.time > 1 then 'doubled' else 'too_many' end as reason`,
    [MAX_IMAGES],
  );
  return rows;
}

/** An image that a row of the batch names. */
export type WantedImage = {
  row: number;
  place: number;
  token: string;
  url: string | null;
  /** The image as the review already has it. */
  held: StoredImage | null;
};

export async function selectImages(db: PoolClient, clientId: string, from: number, to: number): Promise<WantedImage[]> {
  const { rows } = await db.query<WantedImage>({
    name: "transfer-images",
    text: `select i.row, i.place, i.token, i.url,
                  (select h from reviews r, jsonb_array_elements(r.images) h
                    where r.client_id = $1 and r.id = s.known and h->>'token' = i.token limit 1) as held
             from staged_images i join staged_reviews s on s.row = i.row
            where i.row > $2 and i.row <= $3 order by i.row, i.place`,
    values: [clientId, from, to],
  });
  return rows;
}

/** Saves a batch's images: rows keep the available ones, in the file's order. */
export async function saveStagedImages(
  db: PoolClient,
  from: number,
  to: number,
  available: { row: number; place: number; image: StoredImage }[],
): Promise<void> {
  await db.query(
    `update staged_reviews s set kept_images = k.images
       from (select row, jsonb_agg(image order by place) as images
               from jsonb_to_recordset($3::jsonb) as k(row integer, place integer, image jsonb) group by row) k
      where s.row = k.row and s.row > $1 and s.row <= $2`,
    [from, to, JSON.stringify(available)],
  );
}

/** Forgets the images of rows whose reviews exist, for an import that only creates. */
export async function dropKnownImages(db: PoolClient): Promise<void> {
  await db.query("delete from staged_images i using staged_reviews s where s.row = i.row and s.known is not null");
}

/** What an import created, also before it was interrupted: file rows, and items (several rows can belong to one). */
export async function countCreated(
  db: PoolClient,
  clientId: string,
  importId: string,
): Promise<{ rows: number; items: number }> {
  const { rows } = await db.query<{ rows: number; items: number }>(
    `select coalesce(sum(s.weight), 0)::int as rows, count(*)::int as items from staged_reviews s
       join review_import_items i on i.client_id = $1 and i.import_id = $2 and i.id = coalesce(s.known, s.id, s.new_id)`,
    [clientId, importId],
  );
  return rows[0]!;
}

/** Number of items that an import would create. */
export async function countNew(db: PoolClient): Promise<number> {
  const { rows } = await db.query<{ items: number }>(
    "select count(*)::int as items from staged_reviews where known is null",
  );
  return rows[0]!.items;
}
