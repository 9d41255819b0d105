import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { average } from "@/lib/catalog/summaries/rules";
import { MAX_MAILS } from "@/lib/insights/analytics/values";
import type { PeriodFigures, ReviewFigures } from "@/lib/insights/home/schema";
import { addDays } from "@/lib/invitations/days";
import { dayIn } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { type PeriodReviewsRow, selectPeriodFigures } from "./sql";

/** Days of each period. */
const DAYS = 30;

/** Most reviews whose times and replies are read, the newest: this page is opened all the time. */
const MAX_PERIOD_REVIEWS = 50_000;

const toReviewFigures = (row: PeriodReviewsRow | undefined): ReviewFigures => ({
  published: row?.published ?? 0,
  average: average(row?.points ?? 0, row?.published ?? 0),
  dist: row?.dist ?? [0, 0, 0, 0, 0],
  replied: row?.replied ?? 0,
  reply_hours: row?.reply_hours ?? null,
  decided: row?.decided ?? 0,
  decision_hours: row?.decision_hours ?? null,
});

/**
 * A client's last 30 days, including today, and the 30 days before, in its time zone. Conversion and moderation time are
 * counted as in analytics. If there are more reviews or emails than are read, they aren't compared.
 */
export async function periodFigures(
  client: ClientRow,
  { maxReviews, maxMails } = { maxReviews: MAX_PERIOD_REVIEWS, maxMails: MAX_MAILS },
): Promise<PeriodFigures> {
  const zone = timeZoneOf(client);
  const to = dayIn(zone);
  const from = addDays(to, 1 - DAYS);
  const scope = { before: addDays(from, -DAYS), from, to, zone, maxReviews, maxMails };
  const row = await selectPeriodFigures(pool(), client.id, scope);
  const reviewsCapped =
    row.scanned < maxReviews || !row.oldest ? null : { counted: row.scanned, since: dayIn(zone, row.oldest) };
  const emailsCapped =
    row.mails_scanned < maxMails || !row.mails_oldest ? null : { counted: row.mails_scanned, since: row.mails_oldest };
  const emails = (recent: boolean) => {
    const { sent, answered } = row.mails.find((mails) => mails.recent === recent) ?? { sent: 0, answered: 0 };
    return { sent, answered };
  };
  const reviews = (recent: boolean) => toReviewFigures(row.reviews.find((counts) => counts.recent === recent));
  const products = reviewsCapped
    ? []
    : row.products.map(({ id, name, average, average_before }) => ({ id, name, average, average_before }));
  return {
    from,
    to,
    reviews: reviews(true),
    reviewsBefore: reviewsCapped ? null : reviews(false),
    emails: emails(true),
    emailsBefore: emailsCapped ? null : emails(false),
    risen: products.filter((product) => product.average > product.average_before),
    fallen: products.filter((product) => product.average < product.average_before).reverse(),
    reviewsCapped,
    emailsCapped,
  };
}
