import { decisionHoursSql, MIN_COMPARED_REVIEWS, wasDecidedHereSql, wasSentSql } from "@/lib/insights/analytics/values";
import { failedCondition } from "@/lib/integrations/webhooks/values";
import type { Day } from "@/lib/invitations/days";
import type { Db } from "@/lib/platform/db/pool";

/** How long a failure is recent. Older ones are only in the lists of their own pages. */
export const RECENT_DAYS = 30;

export type FailureCounts = {
  mails: number;
  /** by `needsAttention` */
  feeds: number;
  deliveries: number;
  /** of all webhooks together; they are stored for as long as failures are recent */
  events: number;
  connections: number;
};

const recent = `created_at > now() - interval '${RECENT_DAYS} days'`;
/**
 * A webhook that was disabled because of its receiver's responses, or that has been failing for longer than a moment.
 */
const failingWebhook = "paused_at is null and (disabled_at is not null or failing_since < now() - interval '1 hour')";

/**
 * How much of each kind failed recently, each count capped at `most`. Reads partial indexes and tables of a few rows.
 */
export async function selectFailureCounts(db: Db, clientId: string, limit: number): Promise<FailureCounts> {
  const upTo = (rows: string) => `(select count(*)::int from (${rows} limit $2) f)`;
  const { rows } = await db.query<FailureCounts>({
    name: "home-failures",
    text: `select ${upTo(`select from mails where client_id = $1 and status = 'failed' and ${recent}`)} as mails,
                  ${upTo("select from feeds where client_id = $1 and enabled and (last_outcome in ('failed', 'refused') or last_rejected > last_read - last_rejected)")} as feeds,
                  ${upTo(`select from deliveries where client_id = $1 and outcome = 'failed' and ${recent}`)} as deliveries,
                  ${upTo(`select from webhooks w, lateral (
                      select from webhook_deliveries where client_id = $1 and webhook_id = w.id and ${failedCondition} limit $2) e
                     where w.client_id = $1`)} as events,
                  ${upTo(`select from integrations where client_id = $1 and enabled and (error is not null or state ? 'test_error')
                    union all select from webhooks where client_id = $1 and ${failingWebhook}`)} as connections`,
    values: [clientId, limit],
  });
  return rows[0] as FailureCounts;
}

export type FailingJobRow = {
  job: string;
  /** null: the job of the whole installation */
  client_id: string | null;
  /** of the store */
  name: string | null;
  failed_since: Date;
  failed_at: Date;
  /** of the newest run, if the embedded engine ran it */
  error: string | null;
};

/** Jobs that fail for a store, or (null) for any real store and for the installation, newest first. */
export async function selectFailingJobs(db: Db, clientId: string | null, limit: number): Promise<FailingJobRow[]> {
  const { rows } = await db.query<FailingJobRow>({
    name: "home-failing-jobs",
    text: `select f.job, f.client_id, c.display_name as name, f.failed_since, f.failed_at, r.error->>'message' as error
             from (select distinct on (job, client_id) job, client_id, run_id, failed_at,
                          min(failed_since) over (partition by job, client_id) as failed_since
                     from job_failures
                    where case when $1::text is null then not exists (select from clients t where t.id = client_id and t.test_days is not null)
                               else client_id = $1 end
                      and failed_at > now() - interval '${RECENT_DAYS} days'
                    order by job, client_id, failed_at desc) f
             left join clients c on c.id = f.client_id
             left join job_runs r on r.id = f.run_id
            order by f.failed_at desc, f.job, f.client_id limit $2`,
    values: [clientId, limit],
  });
  return rows;
}

export type FailedMailRow = {
  id: string;
  kind: string;
  to: string;
  subject: string;
  error: string | null;
  attempts: number;
  created_at: Date;
};

/** A client's emails that recently failed at the email service, newest first. */
export async function selectFailedMails(db: Db, clientId: string, limit: number): Promise<FailedMailRow[]> {
  const { rows } = await db.query<FailedMailRow>({
    name: "home-failed-mails",
    text: `select id, kind, "to", subject, error, attempts, created_at from mails
            where client_id = $1 and status = 'failed' and ${recent} order by created_at desc, id desc limit $2`,
    values: [clientId, limit],
  });
  return rows;
}

