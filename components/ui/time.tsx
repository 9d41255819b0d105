import clsx from "clsx";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, in words short enough for a list: `just now`, `12 min`, `3 h`, `2 d 4 h`, `16 d`. */
export function age(from: string | Date, now: Date): string {
  const passed = now.getTime() - new Date(from).getTime();
  if (passed < MINUTE) return "just now";
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h`;
  const days = Math.floor(passed / DAY);
  const hours = Math.floor((passed % DAY) / HOUR);
  return days < 7 && hours > 0 ? `${days} d ${hours} h` : `${days} d`;
}

/** A calendar day (`2026-03-08`) as `8 March 2026`. A day has no time zone. */
export const dayWords = (day: string): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));

/** A moment as `8 Mar 2026, 14:05`, in the given time zone. */
export const momentWords = (moment: string, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone }).format(new Date(moment));

/** How long ago something was; the exact moment is its title. */
export function Ago({ at, timeZone, className }: { at: string; timeZone: string; className?: string }) {
  return (
    // The page is drawn a moment after the server wrote it, so the words may already differ.
    <time
      dateTime={at}
      title={momentWords(at, timeZone)}
      className={clsx("figures", className)}
      suppressHydrationWarning
    >
      {age(at, new Date())}
    </time>
  );
}
