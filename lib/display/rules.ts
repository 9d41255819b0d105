import { displayedTotals, type External, type ExternalSettings } from "@/lib/catalog/summaries/rules";

/** Pure functions of the display: totals of external reviews. */

type Total = {
  kind: "pro" | "user";
  locale: string;
  country: string;
  count: number;
  score_dist: number[];
  /** its contribution to a sum of scores on the 0 to 10 scale; null if no score is known */
  points: number | null;
  url: string | null;
};
type Kind = { dist: number[]; shown: number; url: string | null };

/**
 * External totals for the display: distributions and score of all known ones, counts and a URL of those that the client
 * displays (its kinds, locales and countries). `totals` are sorted by most reviews first.
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
