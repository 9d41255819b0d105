import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import { answerTotals, facetCounts } from "@/lib/catalog/summaries/answer-totals";
import { statistics } from "@/lib/catalog/summaries/rules";
import { absoluteUrl, listPath } from "@/lib/display/address";
import { externalDisplay } from "@/lib/display/rules";
import type { DisplaySummary, SummaryQuery } from "@/lib/display/schema";
import { type ShowOptions, show, unknownClient } from "@/lib/display/show";
import { type CurrentDisplay, type DisplayTarget, lookUpDisplay } from "@/lib/display/versions";
import { type Db, pool } from "@/lib/platform/db/pool";
import type { Reply } from "@/lib/platform/http/reply";
import { languageOf } from "@/lib/reviews/reviews/detect-language";
import { selectSummary } from "./sql";

/** A product page's summary of a product's or family's reviews. Throws `not_found` for an unknown client. */
export function showSummary(
  clientId: string,
  query: SummaryQuery,
  options: ShowOptions,
): Promise<Reply<DisplaySummary>> {
  const target = { clientId, key: query.key || null, urlKey: query.url_key || null };
  return show(
    {
      clientId,
      name: JSON.stringify(["summary", target.key, target.urlKey]),
      lookUp: () => lookUpDisplay(target),
      // Finding the most frequent pros and cons reads many reviews: votes must not trigger it.
      versionOf: ({ figures }) => figures,
      make: (current) => loadProductSummary(pool(), target, current),
    },
    options,
  );
}

/** The response's value, from the database: one statement, so all of it is of one moment. */
export async function loadProductSummary(
  db: Db,
  target: DisplayTarget,
  { subject, family_id }: CurrentDisplay,
): Promise<DisplaySummary> {
  const found = await selectSummary(db, target.clientId, subject, target.key);
  if (!found) throw unknownClient();
  const { count, sum, c1, c2, c3, c4, c5, points, facets, question_count } = found;
  const questions = found.custom_questions as CustomQuestion[];
  const external = externalDisplay(found, found.external);
  const figures = statistics({ count, sum, dist: [c1, c2, c3, c4, c5] }, external.all);
  const name = { key: target.key, url_key: target.urlKey };
  const form = {
    client_id: target.clientId,
    key: target.key,
    url_key: family_id ?? target.urlKey,
    name: found.product_name,
    lang: languageOf(found.locale),
  };
  return {
    score: figures.score,
    pro_score_dist_all: external.pro.dist,
    user_score_dist_all: external.user.dist,
    product_pros: points.filter(({ kind }) => kind === "pro").map(({ text }) => text),
    product_cons: points.filter(({ kind }) => kind === "con").map(({ text }) => text),
    pro_review_count: external.pro.shown,
    pro_review_url: external.pro.url,
    user_review_count: external.user.shown,
    user_review_url: external.user.url,
    your_review_count: count,
    your_review_url: absoluteUrl(listPath(target.clientId, "reviews/list.json"), name),
    your_avg_score: figures.your_avg_score,
    your_score_dist: figures.your_score_dist,
    your_photo_review_count: facetCounts(facets, "photos")[0]?.count ?? 0,
    your_verified_review_count: facetCounts(facets, "verified")[0]?.count ?? 0,
    your_review_languages: facetCounts(facets, "lang").map(({ value, count }) => ({ lang: value, count })),
    your_review_answers: answerTotals(questions, facets),
    your_question_count: question_count,
    your_question_url: question_count > 0 ? absoluteUrl(listPath(target.clientId, "questions.json"), name) : null,
    write_review_url: absoluteUrl("/reviews/new", form),
    ask_question_url: found.collect_questions ? absoluteUrl("/questions/new", form) : null,
  };
}
