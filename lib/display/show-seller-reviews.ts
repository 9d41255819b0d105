import { average } from "@/lib/catalog/summaries/rules";
import { absoluteUrl, listPath } from "@/lib/display/address";
import { decodeDatedCursor, encodeDatedCursor } from "@/lib/display/dated-cursor";
import { displayedResponses } from "@/lib/display/rules";
import {
  type DisplaySellerReview,
  type DisplaySellerReviewList,
  MAX_OFFSET,
  type SellerReviewListQuery,
} from "@/lib/display/schema";
import { type ShowOptions, show, unknownClient } from "@/lib/display/show";
import { lookUpSellerFigures } from "@/lib/display/versions";
import { type Db, snapshot } from "@/lib/platform/db/pool";
import { cutPage } from "@/lib/platform/http/cursor";
import type { Reply } from "@/lib/platform/http/reply";
import type { SellerReview } from "@/lib/reviews/seller-reviews/schema";
import { imageObjects } from "@/lib/reviews/uploads/image-objects";
import { type SellerReviewRow, selectSellerPage } from "./dated-lists-sql";

const ORDER = "display.seller_reviews";

/**
 * A page of the accepted seller reviews, newest first, with the figures of all of them. Throws `not_found` for an
 * unknown client, `invalid_cursor`.
 */
export async function showSellerReviews(
  clientId: string,
  query: SellerReviewListQuery,
  options: ShowOptions,
): Promise<Reply<DisplaySellerReviewList>> {
  const { limit, offset, min, max } = query;
  const after = query.after === undefined ? null : decodeDatedCursor(query.after, ORDER);
  const scores = [1, 2, 3, 4, 5].filter((score) => min <= score && score <= max);
  const list = async (db: Db): Promise<DisplaySellerReviewList> => {
    const figures = await lookUpSellerFigures(clientId, db);
    if (!figures) throw unknownClient();
    const { count, sum, c1, c2, c3, c4, c5 } = figures;
    const isEmpty = scores.length === 0 || offset > MAX_OFFSET;
    const rows = isEmpty ? [] : await selectSellerPage(db, clientId, { scores, after, offset, limit: limit + 1 });
    const { shown, last } = cutPage(rows, limit);
    const next =
      last &&
      absoluteUrl(listPath(clientId, "seller_reviews.json"), {
        limit: String(limit),
        min: min === 1 ? null : String(min),
        max: max === 5 ? null : String(max),
        after: encodeDatedCursor(last, ORDER),
      });
    return {
      avg_score: average(sum, count),
      review_count: count,
      score_dist: [c1, c2, c3, c4, c5],
      seller_reviews: shown.map(toDisplayed),
      next_page_url: next ?? null,
    };
  };
  return show(
    {
      clientId,
      name: JSON.stringify(["seller", limit, offset, min, max, query.after ?? null]),
      lookUp: () => lookUpSellerFigures(clientId),
      versionOf: ({ version }) => version,
      make: () => snapshot(list),
    },
    options,
  );
}

/** The public fields, taken from the management API's JSON. */
function toDisplayed({ body, images }: SellerReviewRow): DisplaySellerReview {
  const review = JSON.parse(`${body}}`) as SellerReview;
  return {
    id: review.id,
    author: review.author,
    score: review.score,
    score_max: review.score_max,
    date: review.date,
    extract: review.extract,
    lang: review.lang,
    verified_buyer: review.verified_buyer,
    ...(review.incentivized ? { incentivized: true } : {}),
    responses: displayedResponses(review.responses),
    images: imageObjects(images, { signed: false }),
    properties: review.properties,
  };
}
