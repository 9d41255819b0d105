import { day } from "@/lib/platform/http/fields";

/**
 * A day. If day and month are ambiguous, `day` is the day-first reading and `alternative` the month-first one;
 * `impliedOrder` is the order that an unambiguous date implies.
 */
export type ParsedDay = { day: string; alternative: string | null; impliedOrder: "day_first" | "month_first" | null };

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * Parses a date: `2026-01-31` with or without a time, `31.1.2026`, `31/01/2026`, `1/31/2026`, `31 January 2026`, `Jan
 * 31, 2026`. Ignores readings after `latest`. Null if there is none.
 */
export function parseDay(given: string, latest: string): ParsedDay | null {
  const text = given.trim();
  const one = (year: string, month: string | number, date: string): ParsedDay | null => {
    const read = isoDay(year, month, date);
    return read === null ? null : { day: read, alternative: null, impliedOrder: null };
  };
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(text);
  if (iso) return one(iso[1]!, iso[2]!, iso[3]!);
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)/.exec(text);
  if (dotted) return one(dotted[3]!, dotted[2]!, dotted[1]!);
  const slashed = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?!\d)/.exec(text);
  if (slashed) {
    const [, first, second, year] = slashed as unknown as [string, string, string, string];
    const dayFirst = isoDay(year, second, first);
    const monthFirst = isoDay(year, first, second);
    if (dayFirst === null || monthFirst === null) {
      const read = dayFirst ?? monthFirst;
      return read === null
        ? null
        : { day: read, alternative: null, impliedOrder: dayFirst ? "day_first" : "month_first" };
    }
    const [read, other] = [dayFirst, monthFirst].filter((reading) => reading <= latest);
    return { day: read ?? dayFirst, alternative: other && other !== read ? other : null, impliedOrder: null };
  }
  const named =
    /^(?:[a-z]{3,9}\.?,?\s+)??(\d{1,2})(?:st|nd|rd|th)?\s+([a-z]{3,9})\.?,?\s+(\d{4})(?!\d)/i.exec(text) ??
    swapDayAndMonth(
      /^(?:[a-z]{3,9}\.?,?\s+)??([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)/i.exec(text),
    );
  if (!named) return null;
  const month = MONTHS.indexOf(named[2]!.slice(0, 3).toLowerCase()) + 1;
  return month === 0 ? null : one(named[3]!, month, named[1]!);
}

/** Swaps month and day. */
const swapDayAndMonth = (found: RegExpExecArray | null) => found && [found[0], found[2], found[1], found[3]];

function isoDay(year: string, month: string | number, date: string): string | null {
  const text = `${year}-${String(month).padStart(2, "0")}-${date.padStart(2, "0")}`;
  return day.safeParse(text).success ? text : null;
}
