import clsx from "clsx";
import { useTranslations } from "#messages";
import { formatMoment } from "@/lib/platform/i18n/format";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ENGLISH = { day: "d", hour: "h", minute: "min", now: "just now" };

const counted = (count: number, unit: "day" | "hour" | "minute", locale: string): string =>
  new Intl.NumberFormat(locale, {
    style: "unit",
    unit,
    unitDisplay: unit === "day" ? "narrow" : "short",
  }).format(count);

/** How long ago, in words short enough for a list: `just now`, `12 min`, `3 h`, `2 d 4 h`, `16 d`. */
export function age(from: string | Date, now: Date, locale = "en-GB"): string {
  const isEnglish = locale.startsWith("en");
  // English has no unit as short as lists want them and as clear as "2 d 4 h".
  const of = (count: number, unit: "day" | "hour" | "minute") =>
    isEnglish ? `${count} ${ENGLISH[unit]}` : counted(count, unit, locale);
  const passed = now.getTime() - new Date(from).getTime();
  if (passed < MINUTE)
    return isEnglish
      ? ENGLISH.now
      : new Intl.RelativeTimeFormat(locale, {
          numeric: "auto",
          style: "narrow",
        }).format(0, "second");
  if (passed < HOUR) return of(Math.floor(passed / MINUTE), "minute");
  if (passed < DAY) return of(Math.floor(passed / HOUR), "hour");
  const days = Math.floor(passed / DAY);
  const hours = Math.floor((passed % DAY) / HOUR);
  return days < 7 && hours > 0 ? `${of(days, "day")} ${of(hours, "hour")}` : of(days, "day");
}

type AgoProps = { at: string; timeZone: string; className?: string; within?: boolean };

/**
 * How long ago something was; the exact moment is its title. `within` a sentence (“waits for …”, “… ago”) what has just
 * happened is a span of time, too.
 */
export function Ago({ at, timeZone, className, within }: AgoProps) {
  const t = useTranslations();
  const { locale } = t;
  const now = new Date();
  return (
    // The page is drawn a moment after the server wrote it, so the words may already differ.
    <time
      dateTime={at}
      title={formatMoment(at, timeZone, locale)}
      className={clsx("figures whitespace-nowrap", className)}
      suppressHydrationWarning
    >
      {within && now.getTime() - Date.parse(at) < MINUTE ? t("common.underAMinute") : age(at, now, locale)}
    </time>
  );
}
