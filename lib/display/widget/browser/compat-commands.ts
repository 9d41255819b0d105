// Reads the commands of pages made for a hosted service. What a page pushes may be anything, so nothing is trusted.

/** A command: `["load", …]`, or `["popup.load", …]` for the places of the context `popup`. */
type CompatCommand = { context: string; name: string; value: unknown };

/** Null for what isn't a command. */
export function readCommand(given: unknown): CompatCommand | null {
  const [full, value] = (Array.isArray(given) ? given : [given]) as unknown[];
  if (typeof full !== "string") return null;
  const dot = full.lastIndexOf(".");
  return { context: full.slice(0, Math.max(dot, 0)), name: full.slice(dot + 1), value };
}

/** Limits of the display API. */
const MAX_IDS = 50;
const MAX_ID_LENGTH = 255;

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
