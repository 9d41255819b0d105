import { AsyncLocalStorage } from "node:async_hooks";

const clockOffset = new AsyncLocalStorage<number>();

/** The current time, or the time set by `withNow`. The only clock that rules and jobs may read. */
export function now(): Date {
  const offset = clockOffset.getStore();
  return new Date(offset === undefined ? Date.now() : Date.now() + offset);
}

/** Runs `work` as if it started at `moment`; time advances from there. Used by tests, simulations and `--now`. */
export function withNow<T>(moment: Date, work: () => T): T {
  return clockOffset.run(moment.getTime() - Date.now(), work);
}

const formats = new Map<string, Intl.DateTimeFormat>();
/** The last computed day of each time zone, with its quarter hour: no day starts within a quarter hour. */
const cachedDays = new Map<string, { quarter: number; day: string }>();

/** The calendar day (`YYYY-MM-DD`) of a moment in a time zone such as `Europe/Stockholm`. */
export function dayIn(timeZone: string, moment: Date = now()): string {
  const quarter = Math.floor(moment.getTime() / 900_000);
  const last = cachedDays.get(timeZone);
  if (last?.quarter === quarter) return last.day;
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
    formats.set(timeZone, format); // creating a format is far slower than using it
  }
  const day = format.format(moment);
  cachedDays.set(timeZone, { quarter, day });
  return day;
}
