import type { Db } from "@/lib/db/pool";
import { addressOf, listPath } from "@/lib/display/address";
import type { DisplayReview, DisplayReviewList, ReviewListQuery } from "@/lib/display/schema";
import { type ShowOptions, show } from "@/lib/display/show";
import type { Asked, Shown } from "@/lib/display/versions";
import { env } from "@/lib/env";
import { decodeCursor, encodeCursor } from "@/lib/http/page";
import type { Reply } from "@/lib/http/reply";
import type { Review } from "@/lib/reviews/schema";
import { imageObjects } from "@/lib/uploads/image-objects";
import { type ListedRow, type ListPlace, selectReviews } from "./sql";

const ORDER = "display.reviews";

/**
 * A page of the accepted reviews of a product or family, newest first. Throws `not_found` for an unknown client,
 * `invalid_cursor`.
 */
export async function showReviews(
  clientId: string,
  query: ReviewListQuery,
  options: ShowOptions,
): Promise<Reply<DisplayReviewList>> {
  const { limit, after } = query;
  const place = after === undefined ? null : placeOf(after);
  const asked: Asked = { clientId, key: query.key || null, urlKey: query.url_key || null };
  const list = async (db: Db, { subject }: Shown): Promise<DisplayReviewList> => {
    const rows = await selectReviews(db, clientId, subject, place, limit + 1);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return { reviews: shown.map(toDisplayed), next_page_url: last ? nextPage(asked, limit, last) : null };
  };
  return show({ name: `reviews|${limit}|${after ?? ""}`, by: "version", make: list }, asked, options);
}

/** The cursor's moments are checked as such; of the first only the day counts. */
function placeOf(after: string): ListPlace {
  const { key } = decodeCursor(after, ORDER, ["time", "time", "text"]);
  const [day = "", createdAt = "", id = ""] = key;
  return { date: day.slice(0, 10), createdAt, id };
}

function nextPage(asked: Asked, limit: number, { date, created_at, id }: ListedRow): string {
  const key = [`${date}T00:00:00.000Z`, created_at.toISOString(), id];
  return addressOf(listPath(asked.clientId), {
    key: asked.key,
    url_key: asked.urlKey,
    limit: String(limit),
    after: encodeCursor({ order: ORDER, key, began: null }),
  });
}

/** What everybody may see of a review. The row holds the management's JSON, of which this takes what is public. */
function toDisplayed({ body, images, feedback_token }: ListedRow): DisplayReview {
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
    votes_up: review.votes_up,
    votes_down: review.votes_down,
    product: review.product,
    responses: review.responses,
    images: imageObjects(images, { signed: false }),
    properties: review.properties,
    feedback_url: `${env().PUBLIC_URL}/collect/feedback/${feedback_token}`,
  };
}
