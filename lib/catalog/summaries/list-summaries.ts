import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import { answerTotals, facetOf } from "@/lib/catalog/summaries/answer-totals";
import { externalTotals } from "@/lib/catalog/summaries/external-totals";
import { noExternal, statistics } from "@/lib/catalog/summaries/rules";
import type { FamilySummary, ProductSummary, SummaryFilter } from "@/lib/catalog/summaries/schema";
import { pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { cutPage, decodeCursor, nextLink } from "@/lib/platform/http/cursor";
import { type CountRow, selectAnswerFacets, selectFamilyPage, selectProductPage } from "./sql";

type SummaryPage = { data: (ProductSummary | FamilySummary)[]; links: { next?: string } };

const counts = (row: CountRow) =>
  ({ count: row.count, sum: row.sum, dist: [row.c1, row.c2, row.c3, row.c4, row.c5] }) as const;

/** A page of summaries by product id or, with `by_family`, by family id. Throws `invalid_cursor`. */
export async function listSummaries(client: ClientRow, filter: SummaryFilter, url: URL): Promise<SummaryPage> {
  const order = filter.by_family ? "summaries.family" : "summaries.product";
  const cursor = filter.after === undefined ? null : decodeCursor(filter.after, order, ["text"]);
  const select = filter.by_family ? selectFamilyPage : selectProductPage;
  const rows = await select(pool(), client.id, cursor?.key[0] ?? "", filter.limit + 1);
  const { shown, last } = cutPage(rows, filter.limit, { hit: ({ listed }) => listed, edge: ({ edge }) => edge });
  const ids = shown.map((row) => row.id);
  const questions = filter.by_family ? [] : (client.custom_questions as CustomQuestion[]);
  const [external, answers] = await Promise.all([
    externalTotals(pool(), client, ids, filter.by_family ? "family" : "product"),
    selectAnswers(client.id, ids, questions),
  ]);
  return {
    data: shown.map((row) => {
      const others = external.get(row.id) ?? noExternal;
      const figures = statistics(counts(row), others);
      if (!filter.by_family) {
        const { id, family_id, title, brand } = row;
        return { id, family_id, title, brand, ...figures, your_review_answers: answerTotals(questions, answers(id)) };
      }
      return row.count + others.count === 0 ? { family_id: row.id } : { family_id: row.id, ...figures };
    }),
    links: last ? { next: nextLink(env().PUBLIC_URL, url, { order, key: [last.id], startedAt: null }) } : {},
  };
}

/** Totals of custom answers in reviews of these products. Runs no query if no question is totaled. */
async function selectAnswers(clientId: string, ids: string[], questions: CustomQuestion[]) {
  const facets = questions.filter(({ type }) => type !== "text").map(facetOf);
  const rows = facets.length === 0 ? [] : await selectAnswerFacets(pool(), clientId, ids, facets);
  const byProduct = Map.groupBy(rows, ({ subject_id }) => subject_id);
  return (id: string) => byProduct.get(id) ?? [];
}
