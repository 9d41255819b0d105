import { listedLanguages, type ReviewStore } from "@/lib/display/rules";
import type { ReviewListQuery, ReviewSort } from "@/lib/display/schema";
import type { Subject } from "@/lib/display/versions";
import type { Db } from "@/lib/platform/db/pool";
import type { StoredImage } from "@/lib/reviews/uploads/schema";
import { columnOf, select } from "./sql";

/** Which reviews a page lists, and how many. */
type ReviewPageFilter = Pick<
  ReviewListQuery,
  "sort" | "score" | "lang" | "with_photos" | "verified" | "limit" | "offset"
>;

/** Where a page starts: after this review. `rank` is its primary sort key; null for the newest first. */
export type ReviewCursor = { rank: number | null; date: string; createdAt: string; id: string };

export type ReviewRow = {
  id: string;
  body: string;
  images: StoredImage[];
  feedback_token: string;
  rank: number | null;
  date: string;
  created_at: Date;
  /** false only for the last scanned review, which then isn't part of the page */
  hit: boolean;
  /** the last scanned review, if others may follow */
  edge: boolean;
  /** matching reviews scanned up to this one; null unless the page skips some */
  matched: number | null;
  /** the store, with the first row only */
  store: ReviewStore | null;
};

/**
 * How many of `offset` matching reviews are left to skip after a page's last row: more than none only if the page's scan
 * ended first.
 */
export const leftToSkip = (offset: number, { matched }: Pick<ReviewRow, "matched">): number =>
  matched === null ? 0 : Math.max(0, offset - matched);

/** Most reviews scanned for one page by filters without an index: more than a page can hold. */
const MAX_SCANNED = 5_000;

const NEWEST = "date desc, created_at desc, id desc";
const ranks: Record<ReviewSort, string> = {
  newest: "null::int",
  highest: "score::int",
  lowest: "score::int",
  most_helpful: "votes_up - votes_down",
};
const orders: Record<ReviewSort, string> = {
  newest: NEWEST,
  highest: `rank desc, ${NEWEST}`,
  lowest: `rank, ${NEWEST}`,
  most_helpful: `rank desc, ${NEWEST}`,
};

/**
 * A page of the accepted reviews of a product or family, plus one more. Its cost is bounded, whatever precedes it and
 * however much is filtered out:
 *
 * - The row comparison starts in the middle of the index for the requested order.
 * - By score, and with selected scores, the reviews of each score are read newest first and merged: of each no more
 * than the page can need.
 * - Skipped reviews, at most `MAX_OFFSET`, are only counted, in the same order; by score, of each score.
 * - Language, verified buyers, and photos in other orders than the newest first have no index: the page scans at most
 * `maxScanned` reviews and also returns the last one scanned, so that the next page can start after it.
 *
 * Rows are found by their keys, and only those of the page are read in full.
 */
export function selectReviewPage(
  db: Db,
  clientId: string,
  subject: Subject,
  filter: ReviewPageFilter,
  after: ReviewCursor | null,
  maxScanned = MAX_SCANNED,
): Promise<ReviewRow[]> {
  const { sort, limit, offset = 0 } = filter;
  const values: unknown[] = [clientId, subject.id];
  const value = (given: unknown) => `$${values.push(given)}`;
  const filters: string[] = [];
  const where = [`client_id = $1 and ${columnOf(subject)} = $2 and accepted`];
  if (filter.lang !== undefined) filters.push(`lang = any(${value(listedLanguages(filter.lang))}::text[])`);
  if (filter.verified) filters.push("verified_buyer");
  const byScore = sort === "highest" || sort === "lowest" || (filter.score !== undefined && sort === "newest");
  if (filter.with_photos) (sort === "newest" && !byScore ? where : filters).push("images <> '[]'");
  if (filter.score && sort === "most_helpful") filters.push(`score = any(${value(filter.score)}::int[])`);
  const most = offset + limit + 1;
  const limitParam = value(filters.length > 0 ? Math.max(maxScanned, most) : most);
  const newest = after && `(${value(after.date)}::date, ${value(after.createdAt)}::timestamptz, ${value(after.id)})`;
  const keys = `id, date, created_at, ${ranks[sort]} as rank, ${filters.length > 0 ? `(${filters.join(" and ")}) is true` : "true"} as hit`;
  const rows = (more: string[], order: string) =>
    `(select ${keys} from reviews where ${[...where, ...more].join(" and ")} order by ${order} limit ${limitParam})`;

  let found: string;
  if (byScore) {
    const scores = filter.score ?? [1, 2, 3, 4, 5];
    const rank = sort === "newest" ? null : (after?.rank ?? null);
    // One statement for each remaining score, without those already passed.
    const remaining = scores.filter((score) => rank === null || (sort === "highest" ? score <= rank : score >= rank));
    const within = (score: number) =>
      newest && (rank === null || score === rank) ? [`(date, created_at, id) < ${newest}`] : [];
    found = remaining.map((score) => rows([`score = ${score}`, ...within(score)], NEWEST)).join(" union all ");
    if (remaining.length === 0) return Promise.resolve([]);
  } else if (sort === "most_helpful") {
    const place =
      after && `(votes_up - votes_down, date, created_at, id) < (${value(after.rank)}::int, ${newest?.slice(1, -1)})`;
    found = rows(place ? [place] : [], `votes_up - votes_down desc, ${NEWEST}`);
  } else {
    found = rows(newest ? [`(date, created_at, id) < ${newest}`] : [], NEWEST);
  }
  const edge = filters.length > 0 ? `place = ${limitParam}` : "false";
  const looked = `select *, ${edge} as edge
                from (select *, row_number() over (order by ${orders[sort]}) as place from (${found}) found) placed
               where place <= ${limitParam}`;
  const skipped = `select id, rank, place, edge, matched, hit and matched > ${offset > 0 ? value(offset) : 0} as hit from (
              select *, (count(*) filter (where hit) over (order by place))::int as matched from (${looked}) looked) counted`;
  return select<ReviewRow>(
    db,
    `select r.id, r.body, r.images, r.feedback_token, page.rank, r.date, r.created_at, page.hit, page.edge, page.matched,
            case when row_number() over (order by page.place) = 1 then
              (select json_build_object('display_name', display_name, 'custom_questions', custom_questions)
                 from clients where id = $1) end as store
       from (select * from (${offset > 0 ? skipped : `select *, null::int as matched from (${looked}) looked`}) looked
             where hit or edge order by place limit ${value(limit + 1)}) page
       join lateral (select * from reviews r where r.client_id = $1 and r.id = page.id offset 0) r on true
      order by page.place`,
    values,
  );
}
