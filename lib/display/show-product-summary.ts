import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import { answerTotals, facetCounts } from "@/lib/catalog/summaries/answer-totals";
import { statistics } from "@/lib/catalog/summaries/rules";
import { absoluteUrl, listPath, withParameters } from "@/lib/display/address";
import { externalDisplay, linkedLanguage } from "@/lib/display/rules";
import { type DisplaySummary, type ExternalKind, MAX_ALTERNATIVES, type SummaryQuery } from "@/lib/display/schema";
import { type ShowOptions, show, unknownClient } from "@/lib/display/show";
import { type CurrentDisplay, type DisplayTarget, type FirstDisplay, lookUpFirst } from "@/lib/display/versions";
import { type Db, pool } from "@/lib/platform/db/pool";
import type { Reply } from "@/lib/platform/http/reply";
import { languageOf } from "@/lib/reviews/reviews/detect-language";
import { selectSummary } from "./sql";

/** A product page's summary of a product's or family's reviews. Throws `not_found` for an unknown client. */
export function showSummary(
  clientId: string,
  query: Partial<SummaryQuery>,
  options: ShowOptions,
): Promise<Reply<DisplaySummary>> {
  const targets = targetsOf(clientId, query);
  return show<FirstDisplay, DisplaySummary>(
    {
      clientId,
      name: ({ target }) => JSON.stringify(["summary", target.key, target.urlKey]),
      lookUp: () => lookUpFirst(targets),
      // Finding the most frequent pros and cons reads many reviews: votes must not trigger it.
      versionOf: ({ current }) => current.figures,
      make: ({ target, current }) => loadProductSummary(pool(), target, current),
      adapt:
        query.limit === undefined && query.lang === undefined
          ? undefined
          : (summary) => withListParameters(summary, query),
    },
    options,
  );
}

/** The products and families that a call names for one product, in the order they are tried. */
function targetsOf(clientId: string, query: Partial<SummaryQuery>): DisplayTarget[] {
  const keys = [...new Set([query.key, ...(query["keys[]"] ?? [])])].filter((key) => key !== undefined && key !== "");
  const urlKeys = [...new Set([query.url_key, ...(query["url_keys[]"] ?? [])])].filter(Boolean);
  const ofKeys = keys.map((key) => ({ clientId, key: key ?? null, urlKey: urlKeys[0] ?? null }));
  // Behind a product id, the first family is tried already.
  const ofFamilies = (keys.length > 0 ? urlKeys.slice(1) : urlKeys).map((urlKey) => ({
    clientId,
    key: null,
    urlKey: urlKey ?? null,
  }));
  return [...ofKeys, ...ofFamilies].slice(0, MAX_ALTERNATIVES);
}

/** Adds `limit` to the URLs of the lists, and `lang` to that of the reviews if any are in that language. */
function withListParameters(summary: DisplaySummary, { limit, lang }: Partial<SummaryQuery>): DisplaySummary {
  const languages = summary.your_review_languages.map((one) => one.lang);
  const withLimit = (url: string | null, more = {}) =>
    url === null ? null : withParameters(url, { limit: limit?.toString(), ...more });
  return {
    ...summary,
    your_review_url: withLimit(summary.your_review_url, { lang: lang && linkedLanguage(lang, languages) }),
    your_question_url: withLimit(summary.your_question_url),
  };
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
  const list = (file: "reviews/list.json" | "questions.json") => absoluteUrl(listPath(target.clientId, file), name);
  const externalList = (kind: ExternalKind) =>
    absoluteUrl(listPath(target.clientId, "reviews/external.json"), { ...name, kind });
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
    pro_review_url: external.pro.shown > 0 ? externalList("pro") : null,
    pro_review_page_url: external.pro.url,
    user_review_count: external.user.shown,
    user_review_url: external.user.shown > 0 ? externalList("user") : null,
    user_review_page_url: external.user.url,
    your_review_count: count,
    your_review_url: count > 0 ? list("reviews/list.json") : null,
    your_avg_score: figures.your_avg_score,
    your_score_dist: figures.your_score_dist,
    your_photo_review_count: facetCounts(facets, "photos")[0]?.count ?? 0,
    your_verified_review_count: facetCounts(facets, "verified")[0]?.count ?? 0,
    your_review_languages: facetCounts(facets, "lang").map(({ value, count }) => ({ lang: value, count })),
    your_review_answers: answerTotals(questions, facets),
    your_question_count: question_count,
    your_question_url: question_count > 0 ? list("questions.json") : null,
    write_review_url: absoluteUrl("/reviews/new", form),
    ask_question_url: found.collect_questions ? absoluteUrl("/questions/new", form) : null,
    feedback_enabled: true,
    videos: [],
  };
}
