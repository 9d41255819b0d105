import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import { average } from "@/lib/catalog/summaries/rules";
import type { AnswerTotals } from "@/lib/catalog/summaries/schema";

/** One count of what reviews have in common, as the database keeps them; an empty `value` counts the reviews. */
type Facet = { facet: string; value: string; count: number };

/** The facet that answers to a custom question are counted under. */
export const facetOf = ({ id, name }: Pick<CustomQuestion, "id" | "name">): string => `answer.${name ?? id}`;

/** The counts of one facet, in the order given. */
export const valuesOf = (facets: readonly Facet[], facet: string): readonly Facet[] =>
  facets.filter((each) => each.facet === facet);

/**
 * How a client's questions were answered, in the order they are asked; every option of a choice is listed, also one
 * nobody chose. Free texts are not added up. Null where there is nothing to add up.
 */
export function answerTotals(questions: readonly CustomQuestion[], facets: readonly Facet[]): AnswerTotals[] | null {
  const counted = questions.filter(({ type }) => type !== "text");
  if (counted.length === 0) return null;
  return counted.map((question) => {
    const name = question.name ?? question.id;
    const times = new Map(valuesOf(facets, facetOf(question)).map(({ value, count }) => [value, count]));
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
