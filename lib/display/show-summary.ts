import { readClient } from "@/lib/clients/get-client";
import type { CustomQuestion } from "@/lib/clients/settings";
import type { Db } from "@/lib/db/pool";
import { addressOf, listPath } from "@/lib/display/address";
import { answerTotals, externalDisplay } from "@/lib/display/rules";
import type { DisplaySummary, SummaryQuery } from "@/lib/display/schema";
import { type ShowOptions, show, unknownClient } from "@/lib/display/show";
import type { Asked, Shown } from "@/lib/display/versions";
import type { Reply } from "@/lib/http/reply";
import { languageOf } from "@/lib/reviews/detect-language";
import { statistics } from "@/lib/summaries/rules";
import { selectAnswers, selectCounts, selectExternal, selectPoints, selectProductName } from "./sql";

/** What a product page shows of a product's or family's reviews. Throws `not_found` for an unknown client. */
export function showSummary(
  clientId: string,
  query: SummaryQuery,
  options: ShowOptions,
): Promise<Reply<DisplaySummary>> {
  const asked = { clientId, key: query.key || null, urlKey: query.url_key || null };
  // Adding up answers reads every review there is: a vote must not be what it is done for.
  return show({ name: "summary", by: "figures", make: (db, shown) => summarize(db, asked, shown) }, asked, options);
}

/** The answer's value, from the database. */
export async function summarize(db: Db, asked: Asked, { subject, family_id }: Shown): Promise<DisplaySummary> {
  const client = await readClient(db, asked.clientId);
  if (!client) throw unknownClient();
  const questions = client.custom_questions as CustomQuestion[];
  const counts = await selectCounts(db, client.id, subject);
  const points = counts?.count ? await selectPoints(db, client.id, subject) : [];
  const answers = counts?.count && questions.length > 0 ? await selectAnswers(db, client.id, subject) : [];
  const external = externalDisplay(client, await selectExternal(db, client.id, subject));
  const { count, sum, c1, c2, c3, c4, c5 } = counts ?? { count: 0, sum: 0, c1: 0, c2: 0, c3: 0, c4: 0, c5: 0 };
  const figures = statistics({ count, sum, dist: [c1, c2, c3, c4, c5] }, external.all);
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
    your_review_url: addressOf(listPath(client.id), {
      key: asked.key,
      url_key: asked.urlKey,
    }),
    your_avg_score: figures.your_avg_score,
    your_score_dist: figures.your_score_dist,
    your_review_answers: answerTotals(questions, answers),
    // Questions are not collected yet.
    your_question_count: 0,
    your_question_url: null,
    write_review_url: addressOf("/reviews/new", {
      client_id: client.id,
      key: asked.key,
      url_key: family_id ?? asked.urlKey,
      name: asked.key && (await selectProductName(db, client.id, asked.key)),
      lang: languageOf(client.locale),
    }),
  };
}
