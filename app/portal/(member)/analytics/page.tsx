import { ChartColumn, Download } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { address, param, requireMember, type Search } from "@/app/_guard";
import { Figure, Figures } from "@/components/analytics/figures";
import { hoursWords, nameOfKey, shareWords } from "@/components/analytics/words";
import { PageHead } from "@/components/portal/page-head";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { LineChart } from "@/components/ui/line-chart";
import { MonthBars } from "@/components/ui/month-bars";
import { Notice } from "@/components/ui/notice";
import { Cell, Head, Row, Table } from "@/components/ui/table";
import { dayWords } from "@/components/ui/time";
import { getAnalytics, monthsCsv, rowsCsv } from "@/lib/analytics/get-analytics";
import { AnalyticsQuery, type Dimension, dimensions, periods } from "@/lib/analytics/schema";

export const metadata: Metadata = { title: "Analytics" };

const path = "/portal/analytics";
const dimensionWords: Record<Dimension, string> = {
  product: "Products",
  family: "Families",
  brand: "Brands",
  language: "Languages",
};
const card = "rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5";
const tab =
  "flex h-9 items-center rounded-[0.4rem] px-3 text-sm font-medium text-muted hover:text-ink aria-[current=page]:bg-lifted aria-[current=page]:text-ink aria-[current=page]:shadow-raised lg:h-8";

