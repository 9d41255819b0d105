import type { ReactNode } from "react";
import { useTranslations } from "#messages";
import { formatHours, formatPercent, nameOfUnit, scaleTop } from "@/components/insights/analytics/format";
import { unitLabels } from "@/components/insights/analytics/labels";
import { countTicks } from "@/components/ui/chart-ticks";
import { formatAverage } from "@/components/ui/format-average";
import { type ChartSeries, type ChartTone, TimeChart } from "@/components/ui/time-chart";
import type { Analytics, UnitFigures } from "@/lib/insights/analytics/schema";
import { formatCount } from "@/lib/platform/i18n/format";

const none = "–";
const rounded = (value: number | null) => (value === null ? null : Math.round(value * 100) / 100);

/** The figures of a period over time. */
export function AnalyticsCharts({ analytics: { units, unit, total } }: { analytics: Analytics }) {
  const t = useTranslations();
  const columns = units.map(({ from }) => ({ name: nameOfUnit(unit, from, t), day: from }));
  const columnsName = t(unitLabels[unit]);
  const seriesOf = (
    name: string,
    tone: ChartTone,
    value: (figures: UnitFigures) => number | null,
    format: (value: number) => string,
  ): ChartSeries => {
    const values = units.map((figures) => rounded(value(figures)));
    return { name, tone, values, texts: values.map((one) => (one === null ? none : format(one))) };
  };
  const count = (value: number) => formatCount(value, t.language);
  const stars = (value: number) => formatAverage(value, t.language);
  const percent = (value: number) => formatPercent(value, t);
  const hours = (value: number) => formatHours(value, t);
  const hoursOnAxis = (value: number) => (value === 0 ? "0" : hours(value));
  const ticksOf = (values: number[], format: (value: number) => string) =>
    values.map((value) => ({ value, text: format(value) }));
  const upTo = (top: number) => [0, top / 2, top];
  const most = (value: (figures: UnitFigures) => number | null) => Math.max(...units.map((one) => value(one) ?? 0));
  const conversion = ({ emails }: UnitFigures) => (emails?.sent ? (emails.answered / emails.sent) * 100 : null);
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <Card id="received" title={t("common.reviews")} hint={t("analytics.reviewsHint")}>
        <TimeChart
          label={t("analytics.reviewsChart")}
          kind="bars"
          columns={columns}
          columnsName={columnsName}
          series={[
            seriesOf(t("queue.published"), "accent", ({ published }) => published, count),
            seriesOf(t("common.pending"), "muted", ({ pending }) => pending, count),
            seriesOf(t("common.rejected"), "bad", ({ rejected }) => rejected, count),
          ]}
          ticks={ticksOf(countTicks(most(({ received }) => received)), count)}
          fileName="reviews.csv"
        />
      </Card>
      <Card id="ratings" title={t("analytics.ratings")} hint={t("analytics.ratingsHint")}>
        <TimeChart
          label={t("analytics.averageRating")}
          kind="lines"
          columns={columns}
          columnsName={columnsName}
          series={[seriesOf(t("analytics.averageRating"), "accent", ({ average }) => average, stars)]}
          ticks={ticksOf([1, 3, 5], stars)}
          fileName="ratings.csv"
        />
      </Card>
      <Card id="conversion" title={t("analytics.conversion")} hint={t("analytics.conversionHint")}>
        {total.emails?.sent ? (
          <TimeChart
            label={t("analytics.conversion")}
            kind="lines"
            columns={columns}
            columnsName={columnsName}
            series={[seriesOf(t("analytics.conversion"), "accent", conversion, percent)]}
            ticks={ticksOf(upTo(scaleTop(Math.max(5, most(conversion)), 5)), percent)}
            fileName="conversion.csv"
          />
        ) : (
          <p className="text-sm">
            {total.emails === null ? t("analytics.conversionNote") : t("analytics.noEmailsInPeriod")}
          </p>
        )}
      </Card>
      <Card id="times" title={t("analytics.moderationTime")} hint={t("analytics.moderationTimeHint")}>
        {total.decided > 0 ? (
          <TimeChart
            label={t("analytics.moderationTime")}
            kind="lines"
            columns={columns}
            columnsName={columnsName}
            series={[
              seriesOf(t("analytics.p90"), "muted", ({ p90_hours }) => p90_hours, hours),
              // Last, so that it is on top where both are equal.
              seriesOf(t("analytics.median"), "accent", ({ median_hours }) => median_hours, hours),
            ]}
            ticks={ticksOf(
              upTo(
                scaleTop(
                  Math.max(
                    1,
                    most(({ p90_hours }) => p90_hours),
                  ),
                  1,
                ),
              ),
              hoursOnAxis,
            )}
            fileName="moderation-time.csv"
          />
        ) : (
          <p className="text-sm">{t("analytics.noneModeratedInPeriod")}</p>
        )}
      </Card>
    </div>
  );
}

function Card({ id, title, hint, children }: { id: string; title: string; hint: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5">
      <h2 id={id} className="font-semibold">
        {title}
      </h2>
      <p className="mb-3 text-sm text-muted">{hint}</p>
      {children}
    </section>
  );
}
