import { AsyncLocalStorage } from "node:async_hooks";

const clockOffset = new AsyncLocalStorage<number>();

/** The present moment, or the moment that `withNow` set. The only clock that rules and jobs may read. */
export function now(): Date {
  const offset = clockOffset.getStore();
  return new Date(offset === undefined ? Date.now() : Date.now() + offset);
}

/** Runs `work` as if it began at `moment`; time goes on from there. Tests, rehearsals and `--now` use it. */
export function withNow<T>(moment: Date, work: () => T): T {
  return clockOffset.run(moment.getTime() - Date.now(), work);
}

const formats = new Map<string, Intl.DateTimeFormat>();
/** The day last told of each time zone, and the quarter of an hour it was told for: no zone's day begins within one. */
const cachedDays = new Map<string, { quarter: number; day: string }>();

/** The calendar day (`YYYY-MM-DD`) of a moment in a time zone such as `Europe/Stockholm`. */
export function dayIn(timeZone: string, moment: Date = now()): string {
  const quarter = Math.floor(moment.getTime() / 900_000);
  const last = cachedDays.get(timeZone);
  if (last?.quarter === quarter) return last.day;
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
    formats.set(timeZone, format); // making one costs far more than using it
  }
  const day = format.format(moment);
  cachedDays.set(timeZone, { quarter, day });
  return day;
}
