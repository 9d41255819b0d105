import clsx from "clsx";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useTranslations } from "#messages";
import { formatHours, formatPercent } from "@/components/insights/analytics/format";
import { formatAverage } from "@/components/ui/format-average";
import { formatCount, formatDifference } from "@/lib/platform/i18n/format";
import type { Translate } from "@/lib/platform/i18n/translator";

export type ChangeKind = "average" | "count" | "percent" | "hours";
/** `up` if a larger value is better; null for counts, and for what recent reviews and emails still have time to change. */
export type Better = "up" | null;

/** An average of stars as it is compared: with two decimals. */
export const averageText = (stars: number, t: Translate) => formatAverage(stars, t.language, 2);

/** What values are rounded to before they are compared, so that a difference is that of the numbers shown. */
const step: Record<ChangeKind, number> = { average: 0.01, count: 1, percent: 0.1, hours: 1 / 60 };

const formatValue: Record<ChangeKind, (value: number, t: Translate) => string> = {
  average: averageText,
  count: (value, t) => formatCount(value, t.language),
  percent: (value, t) => formatPercent(value, t, 1),
  hours: formatHours,
};

function differenceOf(value: number, before: number, kind: ChangeKind): number {
  const rounded = (number: number) => Math.round(number / step[kind]);
  return (rounded(value) - rounded(before)) * step[kind];
}

type ChangeProps = { value: number | null; before: number | null; kind: ChangeKind; better: Better };

/** A figure's change, as an arrow with a signed difference, and as a sentence for screen readers. */
export function Change(props: ChangeProps) {
  return (
    <dd className="mt-auto pt-2 text-sm">
      <ChangeText {...props} />
    </dd>
  );
}

export function ChangeText({ value, before, kind, better }: ChangeProps) {
  const t = useTranslations();
  if (value === null || before === null) return <span className="text-muted">{t("home.nothingToCompare")}</span>;
  const earlier = formatValue[kind](before, t);
  const difference = differenceOf(value, before, kind);
  // Hours and percentages close to each other have the same text.
  if (difference === 0 || formatValue[kind](value, t) === earlier)
    return <span className="text-muted">{t("home.unchanged", { before: earlier })}</span>;
  const size = Math.abs(difference);
  const isUp = difference > 0;
  const change = kind === "percent" ? pointsText(size, t) : formatValue[kind](size, t);
  const Arrow = isUp ? ArrowUp : ArrowDown;
  return (
    <>
      <span className="sr-only">
        {t(isUp ? "home.increased" : "home.decreased", {
          change: kind === "percent" ? t("home.percentagePoints", { n: size, points: change }) : change,
          before: earlier,
        })}
      </span>
      <span aria-hidden="true" className="flex flex-wrap items-center gap-x-2">
        <span
          className={clsx(
            "figures inline-flex items-center gap-0.5 font-medium",
            better === "up" && (isUp ? "text-good" : "text-bad"),
          )}
        >
          <Arrow className="size-4 shrink-0" />
          {kind === "percent"
            ? t("home.percentagePoints", { n: size, points: formatDifference(difference, change) })
            : formatDifference(difference, change)}
        </span>
        <span className="figures text-muted">{t("home.before", { before: earlier })}</span>
      </span>
    </>
  );
}

const pointsText = (points: number, t: Translate): string =>
  new Intl.NumberFormat(t.language, { maximumFractionDigits: 1 }).format(points);
