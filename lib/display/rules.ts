import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import { displayedTotals, type External, type ExternalSettings } from "@/lib/catalog/summaries/rules";

/** Pure functions of the display: totals of external reviews, and what sites made for a hosted service read. */

/** Imported totals of external reviews on one site. */
export type ExternalTotal = {
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
  totals: readonly ExternalTotal[],
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

/** A store as its reviews name it. */
export type ReviewStore = { display_name: string; custom_questions: CustomQuestion[] };

/** Replies, also with the names that sites made for a hosted service read. */
export const displayedResponses = <R extends { author: string; extract: string }>(responses: readonly R[]) =>
  responses.map((response) => ({
    ...response,
    name: response.author,
    response: response.extract,
    icon: null,
    images: [],
  }));

/** The host name that a store's id is, in lower case; null if it isn't one. */
export const domainOf = (clientId: string): string | null =>
  /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i.test(clientId) ? clientId.toLowerCase() : null;

/** Answers to custom questions among a review's properties, in the questions' order. */
export function questionAnswers(questions: readonly CustomQuestion[], properties: Record<string, unknown>) {
  return questions.flatMap(({ id, name = id, type }) => {
    if (!Object.hasOwn(properties, name)) return [];
    return [{ name, type, options: [properties[name]].flat().map(String) }];
  });
}

/** The language of a code with or without a region: `sv` of `sv-SE` or `sv_SE`. */
const primaryTag = (code: string): string => (code.split(/[-_]/)[0] ?? "").toLowerCase();

/** The `lang` of reviews that are listed for a code: itself, and for a hosted service's `sv_SE` also `sv-SE` and `sv`. */
export const listedLanguages = (code: string): string[] =>
  code.includes("_") ? [code, code.replaceAll("_", "-"), primaryTag(code)] : [code];

/**
 * The `lang` of a list that shows reviews for a code, given the languages they are in: the code itself if the list isn't
 * empty. Else, unless the code has a region in our own form (`pt-BR`), the same language of another region, if any.
 */
export function linkedLanguage(code: string, languages: readonly string[]): string | undefined {
  const listed = listedLanguages(code);
  if (languages.some((one) => listed.includes(one))) return code;
  return code.includes("-") ? undefined : languages.find((one) => primaryTag(one) === primaryTag(code));
}
