import clsx from "clsx";
import { useTranslations } from "#messages";
import { formatMoment } from "@/lib/platform/i18n/format";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A time span, `within` a sentence or short enough for a list: `just now`, `12 min`, `3 hr`, `2 days, 4 hr`, `16 days`. */
export function age(
  from: string | Date,
  now: Date,
  t: ReturnType<typeof useTranslations>,
  { within = false }: { within?: boolean } = {},
): string {
  const passed = now.getTime() - new Date(from).getTime();
  if (passed < MINUTE) return t(within ? "common.underAMinute" : "common.justNow");
  if (passed < HOUR) return t("common.ageMinutes", { n: Math.floor(passed / MINUTE) });
  if (passed < DAY) return t("common.ageHours", { n: Math.floor(passed / HOUR) });
  const days = Math.floor(passed / DAY);
  const hours = Math.floor((passed % DAY) / HOUR);
  // After a preposition, some languages need another case.
  return days < 7 && hours > 0
    ? t(within ? "common.ageDaysHoursWithin" : "common.ageDaysHours", { n: days, hours })
    : t(within ? "common.ageDaysWithin" : "common.ageDays", { n: days });
}

type AgoProps = { at: string; timeZone: string; className?: string; within?: boolean };

/**
 * How long ago something was; the exact time is in its title. `within` a sentence (“pending for …”, “… ago”), very
 * recent times are shown as a time span.
 */
export function Ago({ at, timeZone, className, within }: AgoProps) {
  const t = useTranslations();
  const now = new Date();
  return (
    // The browser renders a moment after the server, so the text may differ.
    <time
      dateTime={at}
      title={formatMoment(at, timeZone, t.language)}
      className={clsx("figures whitespace-nowrap", className)}
      suppressHydrationWarning
    >
      {age(at, now, t, { within })}
    </time>
  );
}
