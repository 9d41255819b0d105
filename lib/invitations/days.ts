/** A calendar day, `YYYY-MM-DD`; days compare as text. Browser-safe. */
export type Day = string;

/** The last day. Sums are capped here, since later days wouldn't compare as text. */
export const LAST_DAY = "9999-12-31";

const DAY_MS = 86_400_000;

/** The day `count` days after `day` (before, if negative). */
export function addDays(day: Day, count: number): Day {
  const text = new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString();
  return text.startsWith("+") ? LAST_DAY : text.slice(0, 10);
}
