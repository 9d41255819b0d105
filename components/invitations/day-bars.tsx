import { useTranslations } from "#messages";
import { BarChart, type Series } from "@/components/ui/bar-chart";
import { formatDay } from "@/lib/platform/i18n/format";

/** One day's values, in the order of the series. */
export type DayValues = { day: string; values: number[] };

type Props = {
  /** text alternative for screen readers */
  label: string;
  /** the first is drawn in front */
  series: Series[];
  days: DayValues[];
};

/** Most bars; longer periods are drawn by week. */
const MAX_BARS = 92;

/** Values by day as bars; by week for long periods. */
export function DayBars({ label, series, days }: Props) {
  const t = useTranslations();
  const shown = byWeeks(days);
  const weekly = shown.length < days.length;
  const bars = shown.map(({ day, values }) => {
    const name = formatDay(day, t.language);
    const numbers = series.map((one, at) => `${one.name} ${(values[at] ?? 0).toLocaleString(t.language)}`).join(", ");
    return { name, values, title: `${weekly ? t("invitations.weekOf", { day: name }) : name}: ${numbers}` };
  });
  return (
    <BarChart
      label={(most) =>
        weekly
          ? t("invitations.chartWeeks", { label, n: shown.length, most })
          : t("invitations.chartDays", { label, n: shown.length, most })
      }
      series={weekly ? series.map((one) => ({ ...one, name: t("invitations.perWeek", { name: one.name }) })) : series}
      bars={bars}
    />
  );
}

function byWeeks(days: DayValues[]): DayValues[] {
  if (days.length <= MAX_BARS) return days;
  const weeks: DayValues[] = [];
  for (let first = 0; first < days.length; first += 7) {
    const week = days.slice(first, first + 7);
    const [{ day, values }] = week as [DayValues, ...DayValues[]];
    weeks.push({ day, values: values.map((_, at) => week.reduce((sum, one) => sum + (one.values[at] ?? 0), 0)) });
  }
  return weeks;
}
