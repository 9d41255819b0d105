import { useTranslations } from "#messages";
import { BarChart, type Series } from "@/components/ui/bar-chart";
import { formatCount, formatMonth } from "@/lib/platform/i18n/format";

type Props = {
  /** text alternative for screen readers */
  label: string;
  months: { month: string; values: number[] }[];
  /** stacked from the bottom, in this order */
  series: Series[];
};

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
