import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { average } from "@/lib/catalog/summaries/rules";
import { comparedDays, type DayRange, daysOfUnit, rangeOf, unitOf, unitStarts } from "@/lib/insights/analytics/rules";
import type {
  Analytics,
  AnalyticsFilter,
  AnalyticsQuery,
  EmailCounts,
  Figures,
  KeyFigures,
  ReviewCounts,
  ScoreDist,
} from "@/lib/insights/analytics/schema";
import { MAX_MAILS, MIN_COMPARED_REVIEWS } from "@/lib/insights/analytics/values";
import { dayIn } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { bytesOf } from "@/lib/platform/http/reply";
import { csvRow } from "@/lib/platform/parsing/csv-cells";
import {
  type CountRow,
  type EmailRow,
  type KeyRow,
  MAX_TIMES,
  MAX_TOPIC_REVIEWS,
  selectByKey,
  selectEmails,
  selectTimes,
  selectTopics,
  selectUnitCounts,
  type TimesRow,
  type UnitCountRow,
} from "./sql";

/** Rows of the table. */
const MAX_ROWS = 100;
const emptyCounts: CountRow = { received: 0, published: 0, rejected: 0, pending: 0, points: 0 };

const toCounts = ({ points, ...counts }: CountRow): ReviewCounts => ({
  received: counts.received,
  published: counts.published,
  rejected: counts.rejected,
  pending: counts.pending,
  average: average(points, counts.published),
});

/** The average before only if both come from enough reviews. */
const toKeyFigures = ({ key, name, published_before, points_before, ...row }: KeyRow): KeyFigures => ({
  key,
  name,
  ...toCounts(row),
  average_before:
    Math.min(row.published, published_before) < MIN_COMPARED_REVIEWS ? null : average(points_before, published_before),
});

const toTimes = (row: TimesRow | undefined) => ({
  decided: row?.decided ?? 0,
  median_hours: row?.median_hours ?? null,
  p90_hours: row?.p90_hours ?? null,
});

const sumCounts = (rows: CountRow[]): CountRow =>
  rows.reduce(
    (sum, row) => ({
      received: sum.received + row.received,
      published: sum.published + row.published,
      rejected: sum.rejected + row.rejected,
      pending: sum.pending + row.pending,
      points: sum.points + row.points,
    }),
    emptyCounts,
  );

const sumEmails = (rows: EmailRow[]): EmailCounts =>
  rows.reduce((sum, row) => ({ sent: sum.sent + row.sent, answered: sum.answered + row.answered }), {
    sent: 0,
    answered: 0,
  });

const toFigures = (counts: UnitCountRow[], times: TimesRow[], emails: EmailRow[] | null): Figures => ({
  ...toCounts(sumCounts(counts)),
  ...toTimes(times.find(({ start }) => start === null)),
  dist: [0, 1, 2, 3, 4].map((at) => counts.reduce((sum, row) => sum + (row.dist[at] ?? 0), 0)) as ScoreDist,
  emails: emails && sumEmails(emails),
});

const filterOf = ({ product, brand, category, lang, source, stars }: AnalyticsQuery): AnalyticsFilter => ({
  product,
  brand,
  category,
  lang,
  source,
  stars,
});

/** Emails have a language, but no other property that reviews are filtered by. */
const hasEmails = ({ lang: _, ...others }: AnalyticsFilter) =>
  Object.values(others).every((value) => value === undefined);

/**
 * A client's reviews of some days, by their date: counts and outcomes, exact however many there are; moderation times,
 * by the day they were received; how many of the emails sent led to one; groups of reviews, and what these name most often. Moderation times and
 * emails are those of the newest {@link MAX_TIMES} reviews and {@link MAX_MAILS} emails of these days.
 */
export async function getAnalytics(client: ClientRow, query: AnalyticsQuery): Promise<Analytics> {
  const zone = timeZoneOf(client);
  const range = rangeOf(query, dayIn(zone));
  const { by, sort, dir, lang } = query;
  const filter = filterOf(query);
  const unit = unitOf(range);
  const compared = comparedDays(range, query);
  const readFigures = (days: DayRange) =>
    Promise.all([
      selectUnitCounts(pool(), client.id, days, filter, unit),
      selectTimes(pool(), client.id, days, filter, { unit, zone }),
      hasEmails(filter) ? selectEmails(pool(), client.id, days, { unit, lang }) : null,
    ]);
  // One after the other: a page takes only a part of the connections.
  const [counts, times, emails] = await readFigures(range);
  const before = compared && (await readFigures(compared));
  const [keys, { topics, scanned }] = await Promise.all([
    selectByKey(pool(), client.id, range, filter, { by, sort, dir, compared, limit: MAX_ROWS + 1 }),
    selectTopics(pool(), client.id, range, filter),
  ]);
  const topicsOf = (kind: "pro" | "con") =>
    topics.filter((topic) => topic.kind === kind).map(({ text, reviews }) => ({ text, reviews }));
  const scannedTimes = times.find(({ start }) => start === null);
  const scannedEmails = emails?.reduce((sum, { scanned }) => sum + scanned, 0) ?? 0;
  const oldestEmail = emails?.map(({ oldest }) => oldest).sort()[0];
  return {
    range,
    unit,
    units: unitStarts(range, unit).map((start) => {
      const isOfUnit = (row: { start: string | null }) => row.start === start;
      return {
        ...daysOfUnit(start, unit, range),
        ...toCounts(counts.find(isOfUnit) ?? emptyCounts),
        ...toTimes(times.find(isOfUnit)),
        emails: emails && sumEmails(emails.filter(isOfUnit)),
      };
    }),
    total: toFigures(counts, times, emails),
    compared: compared && before ? { ...compared, total: toFigures(...before) } : null,
    rows: keys.slice(0, MAX_ROWS).map(toKeyFigures),
    moreRows: keys.length > MAX_ROWS,
    topics: { pros: topicsOf("pro"), cons: topicsOf("con"), scanned: scanned < MAX_TOPIC_REVIEWS ? null : scanned },
    timesSince:
      scannedTimes && scannedTimes.scanned >= MAX_TIMES && scannedTimes.oldest
        ? dayIn(zone, scannedTimes.oldest)
        : null,
    emailsSince: scannedEmails < MAX_MAILS ? null : (oldestEmail ?? null),
  };
}

/** All groups of a query as CSV, in its order. No cell can be read as a formula. */
export async function analyticsCsv(
  client: ClientRow,
  query: AnalyticsQuery,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const { by, sort, dir } = query;
  const range = rangeOf(query, dayIn(timeZoneOf(client)));
  const compared = comparedDays(range, query);
  const options = { by, sort, dir, compared, limit: null };
  // Read before the response starts, so that an error is one.
  const rows = await selectByKey(pool(), client.id, range, filterOf(query), options);
  async function* lines(): AsyncGenerator<string> {
    yield csvRow([by, "name", "received", "published", "rejected", "pending", "average", "average_before"]);
    for (const row of rows) {
      const { key, name, received, published, rejected, pending, average, average_before } = toKeyFigures(row);
      yield csvRow([key, name, received, published, rejected, pending, average, average_before]);
    }
  }
  return bytesOf(lines());
}
