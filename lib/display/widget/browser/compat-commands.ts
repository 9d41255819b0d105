// Reads the commands of pages made for a hosted service. What a page pushes may be anything, so nothing is trusted.

/** A command: `["load", …]`, or `["popup.load", …]` for the containers of the context `popup`. */
type CompatCommand = { context: string; name: string; value: unknown };

/** Null for what isn't a command. */
export function readCommand(given: unknown): CompatCommand | null {
  const [full, value] = (Array.isArray(given) ? given : [given]) as unknown[];
  if (typeof full !== "string") return null;
  const dot = full.lastIndexOf(".");
  return { context: full.slice(0, Math.max(dot, 0)), name: full.slice(dot + 1), value };
}

/** Commands that do something. */
export const commands = [
  "setProductId",
  "setFamilyId",
  "load",
  "reset",
  "onBadgeClick",
  "setOptions",
  "setAggregateRatingSchema",
] as const;
export type CompatCommandName = (typeof commands)[number];

/** Commands of the old service that have no effect here. */
export const commandsWithoutEffect = [
  "setApiHost",
  "setMaxWidthSmall",
  "setMaxWidthMedium",
  "setTranslationLang",
  "setAnalytics",
];

/** Limits of the display API. */
const MAX_IDS = 50;
const MAX_ID_LENGTH = 255;
/** Most characters of a URL, whose length servers limit, before the last alternative. */
const MAX_URL_LENGTH = 5500;

/** The ids in a string, a number, or an array or object of these. */
export const readIds = (given: unknown): string[] => [
  ...new Set(
    (typeof given === "object" && given !== null ? Object.values(given) : [given])
      .filter((id) => typeof id === "string" || Number.isFinite(id))
      .map((id) => `${id}`.trim())
      .filter((id) => id && id.length <= MAX_ID_LENGTH)
      .slice(0, MAX_IDS),
  ),
];

/** Adds the ids and families behind the first ones, which the URL of a summary already has, as far as they fit. */
export function addAlternatives(summaryUrl: string, ids: string[], families: string[]): string {
  const url = new URL(summaryUrl);
  for (const [name, alternatives] of [
    ["keys[]", ids.slice(1)],
    ["url_keys[]", families.slice(1)],
  ] as const)
    for (const id of alternatives) if (url.href.length <= MAX_URL_LENGTH) url.searchParams.append(name, id);
  return url.href;
}

export const sections = ["badge", "reviews", "qa", "seller", "videos", "items"] as const;
export type CompatSection = (typeof sections)[number];

/** The sections that `load` names, and names that aren't sections. Without any name, all sections. */
export function readSections(given: unknown): { known: CompatSection[]; unknown: string[] } {
  const names = (Array.isArray(given) ? given : [given ?? ""]).flatMap((name) => `${name}`.split(/[\s,]+/));
  const found = new Set(names.filter(Boolean));
  return {
    known: sections.filter((name) => found.size === 0 || found.has(name)),
    unknown: [...found].filter((name) => !(sections as readonly string[]).includes(name)),
  };
}
