import { QuestionListQuery, ReviewListQuery, SellerReviewListQuery } from "@/lib/display/schema";
import { showSummary } from "@/lib/display/show-product-summary";
import { showQuestions } from "@/lib/display/show-questions";
import { showReviews } from "@/lib/display/show-reviews";
import { showSellerReviews } from "@/lib/display/show-seller-reviews";
import type { QuestionList, ReviewList, SellerList, Summary } from "@/lib/display/widget/types";
import { RawJson, type Reply } from "@/lib/platform/http/reply";

// The display API's responses for pages rendered on the server: from the same cache, equally fresh.

export type Subject = { key?: string; url_key?: string };

/** Throws `not_found` for an unknown client. */
export const loadSummary = async (clientId: string, { key, url_key }: Subject): Promise<Summary> =>
  responseValue<Summary>(await showSummary(clientId, { key, url_key }, { ifNoneMatch: null }));

/** The newest reviews. Throws `not_found` for an unknown client. */
export async function loadReviews(clientId: string, { key, url_key }: Subject, limit: number): Promise<ReviewList> {
  const query = ReviewListQuery.parse({ key, url_key, limit: String(limit) });
  return responseValue<ReviewList>(await showReviews(clientId, query, { ifNoneMatch: null }));
}

/** The newest answered questions. Throws `not_found` for an unknown client. */
export async function loadQuestions(clientId: string, { key, url_key }: Subject, limit: number): Promise<QuestionList> {
  const query = QuestionListQuery.parse({ key, url_key, limit: String(limit) });
  return responseValue<QuestionList>(await showQuestions(clientId, query, { ifNoneMatch: null }));
}

/** The store's rating. Throws `not_found` for an unknown client. */
export const loadSeller = async (clientId: string): Promise<SellerList> =>
  responseValue<SellerList>(
    await showSellerReviews(clientId, SellerReviewListQuery.parse({ limit: "1" }), { ifNoneMatch: null }),
  );

/** The value of a response to an unconditional request. */
function responseValue<T>({ body }: Reply<unknown>): T {
  if (!(body instanceof RawJson)) return body as T;
  return JSON.parse(typeof body.text === "string" ? body.text : new TextDecoder().decode(body.text)) as T;
}