/** Clients with a failed email that was created after a moment. */
export async function selectClientsWithFailedMails(db: Db, clientIds: string[] | null, since: Date): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select c.id from clients c where ($1::text[] is null or c.id = any($1))
        and exists (select from mails where client_id = c.id and status = 'failed' and created_at > $2) order by c.id`,
    [clientIds, since],
  );
  return rows.map(({ id }) => id);
}

export type FailedDeliveryRow = {
  id: string;
  type: string;
  kind: string;
  reason: string | null;
  attempts: number;
  created_at: Date;
};

/** Recently failed deliveries of integrations, newest first. */
export async function selectFailedDeliveries(db: Db, clientId: string, limit: number): Promise<FailedDeliveryRow[]> {
  const { rows } = await db.query<FailedDeliveryRow>({
    name: "home-failed-deliveries",
    text: `select id, type, kind, reason, attempts, created_at from deliveries
            where client_id = $1 and outcome = 'failed' and ${recent} order by created_at desc, id desc limit $2`,
    values: [clientId, limit],
  });
  return rows;
}

export type FailedEventsRow = {
  /** of the webhook */
  id: string;
  url: string;
  events: number;
  /** of the newest event */
  error: string | null;
  /** of the oldest event */
  happened_at: Date;
};

/** Webhooks with failed events, and how many each has, capped at `most`. */
export async function selectFailedEvents(db: Db, clientId: string, limit: number): Promise<FailedEventsRow[]> {
  const ofOne = `from webhook_deliveries where client_id = $1 and webhook_id = w.id and ${failedCondition}`;
  const { rows } = await db.query<FailedEventsRow>({
    name: "home-failed-events",
    text: `select w.id, w.url, (select count(*)::int from (select ${ofOne} limit $2) e) as events, newest.error, oldest.happened_at
             from webhooks w, lateral (select error ${ofOne} order by id desc limit 1) newest,
                  lateral (select happened_at ${ofOne} order by id limit 1) oldest
            where w.client_id = $1 order by w.created_at, w.id`,
    values: [clientId, limit],
  });
  return rows;
}

/**
 * `name`: the kind of an integration, or the address of a webhook, which several can share; `id`: that of the webhook;
 * `error`: the message in English.
 */
export type FailingConnectionRow = {
  id: string;
  what: "integration" | "failing" | "disabled";
  name: string;
  error: string | null;
};

/** Stopped integrations, and webhooks that are failing or disabled because of failures. */
export async function selectFailingConnections(db: Db, clientId: string): Promise<FailingConnectionRow[]> {
  const { rows } = await db.query<FailingConnectionRow>({
    name: "home-broken",
    text: `select type as id, 'integration' as what, type as name, coalesce(error, state->>'test_error') as error from integrations
            where client_id = $1 and enabled and (error is not null or state ? 'test_error')
           union all
           select id, case when disabled_at is null then 'failing' else 'disabled' end, url, last_error from webhooks
            where client_id = $1 and ${failingWebhook}
            order by name, id`,
    values: [clientId],
  });
  return rows;
}

export type PeriodScope = {
  /** first day of the earlier and of the recent period */
  before: Day;
  from: Day;
  /** last day of the recent period */
  to: Day;
  zone: string;
  maxReviews: number;
  maxMails: number;
};

export type PeriodReviewsRow = {
  recent: boolean;
  published: number;
  points: number;
  /** published reviews by score, 1 to 5 */
  dist: [number, number, number, number, number];
  replied: number;
  reply_hours: number | null;
  decided: number;
  decision_hours: number | null;
};

export type PeriodMailsRow = { recent: boolean; sent: number; answered: number };

export type ChangedProductRow = {
  id: string;
  /** null if it isn't in the catalog */
  name: string | null;
  published: number;
  average: number;
  average_before: number;
};

export type PeriodRow = {
  reviews: PeriodReviewsRow[];
  mails: PeriodMailsRow[];
  /** largest increase first, largest decrease last */
  products: ChangedProductRow[];
  scanned: number;
  oldest: Date | null;
  mails_scanned: number;
  mails_oldest: Day | null;
};

const MAX_CHANGED_PRODUCTS = 3;

const scoreCounts = [1, 2, 3, 4, 5]
  .map((score) => `coalesce(sum(count) filter (where accepted and score = ${score}), 0)::int`)
  .join(", ");
const changed = (condition: string, order: string) =>
  `(select * from averages where ${condition} order by ${order}, published desc, id limit ${MAX_CHANGED_PRODUCTS})`;

/**
 * Figures of a client's product reviews and invitation emails of two periods: from `before` to the day before `from`, and
 * from `from` to `to`. Reviews belong to the period of their date, as in analytics, and published ones are counted as
 * there. Times, replies and products come from at most the newest `maxReviews`, read from the index by time; the first
 * reply of a replied review is one index look-up. Imported reviews have no reply time. At most `maxMails` emails are read.
 */
export async function selectPeriodFigures(
  db: Db,
  clientId: string,
  { before, from, to, zone, maxReviews, maxMails }: PeriodScope,
): Promise<PeriodRow> {
  const { rows } = await db.query<PeriodRow>({
    name: "home-period",
    text: `with n as materialized (
        select id, date, created_at, score, accepted, decided_at, source, product_id, has_reply
          from reviews where client_id = $1 and created_at >= ($2::timestamp at time zone $4)
         order by created_at desc, id desc limit $5),
      r as materialized (
        select created_at, score, accepted, decided_at, source, product_id, has_reply as replied, date >= $3::date as recent,
               case when accepted and has_reply and source <> 'import' then
                 extract(epoch from (select min(w.created_at) from responses w
                                      where w.client_id = $1 and w.kind = 'review' and w.subject_id = n.id) - created_at) / 3600.0
               end as reply_hours
          from n where date between $2::date and $7::date),
      i as materialized (
        select day, reviewed_at from invitations
         where client_id = $1 and day >= $2::date and ${wasSentSql} order by day desc limit $6),
      counts as (
        select date >= $3::date as recent, coalesce(sum(count) filter (where accepted), 0)::int as published,
               coalesce(sum(count * score) filter (where accepted), 0)::int as points, array[${scoreCounts}] as dist
          from review_counts where client_id = $1 and date between $2::date and $7::date group by 1),
      times as (
        select recent, count(*) filter (where r.accepted and r.replied)::int as replied,
               percentile_cont(0.5) within group (order by r.reply_hours) as reply_hours,
               count(*) filter (where ${wasDecidedHereSql})::int as decided,
               percentile_cont(0.5) within group (order by ${decisionHoursSql}) filter (where ${wasDecidedHereSql}) as decision_hours
          from r group by recent),
      reviews_by_period as (
        select c.*, coalesce(t.replied, 0) as replied, t.reply_hours, coalesce(t.decided, 0) as decided, t.decision_hours
          from counts c left join times t on t.recent = c.recent),
      mails_by_period as (
        select day >= $3::date as recent, count(*)::int as sent, count(reviewed_at)::int as answered from i group by 1),
      averages as (
        select product_id as id, count(*) filter (where recent)::int as published,
               round(avg(score) filter (where recent), 2) as average, round(avg(score) filter (where not recent), 2) as average_before
          from r where accepted and product_id is not null group by 1
        having count(*) filter (where recent) >= ${MIN_COMPARED_REVIEWS} and count(*) filter (where not recent) >= ${MIN_COMPARED_REVIEWS}),
      changed as (
        select c.*, (select p.name from products p where p.client_id = $1 and p.id = c.id) as name
          from (${changed("average > average_before", "average - average_before desc")}
                union all ${changed("average < average_before", "average - average_before")}) c)
      select (select coalesce(json_agg(b), '[]') from reviews_by_period b) as reviews,
             (select coalesce(json_agg(b), '[]') from mails_by_period b) as mails,
             (select coalesce(json_agg(c order by c.average - c.average_before desc, c.published desc, c.id), '[]') from changed c) as products,
             (select count(*)::int from n) as scanned, (select min(created_at) from n) as oldest,
             (select count(*)::int from i) as mails_scanned, (select min(day) from i) as mails_oldest`,
    values: [clientId, before, from, zone, maxReviews, maxMails, to],
  });
  return rows[0] as PeriodRow;
}
