import { useTranslations } from "#messages";
import { countTicks } from "@/components/ui/chart-ticks";
import { type ChartTone, TimeChart } from "@/components/ui/time-chart";
import { formatCount, formatDay } from "@/lib/platform/i18n/format";

/** One day's values, in the order of the series. */
export type DayValues = { day: string; values: number[] };

type Props = {
  label: string;
  series: { name: string; tone: ChartTone }[];
  days: DayValues[];
};

/** Most columns; longer periods are drawn by week. */
const MAX_DAYS = 92;

/** Counts by day; by week for long periods. */
export function DayChart({ label, series, days }: Props) {
  const t = useTranslations();
  const columns = byWeeks(days);
  const isWeekly = columns.length < days.length;
  const max = Math.max(...columns.flatMap(({ values }) => values));
  const count = (value: number) => formatCount(value, t.language);
  return (
    <TimeChart
      label={label}
      kind={series.length === 1 ? "bars" : "lines"}
      columns={columns.map(({ day }) => {
        const name = formatDay(day, t.language);
        return { name: isWeekly ? t("invitations.weekOf", { day: name }) : name, day };
      })}
      columnsName={t(isWeekly ? "charts.week" : "charts.day")}
      series={series.map(({ name, tone }, at) => {
        const values = columns.map((column) => column.values[at] ?? 0);
        return { name, tone, values, texts: values.map(count) };
      })}
      ticks={countTicks(max).map((value) => ({ value, text: count(value) }))}
      fileName="days.csv"
    />
  );
}

function byWeeks(days: DayValues[]): DayValues[] {
  if (days.length <= MAX_DAYS) return days;
  const weeks: DayValues[] = [];
  for (let first = 0; first < days.length; first += 7) {
    const week = days.slice(first, first + 7);
    const [{ day, values }] = week as [DayValues, ...DayValues[]];
    weeks.push({ day, values: values.map((_, at) => week.reduce((sum, one) => sum + (one.values[at] ?? 0), 0)) });
  }
  return weeks;
}
