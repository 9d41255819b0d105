import { ChartColumn, Download } from "lucide-react";
import { param, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { Figure, Figures } from "@/components/insights/analytics/figures";
import { formatHours, formatPercent, formatShare, nameOfKey, scaleTop } from "@/components/insights/analytics/format";
import { PageHead } from "@/components/portal/page-head";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatAverage } from "@/components/ui/format-average";
import { LineChart } from "@/components/ui/line-chart";
import { Link } from "@/components/ui/link";
import { MonthBars } from "@/components/ui/month-bars";
import { Notice } from "@/components/ui/notice";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { getAnalytics, monthsCsv, rowsCsv } from "@/lib/insights/analytics/get-analytics";
import { AnalyticsQuery, type Dimension, dimensions, periods } from "@/lib/insights/analytics/schema";
import { formatDay } from "@/lib/platform/i18n/format";
import type { MessageKey } from "@/lib/platform/i18n/translator";

export const generateMetadata = () => titleMetadata("navigation.analytics");

const path = "/portal/analytics";
const dimensionLabels: Record<Dimension, MessageKey> = {
  product: "navigation.products",
  family: "analytics.families",
  brand: "analytics.brands",
  language: "analytics.languages",
};
const columnLabels: Record<Dimension, MessageKey> = {
  product: "common.product",
  family: "products.family",
  brand: "products.brand",
  language: "common.language",
};
const csvLabels: Record<Dimension, MessageKey> = {
  product: "analytics.csvByProduct",
  family: "analytics.csvByFamily",
  brand: "analytics.csvByBrand",
  language: "analytics.csvByLanguage",
};
const tableLabels: Record<Dimension, MessageKey> = {
  product: "analytics.reviewsByProduct",
  family: "analytics.reviewsByFamily",
  brand: "analytics.reviewsByBrand",
  language: "analytics.reviewsByLanguage",
};
const card = "rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5";
const tab =
  "flex h-9 items-center rounded-[0.4rem] px-3 text-sm font-medium text-muted hover:text-ink aria-[current=page]:bg-lifted aria-[current=page]:text-ink aria-[current=page]:shadow-raised lg:h-8";

