import type { QueryArrayConfig } from "pg";
import { asText, statementName } from "@/lib/db/named";
import type { Db } from "@/lib/db/pool";
import type { Cursor } from "@/lib/http/page";
import type { ReviewFilter } from "@/lib/reviews/schema";

/** A row as the hot list reads it: text as the database wrote it, nothing parsed. */
export type ReviewLine = [
  body: string,
  id: string,
  images: string,
  accepted: string | null,
  sortTime: string,
  /** the database's clock, on the first page of a pass */
  readAt: string | null,
];

const columns = "body, id, images, accepted";
/** What an incremental reader may have missed while a write was committing; no write takes longer (see pool.ts). */
const LOOK_BACK = "interval '5 seconds'";

/**
 * A pass by creation reads its pages at different moments, and its caller may go on from the latest `updated_at` seen.
 * A row changed since the pass began therefore tells that beginning instead: a later moment would hide the changes that
 * rows of earlier pages went through meanwhile; an earlier one only brings this row again. Customers' words cannot look
 * like the member: their quotes are escaped, and inner JSON is written with a blank after the colon.
 */
const bodyAsOf = (began: string) =>
  `case when updated_at > ${began}::timestamptz
        then regexp_replace(body, '"updated_at":"[^"]*"', '"updated_at":' || json_time(${began}::timestamptz)) else body end as body`;

const statusCondition = { accepted: "accepted", rejected: "accepted = false", pending: "accepted is null" } as const;

/**
 * The statement for one page of a client's reviews, one row more than asked to know whether another page exists. The
 * row comparison on (time, id) lets PostgreSQL start in the middle of an index, so page 5,000 costs what page 1 does.
 */
export function reviewPageQuery(
  clientId: string,
  filter: ReviewFilter,
  cursor: Cursor | null,
): QueryArrayConfig<unknown[]> {
  const values: unknown[] = [clientId];
  const value = (given: unknown) => `$${values.push(given)}`;
  const time = filter.updated_after ? "updated_at" : "created_at";
  const where = ["client_id = $1"];
  if (filter.order_id !== undefined) where.push(`order_id = ${value(filter.order_id)}`);
  if (filter.customer_id !== undefined) where.push(`customer_id = ${value(filter.customer_id)}`);
  if (filter.moderation_status) where.push(statusCondition[filter.moderation_status]);
  if (filter.created_after) where.push(`created_at >= ${value(filter.created_after)}::timestamptz`);
  let shown = columns;
  let readAt = "now()::timestamptz(3)";
  if (cursor) {
    where.push(`(${time}, id) > (${value(cursor.key[0])}::timestamptz, ${value(cursor.key[1])})`);
    const began = value(cursor.began);
    where.push(`${time} <= ${began}::timestamptz`);
    if (time === "created_at") shown = columns.replace("body", bodyAsOf(began));
    readAt = "null"; // when the pass began is known
  } else if (filter.updated_after) {
    where.push(`updated_at >= ${value(filter.updated_after)}::timestamptz - ${LOOK_BACK}`);
  }
  const text = `select ${shown}, ${time}, ${readAt} from reviews where ${where.join(" and ")} order by ${time}, id limit ${value(filter.limit + 1)}`;
  return { name: statementName(text), text, values, rowMode: "array", types: asText };
}

export async function selectReviewPage(db: Db, ...page: Parameters<typeof reviewPageQuery>): Promise<ReviewLine[]> {
  const { rows } = await db.query<ReviewLine>(reviewPageQuery(...page));
  return rows;
}

/** One review of a client in the same form. */
export async function selectReview(db: Db, clientId: string, id: string): Promise<ReviewLine | null> {
  const text = `select ${columns}, updated_at, now() from reviews where client_id = $1 and id = $2`;
  const { rows } = await db.query<ReviewLine>({
    name: statementName(text),
    text,
    values: [clientId, id],
    rowMode: "array",
    types: asText,
  });
  return rows[0] ?? null;
}
