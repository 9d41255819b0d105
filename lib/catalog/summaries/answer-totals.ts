import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import { average } from "@/lib/catalog/summaries/rules";
import type { AnswerTotals } from "@/lib/catalog/summaries/schema";

/** A stored count of reviews with this value; an empty `value` counts all reviews. */
type Facet = { facet: string; value: string; count: number };

/** The facet that counts answers to a custom question. */
export const facetOf = ({ id, name }: Pick<CustomQuestion, "id" | "name">): string => `answer.${name ?? id}`;

/** The counts of one facet, in the given order. */
export const facetCounts = (facets: readonly Facet[], facet: string): readonly Facet[] =>
  facets.filter((each) => each.facet === facet);

/**
 * Totals of the answers to a client's questions, in the questions' order. Choices include options nobody selected; free
 * text isn't totaled. Null if there is nothing to total.
 */
export function answerTotals(questions: readonly CustomQuestion[], facets: readonly Facet[]): AnswerTotals[] | null {
  const counted = questions.filter(({ type }) => type !== "text");
  if (counted.length === 0) return null;
  return counted.map((question) => {
    const name = question.name ?? question.id;
    const times = new Map(facetCounts(facets, facetOf(question)).map(({ value, count }) => [value, count]));
    const count = times.get("") ?? 0;
    if (question.type === "score") {
      const scores = [1, 2, 3, 4, 5].map((score) => ({ score, times: times.get(String(score)) ?? 0 }));
      const sum = total(scores, ({ score, times }) => score * times);
      const answered = total(scores, ({ times }) => times);
      return { name, type: "score", count, avg_score: average(sum, answered) };
    }
    const options = question.options.map(({ id }) => ({ value: id, count: times.get(id) ?? 0 }));
    return { name, type: "select", count, options };
  });
}

const total = <T>(rows: readonly T[], of: (row: T) => number): number => rows.reduce((sum, row) => sum + of(row), 0);
