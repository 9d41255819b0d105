import type { QueryArrayConfig } from "pg";
import type { Db } from "@/lib/platform/db/pool";
import { asText, statementName } from "@/lib/platform/db/statement-name";
import type { Cursor } from "@/lib/platform/http/cursor";
import type { ContributionFilter, ContributionTable } from "@/lib/reviews/contributions/schema";

/** A row as the frequent lists read it: text from the database, not parsed. */
export type ContributionLine = [
  body: string,
  id: string,
  images: string,
  accepted: string | null,
  sortTime: string,
  /** The database time, on the first page of a listing. */
  readAt: string | null,
  /**
   * Only if rows are scanned for filters: whether this one matches, and whether it is the last one scanned (`t`, `f`).
   */
  hit?: string,
  edge?: string,
];

export const pageMarkers = {
  hit: ([, , , , , , hit]: ContributionLine): boolean => hit !== "f",
  edge: ([, , , , , , , edge]: ContributionLine): boolean => edge === "t",
};

const columns = "body, id, images, accepted";
/**
 * Time for which an incremental reader may have missed a write that was still committing; no write takes longer (see
 * pool.ts).
 */
const LOOKBACK = "interval '5 seconds'";
/** Maximum rows scanned per page for filters without a suitable index; more than a page can hold. */
export const MAX_SCANNED_ROWS = 10_000;

/**
 * In a listing by creation, pages are read at different times, and the caller may continue from the latest
 * `updated_at`. A row changed since the listing began therefore shows that start time: a later one would hide changes
 * to rows of earlier pages, an earlier one only returns this row again. Customers' texts can't match the pattern: their
 * quotes are escaped, and nested JSON has a space after the colon.
 */
const bodyAsOf = (began: string) =>
  `case when updated_at > ${began}::timestamptz
        then regexp_replace(body, '"updated_at":"[^"]*"', '"updated_at":' || json_time(${began}::timestamptz)) else body end as body`;

const statusConditions = { rejected: "accepted = false", pending: "accepted is null" } as const;

/**
 * The query for a page of a client's contributions, plus one row to know whether another page exists. Its cost is
 * bounded for any position and filter:
 *
 * - The row comparison on (time, id) starts in the middle of an index, so page 5,000 costs the same as page 1.
 * - An order or a customer has few rows. Their index is sorted by creation; for changes, they are read first, then
 *   sorted.
 * - Other filters without an index in this order (accepted; creation in a listing by change) scan at most `maxScanned`
 *   rows. The last one is returned too, so that the next page can start after it.
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
    readAt = "null"; // The listing's start time is known.
  } else if (filter.updated_after) {
    where.push(`updated_at >= ${value(filter.updated_after)}::timestamptz - ${LOOKBACK}`);
  }
  const order = `order by ${time}, id`;
  const rows = `${table} where ${where.join(" and ")}`;
  const limit = value(filter.limit + 1);
  let text: string;
  if (sieve.length > 0) {
    const maxParameter = value(maxScanned);
    text = `select ${shown}, ${time}, ${readAt}, hit, place = ${maxParameter} as edge from (
        select ${columns}, created_at, updated_at, (${sieve.join(" and ")}) is true as hit, row_number() over (${order}) as place
          from ${rows} ${order} limit ${maxParameter}) looked
      where hit or place = ${maxParameter} ${order} limit ${limit}`;
  } else {
    const found = isSelective && time === "updated_at" ? `(select * from ${rows} offset 0) few` : rows;
    text = `select ${shown}, ${time}, ${readAt} from ${found} ${order} limit ${limit}`;
  }
  return { name: statementName(text), text, values, rowMode: "array", types: asText };
}

export async function selectContributionPage(
  db: Db,
  ...page: Parameters<typeof pageQuery>
): Promise<ContributionLine[]> {
  const { rows } = await db.query<ContributionLine>(pageQuery(...page));
  return rows;
}

/** A contribution of a client in the same form. */
export async function selectContribution(
  db: Db,
  table: ContributionTable,
  clientId: string,
  id: string,
): Promise<ContributionLine | null> {
  const text = `select ${columns}, updated_at, now() from ${table} where client_id = $1 and id = $2`;
  const { rows } = await db.query<ContributionLine>({
    name: statementName(text),
    text,
    values: [clientId, id],
    rowMode: "array",
    types: asText,
  });
  return rows[0] ?? null;
}
