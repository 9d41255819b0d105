import { addDays, type Day } from "@/lib/invitations/days";

/** A moment as the client's clock shows it. */
export type LocalTime = { day: Day; hour: number };

const weekday = (day: Day): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

/**
 * The day whose digest is due, or null. It is due from its hour on until the day (of a weekly one: the week) is over, so
 * that an hour in which nothing ran, or which the clock skipped, costs nobody the mail. `done`: the day up to which it is
 * done.
 */
export function dueDay({ every, hour }: { every: string; hour: number }, done: Day, now: LocalTime): Day | null {
  const monday = addDays(now.day, -weekday(now.day));
  if (every === "week") return now.hour >= hour && monday > done ? monday : null;
  return now.hour >= hour && now.day > done ? now.day : null;
}

/** The day up to which a digest that begins now is done: its first mail is the next whose hour has not come. */
export const initialLastDay = (hour: number, now: LocalTime): Day =>
  now.hour >= hour ? now.day : addDays(now.day, -1);