export default async function AnalyticsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const search = await searchParams;
  const { client, clientId } = await requireMember({ here: path, search });
  const asked = AnalyticsQuery.parse({
    months: param(search, "months"),
    by: param(search, "by"),
    only: param(search, "only"),
  });
  const { by, only } = asked;
  const analytics = await getAnalytics(client, asked);
  const { months, total, rows, since, mailsSince } = analytics;
  const link = (query: { months?: number; by?: Dimension; only?: string | undefined }) => {
    const next = { ...asked, ...query };
    return address(path, { client_id: clientId, months: String(next.months), by: next.by, only: next.only });
  };
  const ratio = (part: number | null, whole: number | null) => (part === null || !whole ? null : (part / whole) * 100);
  const slowest = Math.max(1, ...months.map(({ median_hours }) => median_hours ?? 0));
  const best = Math.max(5, ...months.map(({ answered, sent }) => ratio(answered, sent) ?? 0));
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <PageHead
        title={only === undefined ? "Analytics" : `Analytics of ${nameOfKey(by, rows[0]?.key ?? only, rows[0]?.name)}`}
        tools={
          <nav aria-label="Period" className="flex rounded-control bg-sunken p-0.5">
            {periods.map((count) => (
              <Link
                key={count}
                href={link({ months: count })}
                aria-current={asked.months === count ? "page" : undefined}
                className={tab}
              >
                {count} months
              </Link>
            ))}
          </nav>
        }
      >
        By the month in which a review came in.
        {only !== undefined && (
          <>
            {" "}
            <Link className="link" href={link({ only: undefined })}>
              Everything again
            </Link>
          </>
        )}
      </PageHead>
      {total.received === 0 && !total.sent ? (
        <EmptyState icon={<ChartColumn aria-hidden="true" />} title="Nothing in these months">
          Reviews show here from the day on which they come in, whatever becomes of them.
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-6">
          {since !== null && (
            <Notice>
              There are more reviews in this time than are counted at once. These are the newest{" "}
              {analytics.counted.toLocaleString("en-GB")}, from {dayWords(since)} on.
            </Notice>
          )}
          {mailsSince !== null && (
            <Notice>
              Of the mails the newest {analytics.mailsCounted.toLocaleString("en-GB")} are counted, from{" "}
              {dayWords(mailsSince)} on. Earlier months show none.
            </Notice>
          )}
          <Figures>
            <Figure name="Reviews received" value={total.received.toLocaleString("en-GB")}>
              {total.waiting > 0 ? `${total.waiting.toLocaleString("en-GB")} of them wait` : "None of them waits"}
            </Figure>
            <Figure name="Average score" value={total.average?.toFixed(2) ?? "–"}>
              of {total.published.toLocaleString("en-GB")} published
            </Figure>
            <Figure name="Published" value={shareWords(total.published, total.published + total.rejected)}>
              of {(total.published + total.rejected).toLocaleString("en-GB")} decided
            </Figure>
            <Figure
              name="Mails that led to a review"
              value={total.sent === null ? "–" : shareWords(total.answered ?? 0, total.sent)}
            >
              {total.sent === null
                ? "Mails ask for several products at once"
                : total.sent === 0
                  ? "no mail was sent"
                  : `${(total.answered ?? 0).toLocaleString("en-GB")} of ${total.sent.toLocaleString("en-GB")} sent`}
            </Figure>
            <Figure name="Time to a decision" value={hoursWords(total.median_hours)}>
              {total.decided > 0
                ? `median of ${total.decided.toLocaleString("en-GB")}; nine in ten within ${hoursWords(total.p90_hours)}`
                : "nothing decided here yet"}
            </Figure>
          </Figures>
          <div className="grid gap-6 lg:grid-cols-2">
            <section aria-labelledby="received" className={card}>
              <h2 id="received" className="mb-2 font-semibold">
                Reviews
              </h2>
              <MonthBars
                label="Reviews by month, published, waiting and rejected"
                months={months.map((one) => ({ month: one.month, values: [one.published, one.waiting, one.rejected] }))}
                series={[
                  { name: "Published", tone: "accent" },
                  { name: "Waiting", tone: "muted" },
                  { name: "Rejected", tone: "bad" },
                ]}
              />
            </section>
            <section aria-labelledby="scores" className={card}>
              <h2 id="scores" className="font-semibold">
                Scores
              </h2>
              <p className="mb-3 text-sm text-muted">Average of the published reviews of each month, 1 to 5.</p>
              <LineChart
                label="Average score by month"
                points={months.map(({ month, average }) => ({ label: month, value: average }))}
                range={[1, 5]}
                format={(value) => value.toFixed(value % 1 === 0 ? 0 : 2)}
              />
            </section>
            <section aria-labelledby="answers" className={card}>
              <h2 id="answers" className="font-semibold">
                Mails that led to a review
              </h2>
              <p className="mb-3 text-sm text-muted">
                Of all invitations and reminders sent in a month. The latest may still be answered.
              </p>
              {total.sent ? (
                <LineChart
                  label="Share of mails that led to a review, by month"
                  points={months.map(({ month, answered, sent }) => ({ label: month, value: ratio(answered, sent) }))}
                  range={[0, Math.ceil(best / 5) * 5]}
                  format={(value) => `${Math.round(value)}%`}
                />
              ) : (
                <p className="text-sm">
                  {total.sent === null
                    ? `A mail asks for several products, so it belongs to no single ${by}. The invitations' page tells products apart.`
                    : "No mail was sent in this time."}
                </p>
              )}
            </section>
            <section aria-labelledby="times" className={card}>
              <h2 id="times" className="font-semibold">
                Time to a decision
              </h2>
              <p className="mb-3 text-sm text-muted">
                From arrival to the last decision, in hours: the median of a month. Imports and what the API decided are
                left out.
              </p>
              {total.decided > 0 ? (
                <LineChart
                  label="Median hours to a decision, by month"
                  points={months.map(({ month, median_hours }) => ({ label: month, value: median_hours }))}
                  range={[0, slowest]}
                  format={(value) => (value < 10 ? value.toFixed(1) : String(Math.round(value)))}
                />
              ) : (
                <p className="text-sm">Nothing was decided here in this time.</p>
              )}
            </section>
          </div>
          <section aria-labelledby="by">
            <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
              <h2 id="by" className="sr-only">
                {dimensionWords[by]}
              </h2>
              <nav aria-label="Told apart by" className="flex flex-wrap rounded-control bg-sunken p-0.5">
                {dimensions.map((dimension) => (
                  <Link
                    key={dimension}
                    href={link({ by: dimension, only: undefined })}
                    aria-current={by === dimension ? "page" : undefined}
                    className={tab}
                  >
                    {dimensionWords[dimension]}
                  </Link>
                ))}
              </nav>
              <span className="flex gap-2">
                <Csv text={monthsCsv(analytics)} name="analytics by month.csv" label="CSV by month" />
                <Csv text={rowsCsv(analytics, by)} name={`analytics by ${by}.csv`} label={`CSV by ${by}`} />
              </span>
            </div>
            <Table caption={`Reviews by ${by}`}>
              <thead>
                <tr>
                  <Head>{dimensionWords[by]}</Head>
                  <Head className="text-right">Received</Head>
                  <Head className="text-right">Published</Head>
                  <Head className="text-right">Rejected</Head>
                  <Head className="text-right">Waiting</Head>
                  <Head className="text-right">Average</Head>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <Row key={row.key ?? ""}>
                    <Cell className="min-w-40">
                      {row.key === null || only !== undefined ? (
                        <span className="font-medium">{nameOfKey(by, row.key, row.name)}</span>
                      ) : (
                        <Link className="font-medium hover:underline" href={link({ only: row.key })}>
                          {nameOfKey(by, row.key, row.name)}
                        </Link>
                      )}
                      {row.name !== null && row.name !== row.key && <span className="block text-muted">{row.key}</span>}
                    </Cell>
                    <Cell className="figures text-right">{row.received.toLocaleString("en-GB")}</Cell>
                    <Cell className="figures text-right">{row.published.toLocaleString("en-GB")}</Cell>
                    <Cell className="figures text-right">{row.rejected.toLocaleString("en-GB")}</Cell>
                    <Cell className="figures text-right">{row.waiting.toLocaleString("en-GB")}</Cell>
                    <Cell className="figures text-right">{row.average?.toFixed(2) ?? "–"}</Cell>
                  </Row>
                ))}
              </tbody>
            </Table>
            {analytics.moreRows && only === undefined && (
              <p className="mt-2 text-sm text-muted">The hundred with the most reviews.</p>
            )}
          </section>
        </div>
      )}
    </div>
  );
}

/** The file is in the address itself, so that it needs neither a request nor JavaScript. */
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
