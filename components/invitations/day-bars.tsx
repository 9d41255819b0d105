import clsx from "clsx";
import { useWords } from "#words";
import { ChartMarks } from "@/components/ui/chart-marks";
import { dayWords } from "@/components/ui/time";

/** One day's numbers, in the order of the series. */
export type DayValues = { day: string; values: number[] };

type Props = {
  /** what is shown, for those who do not see it */
  label: string;
  /** the first stands in front: its bar is narrow where it is lower, so that both can be seen */
  series: { name: string; tone: "accent" | "muted" | "good" }[];
  days: DayValues[];
};

const tones = { accent: "bg-accent", good: "bg-good", muted: "bg-edge/45" } as const;
/** Wider than that, days are drawn as weeks. */
const MOST_BARS = 92;

/** Numbers day by day as bars; of a long time week by week. */
export function DayBars({ label, series, days }: Props) {
  const t = useWords();
  const bars = byWeeks(days);
  const most = Math.max(1, ...bars.flatMap(({ values }) => values));
  const weekly = bars.length < days.length;
  return (
    <figure>
      <figcaption className="mb-3 flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
        {series.map(({ name, tone }) => (
          <span key={name} className="inline-flex items-center gap-1.5">
            <span aria-hidden="true" className={clsx("size-2.5 rounded-[0.2rem]", tones[tone])} />
            {weekly ? t("{name}, a week", { name }) : name}
          </span>
        ))}
        <span className="figures ml-auto">{t("Highest: {most}", { most })}</span>
      </figcaption>
      <div
        role="img"
        aria-label={
          weekly
            ? t("{label}, {n} weeks, at most {most}", { label, n: bars.length, most })
            : t("{label}, {n} days, at most {most}", { label, n: bars.length, most })
        }
        className="flex h-40 items-stretch gap-px border-b border-line sm:gap-0.5"
      >
        {bars.map(({ day, values }) => (
          <span
            key={day}
            title={`${weekly ? t("Week from {day}", { day: dayWords(day, t.locale) }) : dayWords(day, t.locale)}: ${series.map(({ name }, at) => `${name} ${(values[at] ?? 0).toLocaleString(t.locale)}`).join(", ")}`}
            className="relative min-w-px flex-1 rounded-t-[0.2rem] hover:bg-sunken"
          >
            {series.map(({ name, tone }, at) => (
              <span
                key={name}
                className={clsx(
                  "absolute bottom-0 rounded-t-[0.2rem]",
                  at === 0 ? "inset-x-0 z-1" : "inset-x-0",
                  series.length > 1 && at === 0 && "inset-x-[18%]",
                  tones[tone],
                )}
                style={{ height: `${((values[at] ?? 0) / most) * 100}%` }}
              />
            ))}
          </span>
        ))}
      </div>
      <div aria-hidden="true" className="figures mt-1.5 text-xs text-muted">
        <ChartMarks names={bars.map(({ day }) => dayWords(day, t.locale))} />
      </div>
    </figure>
  );
}

function byWeeks(days: DayValues[]): DayValues[] {
  if (days.length <= MOST_BARS) return days;
  const weeks: DayValues[] = [];
  for (let first = 0; first < days.length; first += 7) {
    const week = days.slice(first, first + 7);
    const [{ day, values }] = week as [DayValues, ...DayValues[]];
    weeks.push({ day, values: values.map((_, at) => week.reduce((sum, one) => sum + (one.values[at] ?? 0), 0)) });
  }
  return weeks;
}
