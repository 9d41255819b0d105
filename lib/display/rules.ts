import type { CustomQuestion } from "@/lib/clients/settings";
import type { AnswerTotals } from "@/lib/display/schema";
import { average, type External } from "@/lib/summaries/rules";

/** Pure parts of the display: totals of answers and of external reviews. */

type Given = { name: string; value: string; values: number; reviews: number };

/**
 * How a client's questions were answered, in the order they are asked; every option of a choice is listed, also one
 * nobody chose. Free texts are not added up. Null where there is nothing to add up.
 */
export function answerTotals(questions: readonly CustomQuestion[], given: readonly Given[]): AnswerTotals[] | null {
  const counted = questions.filter(({ type }) => type !== "text");
  if (counted.length === 0) return null;
  return counted.map((question) => {
    const name = question.name ?? question.id;
    const answers = given.filter((answer) => answer.name === name);
    const count = answers[0]?.reviews ?? 0;
    if (question.type === "score") {
      const sum = answers.reduce((total, { value, values }) => total + Number(value) * values, 0);
      return { name, type: "score", count, avg_score: average(sum, count) };
    }
    const times = new Map(answers.map(({ value, values }) => [value, values]));
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
  url: string | null;
};
type ExternalSettings = {
  external_pro_reviews: boolean;
  external_user_reviews: boolean;
  external_review_locale: string;
  external_review_countries: string | null;
};
type Kind = { dist: number[]; shown: number; url: string | null };

/**
 * External totals as the display needs them: distributions and score of all that is known, counts and an address of what
 * the client displays (its kinds, locales and countries; an empty list means all). `totals` come most reviews first.
 */
export function externalDisplay(
  settings: ExternalSettings,
  totals: readonly Total[],
): { pro: Kind; user: Kind; all: External } {
  const locales = listed(settings.external_review_locale);
  const countries = listed(settings.external_review_countries);
  const of = (kind: "pro" | "user", switchedOn: boolean): Kind & { count: number } => {
    const rows = totals.filter((total) => total.kind === kind);
    const shown = rows.filter(
      ({ locale, country }) =>
        switchedOn &&
        (locales.length === 0 || locales.includes(locale)) &&
        (countries.length === 0 || countries.includes(country)),
    );
    return {
      dist: [0, 1, 2, 3, 4].map((step) => rows.reduce((sum, { score_dist }) => sum + (score_dist[step] ?? 0), 0)),
      shown: shown.reduce((sum, { count }) => sum + count, 0),
      url: shown.find(({ url }) => url !== null)?.url ?? null,
      count: rows.reduce((sum, { count }) => sum + count, 0),
    };
  };
  const pro = of("pro", settings.external_pro_reviews);
  const user = of("user", settings.external_user_reviews);
  // Each step of a distribution covers two points of the 0 to 10 scale and counts as its middle.
  const sum = [...pro.dist.entries(), ...user.dist.entries()].reduce(
    (total, [step, n]) => total + n * (2 * step + 1),
    0,
  );
  return { pro, user, all: { proShown: pro.shown, userShown: user.shown, count: pro.count + user.count, sum } };
}

const listed = (value: string | null): string[] =>
  (value ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
