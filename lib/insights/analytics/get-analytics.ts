import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { lastMonths } from "@/lib/catalog/products/get-product-page";
import { average } from "@/lib/catalog/summaries/rules";
import type { Analytics, AnalyticsQuery, MonthFigures, ReviewCounts } from "@/lib/insights/analytics/schema";
import { MAX_MAILS } from "@/lib/insights/analytics/values";
import { dayIn } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { escapeFormula } from "@/lib/platform/parsing/csv-cells";
import {
  MAX_REVIEWS,
  type MailResponseRow,
  type MonthRow,
  selectByKey,
  selectMailResponses,
  selectMonthFigures,
  selectScannedReviews,
} from "./sql";

const MAX_ROWS = 100;

const none: Omit<MonthRow, "month" | "oldest"> = {
  received: 0,
  published: 0,
  rejected: 0,
  waiting: 0,
  points: 0,
  decided: 0,
  median_hours: null,
  p90_hours: null,
};

const toCounted = ({ received, published, rejected, waiting, points }: typeof none | MonthRow): ReviewCounts => ({
  received,
  published,
  rejected,
  waiting,
  average: average(points, published),
});

/**
 * A client's reviews of some months by the day they were received: counts, outcomes, moderation time, and how many of
 * the emails sent led to one. Emails have no product or brand, so their figures are null if only one of these is
 * selected. Counts at most the {@link MAX_REVIEWS} newest reviews; if there are more, `since` is the first day counted.
 */
export async function getAnalytics(client: ClientRow, { months, by, only }: AnalyticsQuery): Promise<Analytics> {
  const zone = timeZoneOf(client);
  const names = lastMonths(dayIn(zone).slice(0, 7), months);
  const scope = { from: `${names[0]}-01`, zone, by, only };
  const hasMailFigures = only === undefined || by === "language";
  const [byMonth, byKey, scannedReviews, answers] = await Promise.all([
    selectMonthFigures(pool(), client.id, scope),
    selectByKey(pool(), client.id, scope, MAX_ROWS + 1),
    selectScannedReviews(pool(), client.id, scope),
    hasMailFigures ? selectMailResponses(pool(), client.id, scope) : null,
  ]);
  const figures = (row: MonthRow | undefined, mails: Pick<MailResponseRow, "sent" | "answered"> | null) => ({
    ...toCounted(row ?? none),
    decided: row?.decided ?? 0,
    median_hours: row?.median_hours ?? null,
    p90_hours: row?.p90_hours ?? null,
    sent: mails?.sent ?? null,
    answered: mails?.answered ?? null,
  });
  const mailsOf = (month: string) =>
    answers && (answers.find((row) => row.month === month) ?? { sent: 0, answered: 0 });
  const allMails = answers && {
    sent: answers.reduce((sum, row) => sum + row.sent, 0),
    answered: answers.reduce((sum, row) => sum + row.answered, 0),
  };
  const scanned = answers?.reduce((sum, row) => sum + row.looked, 0) ?? 0;
  const matching = byKey.filter(({ key }) => only === undefined || key === only);
  return {
    months: names.map((month) => ({
      month,
      ...figures(
        byMonth.find((row) => row.month === month),
        mailsOf(month),
      ),
    })),
    total: figures(
      byMonth.find((row) => row.month === null),
      allMails,
    ),
    rows: matching
      .slice(0, MAX_ROWS)
      .map(({ key, name, ...row }) => ({ key, name, ...toCounted({ ...none, ...row }) })),
    moreRows: byKey.length > MAX_ROWS,
    since: scannedReviews.counted > MAX_REVIEWS && scannedReviews.oldest ? dayIn(zone, scannedReviews.oldest) : null,
    counted: Math.min(scannedReviews.counted, MAX_REVIEWS),
    mailsSince: scanned < MAX_MAILS ? null : (answers?.[0]?.oldest ?? null),
    mailsCounted: scanned,
  };
}

const csv = (lines: (string | number | null)[][]): string =>
  `${lines.map((line) => line.map((value) => cell(value === null ? "" : String(value))).join(",")).join("\r\n")}\r\n`;

const cell = (value: string): string => {
  const safe = escapeFormula(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 100) / 100);

/** The months as CSV. Unknown values are empty; no cell can be read as a formula. */
export const monthsCsv = ({ months }: Pick<Analytics, "months">): string =>
  csv([
    [
      "month",
      "received",
      "published",
      "rejected",
      "waiting",
      "average",
      "decided",
      "median_hours",
      "p90_hours",
      "mails_sent",
      "mails_answered",
    ],
    ...months.map((row: MonthFigures) => [
      row.month,
      row.received,
      row.published,
      row.rejected,
      row.waiting,
      row.average,
      row.decided,
      rounded(row.median_hours),
      rounded(row.p90_hours),
      row.sent,
      row.answered,
    ]),
  ]);

/** The rows by product, family, brand or language as CSV. */
export const rowsCsv = ({ rows }: Pick<Analytics, "rows">, by: string): string =>
  csv([
    [by, "name", "received", "published", "rejected", "waiting", "average"],
    ...rows.map((row) => [row.key, row.name, row.received, row.published, row.rejected, row.waiting, row.average]),
  ]);
