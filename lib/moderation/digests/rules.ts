import { addDays, type Day } from "@/lib/invitations/days";

/** A moment in the client's time zone. */
export type LocalTime = { day: Day; hour: number };

const weekday = (day: Day): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

/**
 * Returns the day whose digest is due, or null. A digest is due from its hour until the end of the day (weekly: the
 * week), so an hour without a run, or skipped by a clock change, doesn't lose it. `done` is the last day completed.
 */
export function dueDay({ every, hour }: { every: string; hour: number }, done: Day, now: LocalTime): Day | null {
  const monday = addDays(now.day, -weekday(now.day));
  if (every === "week") return now.hour >= hour && monday > done ? monday : null;
  return now.hour >= hour && now.day > done ? now.day : null;
}

/** Returns the last completed day for a new digest: the first email is sent at the next occurrence of its hour. */
export const initialLastDay = (hour: number, now: LocalTime): Day =>
  now.hour >= hour ? now.day : addDays(now.day, -1);
