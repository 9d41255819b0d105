import type { QueryArrayConfig } from "pg";
import type { Db } from "@/lib/platform/db/pool";
import { asText, statementName } from "@/lib/platform/db/statement-name";
import type { Cursor } from "@/lib/platform/http/page";
import type { ContributionFilter, ContributionTable } from "@/lib/reviews/contributions/schema";

/** A row as the hot lists read it: text as the database wrote it, nothing parsed. */
export type Line = [
  body: string,
  id: string,
  images: string,
  accepted: string | null,
  sortTime: string,
  /** the database's clock, on the first page of a pass */
  readAt: string | null,
  /** only where rows are sieved: whether the filters let it through, and whether it is the last one looked at (`t`, `f`) */
  hit?: string,
  edge?: string,
];

export const pageMarkers = {
  hit: ([, , , , , , hit]: Line): boolean => hit !== "f",
  edge: ([, , , , , , , edge]: Line): boolean => edge === "t",
};

const columns = "body, id, images, accepted";
/** What an incremental reader may have missed while a write was committing; no write takes longer (see pool.ts). */
const LOOK_BACK = "interval '5 seconds'";
/** How many rows one page looks through for filters that have no index in its order: more than a page can hold. */
export const MAX_SCANNED_ROWS = 10_000;

/**
 * A pass by creation reads its pages at different moments, and its caller may go on from the latest `updated_at` seen.
 * A row changed since the pass began therefore tells that beginning instead: a later moment would hide the changes that
 * rows of earlier pages went through meanwhile; an earlier one only brings this row again. Customers' words cannot look
 * like the member: their quotes are escaped, and inner JSON is written with a blank after the colon.
 */
const bodyAsOf = (began: string) =>
  `case when updated_at > ${began}::timestamptz
        then regexp_replace(body, '"updated_at":"[^"]*"', '"updated_at":' || json_time(${began}::timestamptz)) else body end as body`;

const statusConditions = { rejected: "accepted = false", pending: "accepted is null" } as const;

/**
 * The statement for one page of a client's contributions, one row more than asked to know whether another page exists.
 * What a page costs is bounded, whatever came before it and whatever the filters leave out:
 *
 * - The row comparison on (time, id) lets PostgreSQL start in the middle of an index, so page 5,000 costs what page 1 does.
 * - An order or a customer has few rows. Their index has them by creation; by change they are taken first, then sorted.
 * - Other filters that no index serves in this order (accepted; creation in a pass by change) are a sieve: the page looks
 *   through `reach` rows at most. The last of those is answered as well, so that the next page can begin behind it.
 */
export function pageQuery(
  table: ContributionTable,
  clientId: string,
  filter: ContributionFilter,
  cursor: Cursor | null,
  maxScanned = MAX_SCANNED_ROWS,
): QueryArrayConfig<unknown[]> {
  const values: unknown[] = [clientId];
  const value = (given: unknown) => `$${values.push(given)}`;
  const time = filter.updated_after ? "updated_at" : "created_at";
  const where = ["client_id = $1"];
  const sieve: string[] = [];
  if (filter.order_id !== undefined) where.push(`order_id = ${value(filter.order_id)}`);
  if (filter.customer_id !== undefined) where.push(`customer_id = ${value(filter.customer_id)}`);
  const isSelective = where.length > 1;
  if (filter.moderation_status === "accepted") (isSelective ? where : sieve).push("accepted");
  else if (filter.moderation_status) where.push(statusConditions[filter.moderation_status]);
  if (filter.created_after)
    (isSelective || time === "created_at" ? where : sieve).push(
      `created_at >= ${value(filter.created_after)}::timestamptz`,
    );
  let shown = columns;
  let readAt = "now()::timestamptz(3)";
  if (cursor) {
    where.push(`(${time}, id) > (${value(cursor.key[0])}::timestamptz, ${value(cursor.key[1])})`);
    const began = value(cursor.startedAt);
    where.push(`${time} <= ${began}::timestamptz`);
    if (time === "created_at") shown = columns.replace("body", bodyAsOf(began));
    readAt = "null"; // when the pass began is known
  } else if (filter.updated_after) {
    where.push(`updated_at >= ${value(filter.updated_after)}::timestamptz - ${LOOK_BACK}`);
  }
  const order = `order by ${time}, id`;
  const rows = `${table} where ${where.join(" and ")}`;
  const limit = value(filter.limit + 1);
  let text: string;
  if (sieve.length > 0) {
    const most = value(maxScanned);
    text = `select ${shown}, ${time}, ${readAt}, hit, place = ${most} as edge from (
        select ${columns}, created_at, updated_at, (${sieve.join(" and ")}) is true as hit, row_number() over (${order}) as place
          from ${rows} ${order} limit ${most}) looked
      where hit or place = ${most} ${order} limit ${limit}`;
  } else {
    const found = isSelective && time === "updated_at" ? `(select * from ${rows} offset 0) few` : rows;
    text = `select ${shown}, ${time}, ${readAt} from ${found} ${order} limit ${limit}`;
  }
  return { name: statementName(text), text, values, rowMode: "array", types: asText };
}

export async function selectPage(db: Db, ...page: Parameters<typeof pageQuery>): Promise<Line[]> {
  const { rows } = await db.query<Line>(pageQuery(...page));
  return rows;
}

/** One contribution of a client in the same form. */
export async function selectOne(db: Db, table: ContributionTable, clientId: string, id: string): Promise<Line | null> {
  const text = `select ${columns}, updated_at, now() from ${table} where client_id = $1 and id = $2`;
  const { rows } = await db.query<Line>({
    name: statementName(text),
    text,
    values: [clientId, id],
    rowMode: "array",
    types: asText,
  });
  return rows[0] ?? null;
}
