import { nextSendMoment, type SendHours } from "@/lib/invitations/rules";

export const DAY_MS = 86_400_000;
/** Days by which a clock can be advanced at once. */
export const MAX_DAYS = 366;

/** How far a clock is to be advanced: days, or to the next day on which something is due. */
export type Advance = number | "next";

/** Parses `1d` to `366d`, or `next`. Null for anything else. */
export function parseAdvance(text: string): Advance | null {
  if (text === "next") return "next";
  const days = /^([1-9]\d{0,2})d$/.exec(text);
  return days && Number(days[1]) <= MAX_DAYS ? Number(days[1]) : null;
}

/** The latest moment up to `moment` at which the store's emails could be sent: now, or when its hours were last over. */
export function lastSendMoment(hours: SendHours, timeZone: string, moment: Date): Date {
  const quarter = 15 * 60_000;
  const isOpen = (at: Date) => nextSendMoment(hours, timeZone, at) === at;
  if (isOpen(moment)) return moment;
  // Time zone offsets are multiples of 15 minutes.
  const last = new Date(Math.floor(moment.getTime() / quarter) * quarter - 1_000);
  while (!isOpen(last)) last.setTime(last.getTime() - quarter);
  return last;
}

/** What can be due: each is the work of one scheduled job. `overdue`: notifying moderators of items pending for too long. */
export const workKinds = ["invitations", "webhooks", "engagement", "feeds", "syncs", "overdue"] as const;
export type WorkKind = (typeof workKinds)[number];

/** In how many days each kind of work is due next (at least 1). `expiry`: a link or a cooldown ends, without any work. */
export type DueDays = Partial<Record<WorkKind | "expiry", number>>;

/** The days until anything is due, or null. */
export function daysUntilNext(due: DueDays): number | null {
  const days = Object.values(due);
  return days.length === 0 ? null : Math.min(...days);
}

/** The work that is due after so many days. */
export const dueWithin = (due: DueDays, days: number): WorkKind[] =>
  workKinds.filter((kind) => (due[kind] ?? Number.POSITIVE_INFINITY) <= days);
