import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import { average, displayedTotals, type External, type ExternalSettings } from "@/lib/catalog/summaries/rules";
import type { AnswerTotals } from "@/lib/display/schema";

/** Pure parts of the display: totals of answers and of external reviews. */

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

type Total = {
  kind: "pro" | "user";
  locale: string;
  country: string;
  count: number;
  score_dist: number[];
  /** what it adds to a sum of scores on the 0 to 10 scale; null where no score is known */
  points: number | null;
  url: string | null;
};
type Kind = { dist: number[]; shown: number; url: string | null };

/**
 * External totals as the display needs them: distributions and score of all that is known, counts and an address of what
 * the client displays (its kinds, locales and countries). `totals` come most reviews first.
 */
export function externalDisplay(
  settings: ExternalSettings,
  totals: readonly Total[],
): { pro: Kind; user: Kind; all: External } {
  const displayed = displayedTotals(settings);
  const isListed = (list: string[], value: string) => list.length === 0 || list.includes(value);
  const of = (kind: "pro" | "user"): Kind => {
    const rows = totals.filter((total) => total.kind === kind);
    const shown = rows.filter(
      ({ locale, country }) =>
        displayed[kind] && isListed(displayed.locales, locale) && isListed(displayed.countries, country),
    );
    return {
      dist: [0, 1, 2, 3, 4].map((step) => total(rows, ({ score_dist }) => score_dist[step] ?? 0)),
      shown: total(shown, ({ count }) => count),
      url: shown.find(({ url, count }) => url !== null && count > 0)?.url ?? null,
    };
  };
  const pro = of("pro");
  const user = of("user");
  const all: External = {
    proShown: pro.shown,
    userShown: user.shown,
    count: total(totals, ({ count }) => count),
    weight: total(totals, ({ count, points }) => (points === null ? 0 : count)),
    points: total(totals, ({ points }) => points ?? 0),
  };
  return { pro, user, all };
}

const total = <T>(rows: readonly T[], of: (row: T) => number): number => rows.reduce((sum, row) => sum + of(row), 0);