export default async function AnalyticsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const search = await searchParams;
  const { client, clientId } = await requireMember({ path: path, search });
  const parsedQuery = AnalyticsQuery.parse({
    months: param(search, "months"),
    by: param(search, "by"),
    only: param(search, "only"),
  });
  const { by, only } = parsedQuery;
  const analytics = await getAnalytics(client, parsedQuery);
  const { months, total, rows, since, mailsSince } = analytics;
  const link = (query: { months?: number; by?: Dimension; only?: string | undefined }) => {
    const next = { ...parsedQuery, ...query };
    return pathWithQuery(path, { client_id: clientId, months: String(next.months), by: next.by, only: next.only });
  };
  const ratio = (part: number | null, denominator: number | null) =>
    part === null || !denominator ? null : (part / denominator) * 100;
  const decimal = (value: number | null) => (value === null ? "–" : formatAverage(value, t.language));
  const maxMedianHours = Math.max(1, ...months.map(({ median_hours }) => median_hours ?? 0));
  const maxConversion = Math.max(5, ...months.map(({ answered, sent }) => ratio(answered, sent) ?? 0));
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <PageHead
        title={
          only === undefined
            ? t("navigation.analytics")
            : t("analytics.titleFor", { name: nameOfKey(by, rows[0]?.key ?? only, rows[0]?.name, t) })
        }
        tools={
          <nav aria-label={t("analytics.period")} className="flex rounded-control bg-sunken p-0.5">
            {periods.map((count) => (
              <Link
                key={count}
                href={link({ months: count })}
                aria-current={parsedQuery.months === count ? "page" : undefined}
                className={tab}
              >
                {t("analytics.months", { n: count })}
              </Link>
            ))}
          </nav>
        }
      >
        {t("analytics.intro")}
        {only !== undefined && (
          <>
            {" "}
            <Link className="link" href={link({ only: undefined })}>
              {t("analytics.showAll")}
            </Link>
          </>
        )}
      </PageHead>
      {total.received === 0 && !total.sent ? (
        <EmptyState
          icon={<ChartColumn aria-hidden="true" />}
          title={t("analytics.emptyTitle")}
          action={
            <Link href={pathWithQuery("/portal/orders", { client_id: clientId })} className={buttonClass()}>
              {t("analytics.viewOrders")}
            </Link>
          }
        >
          {t("analytics.emptyText")}
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-6">
          {since !== null && (
            <Notice>
              {t("analytics.moreThanCounted", { counted: analytics.counted, day: formatDay(since, t.language) })}
            </Notice>
          )}
          {mailsSince !== null && (
            <Notice>
              {t("analytics.emailsCounted", {
                counted: analytics.mailsCounted,
                day: formatDay(mailsSince, t.language),
              })}
            </Notice>
          )}
          <Figures>
            <Figure name={t("analytics.reviewsReceived")} value={total.received.toLocaleString(t.language)}>
              {total.waiting > 0 ? t("analytics.pendingCount", { n: total.waiting }) : t("analytics.nonePending")}
            </Figure>
            <Figure name={t("analytics.averageRating")} value={decimal(total.average)}>
              {t("analytics.ofPublished", { n: total.published })}
            </Figure>
            <Figure
              name={t("queue.published")}
              value={formatShare(total.published, total.published + total.rejected, t)}
            >
              {t("analytics.ofModerated", { decided: total.published + total.rejected })}
            </Figure>
            <Figure
              name={t("analytics.conversion")}
              value={total.sent === null ? "–" : formatShare(total.answered ?? 0, total.sent, t)}
            >
              {total.sent === null
                ? t("analytics.conversionUnavailable")
                : total.sent === 0
                  ? t("analytics.noEmailsSent")
                  : t("analytics.conversionBasis", { answered: total.answered ?? 0, sent: total.sent })}
            </Figure>
            <Figure name={t("analytics.moderationTime")} value={formatHours(total.median_hours, t)}>
              {total.decided > 0
                ? t("analytics.moderationTimeBasis", {
                    decided: total.decided,
                    hours: formatHours(total.p90_hours, t),
                  })
                : t("analytics.noneModerated")}
            </Figure>
          </Figures>
          <div className="grid gap-6 lg:grid-cols-2">
            <section aria-labelledby="received" className={card}>
              <h2 id="received" className="mb-2 font-semibold">
                {t("common.reviews")}
              </h2>
              <MonthBars
                label={t("analytics.reviewsChart")}
                months={months.map((one) => ({ month: one.month, values: [one.published, one.waiting, one.rejected] }))}
                series={[
                  { name: t("queue.published"), tone: "accent" },
                  { name: t("common.pending"), tone: "muted" },
                  { name: t("common.rejected"), tone: "bad" },
                ]}
              />
            </section>
            <section aria-labelledby="scores" className={card}>
              <h2 id="scores" className="font-semibold">
                {t("analytics.ratings")}
              </h2>
              <p className="mb-3 text-sm text-muted">{t("analytics.ratingsHint")}</p>
              <LineChart
                label={t("products.averageByMonth")}
                points={months.map(({ month, average }) => ({ label: month, value: average }))}
                range={[1, 5]}
                format={(value) => formatAverage(value, t.language)}
              />
            </section>
            <section aria-labelledby="answers" className={card}>
              <h2 id="answers" className="font-semibold">
                {t("analytics.conversion")}
              </h2>
              <p className="mb-3 text-sm text-muted">{t("analytics.conversionHint")}</p>
              {total.sent ? (
                <LineChart
                  label={t("analytics.conversionChart")}
                  points={months.map(({ month, answered, sent }) => ({ label: month, value: ratio(answered, sent) }))}
                  range={[0, scaleTop(maxConversion, 5)]}
                  format={(value) => formatPercent(value, t)}
                />
              ) : (
                <p className="text-sm">
                  {total.sent === null ? t("analytics.conversionNote") : t("analytics.noEmailsInPeriod")}
                </p>
              )}
            </section>
            <section aria-labelledby="times" className={card}>
              <h2 id="times" className="font-semibold">
                {t("analytics.moderationTime")}
              </h2>
              <p className="mb-3 text-sm text-muted">{t("analytics.moderationTimeHint")}</p>
              {total.decided > 0 ? (
                <LineChart
                  label={t("analytics.moderationTimeChart")}
                  points={months.map(({ month, median_hours }) => ({ label: month, value: median_hours }))}
                  range={[0, scaleTop(maxMedianHours, 1)]}
                  format={(value) =>
                    new Intl.NumberFormat(t.language, { maximumFractionDigits: value < 10 ? 1 : 0 }).format(value)
                  }
                />
              ) : (
                <p className="text-sm">{t("analytics.noneModeratedInPeriod")}</p>
              )}
            </section>
          </div>
          <section aria-labelledby="by">
            <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
              <h2 id="by" className="sr-only">
                {t(dimensionLabels[by])}
              </h2>
              <nav aria-label={t("analytics.groupBy")} className="flex flex-wrap rounded-control bg-sunken p-0.5">
                {dimensions.map((dimension) => (
                  <Link
                    key={dimension}
                    href={link({ by: dimension, only: undefined })}
                    aria-current={by === dimension ? "page" : undefined}
                    className={tab}
                  >
                    {t(dimensionLabels[dimension])}
                  </Link>
                ))}
              </nav>
              <span className="flex flex-wrap gap-2">
                <Csv text={monthsCsv(analytics)} name="analytics by month.csv" label={t("analytics.csvByMonth")} />
                <Csv text={rowsCsv(analytics, by)} name={`analytics by ${by}.csv`} label={t(csvLabels[by])} />
              </span>
            </div>
            <Table caption={t(tableLabels[by])} stacks>
              <Heads>
                <Head>{t(columnLabels[by])}</Head>
                <Head className="text-right">{t("queue.received")}</Head>
                <Head className="text-right">{t("queue.published")}</Head>
                <Head className="text-right">{t("common.rejected")}</Head>
                <Head className="text-right">{t("common.pending")}</Head>
                <Head className="text-right">{t("products.average")}</Head>
              </Heads>
              <Rows>
                {rows.map((row) => (
                  <Row key={row.key ?? ""}>
                    <Cell className="min-w-40">
                      {row.key === null || only !== undefined ? (
                        <span className="font-medium">{nameOfKey(by, row.key, row.name, t)}</span>
                      ) : (
                        <Link className="font-medium hover:underline" href={link({ only: row.key })}>
                          {nameOfKey(by, row.key, row.name, t)}
                        </Link>
                      )}
                      {row.name !== null && row.name !== row.key && <span className="block text-muted">{row.key}</span>}
                    </Cell>
                    <Cell label={t("queue.received")} className="figures text-right">
                      {row.received.toLocaleString(t.language)}
                    </Cell>
                    <Cell label={t("queue.published")} className="figures text-right">
                      {row.published.toLocaleString(t.language)}
                    </Cell>
                    <Cell label={t("common.rejected")} className="figures text-right">
                      {row.rejected.toLocaleString(t.language)}
                    </Cell>
                    <Cell label={t("common.pending")} className="figures text-right">
                      {row.waiting.toLocaleString(t.language)}
                    </Cell>
                    <Cell label={t("products.average")} className="figures text-right">
                      {decimal(row.average)}
                    </Cell>
                  </Row>
                ))}
              </Rows>
            </Table>
            {analytics.moreRows && only === undefined && (
              <p className="mt-2 text-sm text-muted">{t("analytics.topHundred")}</p>
            )}
          </section>
        </div>
      )}
    </div>
  );
}

/** A data: link, so that the download needs neither a request nor JavaScript. */
function Csv({ text, name, label }: { text: string; name: string; label: string }) {
  return (
    <a
      href={`data:text/csv;charset=utf-8,${encodeURIComponent(text)}`}
      download={name}
      className={buttonClass({ size: "small" })}
    >
      <Download aria-hidden="true" className="size-3.5" />
      {label}
    </a>
  );
}
