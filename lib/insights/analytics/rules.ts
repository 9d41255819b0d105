import type { Comparison, Period } from "@/lib/insights/analytics/schema";
import { addDays, type Day } from "@/lib/invitations/days";

/** The first and the last day of a period. */
export type DayRange = { from: Day; to: Day };

/** What a chart shows in one column. */
export type Unit = "day" | "week" | "month" | "year";

const dayOf = (year: number, month: number, day: number): Day =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);

const daysBetween = ({ from, to }: DayRange): number => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;

/** No store has older reviews. */
const FIRST_DAY = "1990-01-01";

const clamp = (day: Day, first: Day, last: Day): Day => (day < first ? first : day > last ? last : day);

/**
 * The days that a query asks for. Of a custom period, one end may be missing, and they may be in either order; without
 * both it is the default. No review has a later date than tomorrow.
 */
export function rangeOf({ period, from, to }: { period: Period; from?: Day; to?: Day }, today: Day): DayRange {
  if (period !== "custom") return daysOf(period, today);
  if (from === undefined && to === undefined) return daysOf("12m", today);
  const end = to ?? today;
  const start = from ?? monthsBefore(end, 12);
  const [first = start, last = end] = [start, end].map((day) => clamp(day, FIRST_DAY, addDays(today, 1))).sort();
  return { from: first, to: last };
}

function daysOf(period: Exclude<Period, "custom">, today: Day): DayRange {
  const [year = 0, number = 1] = today.split("-").map(Number);
  const month = number - 1;
  const quarter = month - (month % 3);
  const since = (from: Day): DayRange => ({ from, to: today });
  switch (period) {
    case "7d":
      return since(addDays(today, -6));
    case "30d":
      return since(addDays(today, -29));
    case "90d":
      return since(addDays(today, -89));
    case "month":
      return since(dayOf(year, month, 1));
    case "last_month":
      return { from: dayOf(year, month - 1, 1), to: dayOf(year, month, 0) };
    case "quarter":
      return since(dayOf(year, quarter, 1));
    case "last_quarter":
      return { from: dayOf(year, quarter - 3, 1), to: dayOf(year, quarter, 0) };
    case "year":
      return since(dayOf(year, 0, 1));
    case "12m":
      return since(dayOf(year, month - 11, 1));
    case "24m":
      return since(dayOf(year, month - 23, 1));
  }
}

/** Months that a calendar period is moved by to be compared with the one before. */
const monthsOf: Partial<Record<Period, number>> = {
  month: 1,
  last_month: 1,
  quarter: 3,
  last_quarter: 3,
  year: 12,
  "12m": 12,
  "24m": 24,
};

function lastDayOfMonth(day: Day): Day {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return dayOf(year, month, 0);
}

/** The same day some months earlier, or the last of a shorter month. */
function monthsBefore(day: Day, months: number): Day {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const last = Number(dayOf(year, month - months, 0).slice(8));
  return dayOf(year, month - 1 - months, Math.min(date, last));
}

/**
 * The days that a period is compared with: as many days before it, or the same days a year before. A calendar period is
 * compared with the previous one, up to the same point, or whole if it is over.
 */
export function comparedDays(
  range: DayRange,
  { compare, period }: { compare: Comparison; period: Period },
): DayRange | null {
  if (compare === "none") return null;
  const months = compare === "year" ? 12 : monthsOf[period];
  if (months === undefined) return { from: addDays(range.from, -daysBetween(range)), to: addDays(range.from, -1) };
  const to = monthsBefore(range.to, months);
  const isWhole = period === "last_month" || period === "last_quarter";
  return { from: monthsBefore(range.from, months), to: isWhole ? lastDayOfMonth(to) : to };
}

/** What a period is divided into: at most about sixty columns, unless it is longer than that many years. */
export function unitOf(range: DayRange): Unit {
  const days = daysBetween(range);
  if (days <= 62) return "day";
  if (days <= 190) return "week";
  return days <= 366 * 5 ? "month" : "year";
}

/** The first day of the unit that a day is in. Weeks start on Mondays. */
function startOf(day: Day, unit: Unit): Day {
  if (unit === "day") return day;
  if (unit === "week") return addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
  return unit === "month" ? `${day.slice(0, 7)}-01` : `${day.slice(0, 4)}-01-01`;
}

function nextStart(start: Day, unit: Unit): Day {
  const [year = 0, month = 1] = start.split("-").map(Number);
  if (unit === "day") return addDays(start, 1);
  if (unit === "week") return addDays(start, 7);
  return unit === "month" ? dayOf(year, month, 1) : dayOf(year + 1, 0, 1);
}

/** The first days of all units of a period, in order. The first unit may start before the period. */
export function unitStarts(range: DayRange, unit: Unit): Day[] {
  const starts: Day[] = [];
  for (let start = startOf(range.from, unit); start <= range.to; start = nextStart(start, unit)) starts.push(start);
  return starts;
}

/** The days of a unit that lie in a period. */
export const daysOfUnit = (start: Day, unit: Unit, { from, to }: DayRange): DayRange => {
  const last = addDays(nextStart(start, unit), -1);
  return { from: start < from ? from : start, to: last > to ? to : last };
};
