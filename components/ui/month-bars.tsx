import clsx from "clsx";
import { useWords } from "#words";
import { ChartMarks } from "@/components/ui/chart-marks";

type Props = {
  /** what is shown, for those who do not see it */
  label: string;
  months: { month: string; values: number[] }[];
  /** stacked from below, in this order */
  series: { name: string; tone: "accent" | "muted" | "bad" }[];
};

const tones = { accent: "bg-accent", muted: "bg-edge/55", bad: "bg-bad" } as const;

/** A month (`2026-03`) as `Mar 2026`. */
export const monthWords = (month: string, locale = "en-GB"): string =>
  new Intl.DateTimeFormat(locale, { month: "short", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

/** Counts month by month as bars, several of them on top of each other. */
export function MonthBars({ label, months, series }: Props) {
  const t = useWords();
  const totals = months.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const most = Math.max(1, ...totals);
  return (
    <figure>
      <figcaption className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
        {series.map((one) => (
          <span key={one.name} className="inline-flex items-center gap-1.5">
            <span aria-hidden="true" className={clsx("size-2.5 rounded-[0.2rem]", tones[one.tone])} />
            {one.name}
          </span>
        ))}
        <span className="figures ml-auto">{t("Highest: {most}", { most: most.toLocaleString(t.locale) })}</span>
      </figcaption>
      <div
        role="img"
        aria-label={t("{label}, {n} months, at most {most}", { label, n: months.length, most })}
        className="flex h-36 items-stretch gap-0.5 border-b border-line sm:gap-1"
      >
        {months.map(({ month, values }) => (
          <span
            key={month}
            title={`${monthWords(month, t.locale)}: ${series.map((one, at) => `${one.name} ${values[at] ?? 0}`).join(", ")}`}
            className="flex min-w-px flex-1 flex-col-reverse overflow-hidden rounded-t-[0.2rem] hover:bg-sunken"
          >
            {series.map((one, at) => (
              <span
                key={one.name}
                className={tones[one.tone]}
                style={{ height: `${((values[at] ?? 0) / most) * 100}%` }}
              />
            ))}
          </span>
        ))}
      </div>
      <div aria-hidden="true" className="figures mt-1.5 text-xs text-muted">
        <ChartMarks names={months.map(({ month }) => monthWords(month, t.locale))} />
      </div>
    </figure>
  );
}
