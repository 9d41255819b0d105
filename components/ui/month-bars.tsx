import { useTranslations } from "#messages";
import { BarChart, type Series } from "@/components/ui/bar-chart";
import { formatCount } from "@/lib/platform/i18n/format";

type Props = {
  /** text alternative for screen readers */
  label: string;
  months: { month: string; values: number[] }[];
  /** stacked from the bottom, in this order */
  series: Series[];
};

/** A month (`2026-03`) as `Mar 2026`. */
export const formatMonth = (month: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { month: "short", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

export function MonthBars({ label, months, series }: Props) {
  const t = useTranslations();
  const bars = months.map(({ month, values }) => {
    const name = formatMonth(month, t.language);
    return {
      name,
      values,
      title: `${name}: ${series.map((one, at) => `${one.name} ${formatCount(values[at] ?? 0, t.language)}`).join(", ")}`,
    };
  });
  return (
    <BarChart
      stacked
      label={(most) => t("common.monthChartLabel", { label, n: months.length, most })}
      series={series}
      bars={bars}
    />
  );
}
