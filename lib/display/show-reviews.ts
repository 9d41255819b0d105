import { absoluteUrl, listPath } from "@/lib/display/address";
import { leftToSkip, type ReviewCursor, type ReviewRow, selectReviewPage } from "@/lib/display/review-list-sql";
import { displayedResponses, domainOf, questionAnswers, type ReviewStore } from "@/lib/display/rules";
import { type DisplayReview, type DisplayReviewList, MAX_OFFSET, type ReviewListQuery } from "@/lib/display/schema";
import { type ShowOptions, show } from "@/lib/display/show";
import { type CurrentDisplay, type DisplayTarget, lookUpDisplay } from "@/lib/display/versions";
import { pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { cutPage, decodeCursor, encodeCursor } from "@/lib/platform/http/cursor";
import type { Reply } from "@/lib/platform/http/reply";
import type { Review } from "@/lib/reviews/reviews/schema";
import { imageObjects } from "@/lib/reviews/uploads/image-objects";

const orderOf = ({ sort }: ReviewListQuery) => `display.reviews.${sort}`;

/**
 * A page of the accepted reviews of a product or family, filtered and sorted as requested. Throws `not_found` for an
 * unknown client, `invalid_cursor`.
 */
export async function showReviews(
  clientId: string,
  query: ReviewListQuery,
  options: ShowOptions,
): Promise<Reply<DisplayReviewList>> {
  const place = query.after === undefined ? null : decodeReviewCursor(query, query.after);
  const target: DisplayTarget = { clientId, key: query.key || null, urlKey: query.url_key || null };
  const { callback: _, ...name } = query;
  return show(
    {
      clientId,
      name: JSON.stringify(["reviews", name]),
      lookUp: () => lookUpDisplay(target),
      versionOf: ({ version }) => version,
      make: (current) => loadPage(target, current, query, place),
    },
    options,
  );
}

async function loadPage(
  target: DisplayTarget,
  { subject }: CurrentDisplay,
  query: ReviewListQuery,
  place: ReviewCursor | null,
): Promise<DisplayReviewList> {
  const { offset = 0 } = query;
  if (offset > MAX_OFFSET) return { reviews: [], next_page_url: null };
  const rows = await selectReviewPage(pool(), target.clientId, subject, query, place);
  const store = rows[0]?.store;
  const { shown, last } = cutPage(rows, query.limit, { hit: ({ hit }) => hit, edge: ({ edge }) => edge });
  return {
    reviews: store ? shown.map((row) => toDisplayed(target.clientId, store, row)) : [],
    next_page_url: last ? nextPage(target, query, last) : null,
  };
}

/** Both of the cursor's times are validated; of the first only the day is used. */
function decodeReviewCursor(query: ReviewListQuery, after: string): ReviewCursor {
  const ranked = query.sort !== "newest";
  const { key } = decodeCursor(after, orderOf(query), [...(ranked ? ["text" as const] : []), "time", "time", "text"]);
  const rank = ranked ? (key[0] ?? "") : null;
  if (rank !== null && !/^-?\d{1,9}$/.test(rank))
    throw new AppError("invalid_cursor", { reason: "invalid_cursor", field: "after" });
  const [day = "", createdAt = "", id = ""] = ranked ? key.slice(1) : key;
  return { rank: rank === null ? null : Number(rank), date: day.slice(0, 10), createdAt, id };
}

/** Has all filters of the page, and no unknown parameters of the caller. */
function nextPage(target: DisplayTarget, query: ReviewListQuery, last: ReviewRow): string {
  const { rank, date, created_at, id } = last;
  const offset = leftToSkip(query.offset ?? 0, last);
  const key = [`${date}T00:00:00.000Z`, created_at.toISOString(), id];
  return absoluteUrl(listPath(target.clientId, "reviews/list.json"), {
    key: target.key,
    url_key: target.urlKey,
    sort: query.sort === "newest" ? null : query.sort,
    score: query.score?.join(",") ?? null,
    lang: query.lang ?? null,
    with_photos: query.with_photos ? "true" : null,
    verified: query.verified ? "true" : null,
    limit: String(query.limit),
    offset: offset > 0 ? String(offset) : null,
    after: encodeCursor({ order: orderOf(query), key: rank === null ? key : [String(rank), ...key], startedAt: null }),
  });
}

/** The public fields of a review, taken from the management API's JSON in its row. */
function toDisplayed(clientId: string, store: ReviewStore, { body, images, feedback_token }: ReviewRow): DisplayReview {
  const review = JSON.parse(`${body}}`) as Review;
  return {
    id: review.id,
    type: review.type,
    author: review.author,
    score: review.score,
    score_max: review.score_max,
    date: review.date,
    extract: review.extract,
    pros: review.pros,
    cons: review.cons,
    lang: review.lang,
    verified_buyer: review.verified_buyer,
    ...(review.incentivized ? { incentivized: true } : {}),
    votes_up: review.votes_up,
    votes_down: review.votes_down,
    product: review.product,
    responses: displayedResponses(review.responses),
    images: imageObjects(images, { signed: false }),
    properties: review.properties,
    feedback_url: `${env().PUBLIC_URL}/collect/feedback/${feedback_token}`,
    client_id: clientId,
    source: store.display_name,
    domain: domainOf(clientId),
    icon: null,
    link: null,
    question_answers: questionAnswers(store.custom_questions, review.properties),
    original: null,
  };
}
