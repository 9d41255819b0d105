import { readClient } from "@/lib/clients/get-client";
import type { CustomQuestion } from "@/lib/clients/settings";
import type { Db } from "@/lib/db/pool";
import { addressOf, listPath } from "@/lib/display/address";
import { answerTotals, externalDisplay, facetOf, valuesOf } from "@/lib/display/rules";
import type { DisplaySummary, SummaryQuery } from "@/lib/display/schema";
import { type ShowOptions, show, unknownClient } from "@/lib/display/show";
import { type Asked, lookUp, type Shown } from "@/lib/display/versions";
import type { Reply } from "@/lib/http/reply";
import { languageOf } from "@/lib/reviews/detect-language";
import { statistics } from "@/lib/summaries/rules";
import { selectCounts, selectExternal, selectFacets, selectPoints, selectProductName } from "./sql";

/** What a product page shows of a product's or family's reviews. Throws `not_found` for an unknown client. */
export function showSummary(
  clientId: string,
  query: SummaryQuery,
  options: ShowOptions,
): Promise<Reply<DisplaySummary>> {
  const asked = { clientId, key: query.key || null, urlKey: query.url_key || null };
  return show(
    {
      clientId,
      name: JSON.stringify(["summary", asked.key, asked.urlKey]),
      lookUp: (db) => lookUp(asked, db),
      // Finding what reviews name most reads many of them: a vote must not be what it is done for.
      versionOf: ({ figures }) => figures,
      make: (db, shown) => summarize(db, asked, shown),
    },
    options,
  );
}

/** The answer's value, from the database. */
export async function summarize(db: Db, asked: Asked, shown: Shown): Promise<DisplaySummary> {
  const { subject, family_id } = shown;
  const client = await readClient(db, asked.clientId);
  if (!client) throw unknownClient();
  const questions = client.custom_questions as CustomQuestion[];
  const counts = await selectCounts(db, client.id, subject);
  const points = counts?.count ? await selectPoints(db, client.id, subject) : [];
  const wanted = ["lang", "photos", "verified", ...questions.filter(({ type }) => type !== "text").map(facetOf)];
  const facets = counts?.count ? await selectFacets(db, client.id, subject, wanted) : [];
  const external = externalDisplay(client, await selectExternal(db, client.id, subject));
  const { count, sum, c1, c2, c3, c4, c5 } = counts ?? { count: 0, sum: 0, c1: 0, c2: 0, c3: 0, c4: 0, c5: 0 };
  const figures = statistics({ count, sum, dist: [c1, c2, c3, c4, c5] }, external.all);
  const answered = shown[subject.kind]?.question_count ?? 0;
  const name = { key: asked.key, url_key: asked.urlKey };
  const form = {
    client_id: client.id,
    key: asked.key,
    url_key: family_id ?? asked.urlKey,
    name: asked.key && (await selectProductName(db, client.id, asked.key)),
    lang: languageOf(client.locale),
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
    your_review_url: addressOf(listPath(client.id, "reviews/list.json"), name),
    your_avg_score: figures.your_avg_score,
    your_score_dist: figures.your_score_dist,
    your_photo_review_count: valuesOf(facets, "photos")[0]?.count ?? 0,
    your_verified_review_count: valuesOf(facets, "verified")[0]?.count ?? 0,
    your_review_languages: valuesOf(facets, "lang").map(({ value, count }) => ({ lang: value, count })),
    your_review_answers: answerTotals(questions, facets),
    your_question_count: answered,
    your_question_url: answered > 0 ? addressOf(listPath(client.id, "questions.json"), name) : null,
    write_review_url: addressOf("/reviews/new", form),
    ask_question_url: client.collect_questions ? addressOf("/questions/new", form) : null,
  };
}
