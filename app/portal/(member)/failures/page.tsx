import { CircleCheck } from "lucide-react";
import { param, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { FeedCard } from "@/components/feeds/feed-card";
import { deliveryKindLabel, deliveryReasonLabel } from "@/components/integrations/delivery-labels";
import { translateNoticeFields } from "@/components/integrations/translate-notices";
import { webhookStateLabels } from "@/components/integrations/webhooks/labels";
import { jobLabel } from "@/components/operator/jobs/job-labels";
import { PageHead } from "@/components/portal/page-head";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import { Ago } from "@/components/ui/time";
import { hasRole } from "@/lib/accounts/actor";
import { noticeTranslator, titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { integrationNames } from "@/lib/accounts/notifications/rules";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { listFeeds } from "@/lib/feeds/list-imports";
import { needsAttention } from "@/lib/feeds/rules";
import { listFailures, MAX_FAILURES } from "@/lib/insights/home/list-failures";
import { isKind } from "@/lib/integrations/rows";
import { formatCount } from "@/lib/platform/i18n/format";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";

export const generateMetadata = () => titleMetadata("navigation.failures");

const kinds = ["jobs", "mails", "feeds", "connections", "deliveries", "events"] as const;
const mailKinds: Record<string, MessageKey> = {
  invitation: "common.invitation",
  reminder: "common.reminder",
  answer: "failures.emailAnswer",
  appeal: "failures.emailAppeal",
  author_link: "failures.emailAuthorLink",
  report: "failures.emailReport",
  rejection: "failures.emailRejection",
  digest: "failures.emailSummary",
  verification: "failures.emailVerification",
  test: "failures.emailTest",
};

/** The title of the integration's page; for a webhook, its address. */
const systemName = (name: string, t: Translate): string => (isKind(name) ? t(integrationNames[name]) : name);

export default async function FailuresPage({ searchParams }: { searchParams: Promise<Search> }) {
  const [t, translateNotice] = [await translations(), await noticeTranslator()];
  const search = await searchParams;
  const { actor, client, clientId } = await requireMember({
    path: "/portal/failures",
    search,
  });
  const requestedKind = param(search, "kind");
  const only = kinds.find((kind) => kind === requestedKind);
  const [{ mails, jobs, ...failures }, feeds] = await Promise.all([listFailures(actor, client), listFeeds(client)]);
  const deliveries = failures.deliveries.map((delivery) => translateNoticeFields(delivery, translateNotice));
  const failedWebhooks = failures.failedEvents.map((webhook) => translateNoticeFields(webhook, translateNotice));
  const broken = failures.broken.map((connection) => translateNoticeFields(connection, translateNotice));
  const failedFeeds = feeds.filter(needsAttention).map((feed) => translateNoticeFields(feed, translateNotice));
  const timeZone = timeZoneOf(client);
  const canOpenIntegrations = hasRole(actor.role, "moderator");
  const isShown = (kind: (typeof kinds)[number], count: number) => count > 0 && (only ?? kind) === kind;
  const isOperator = actor.role === "operator";
  const isEmpty =
    !isShown("jobs", jobs.length) &&
    !isShown("mails", mails.length) &&
    !isShown("feeds", failedFeeds.length) &&
    !isShown("connections", broken.length) &&
    !isShown("deliveries", deliveries.length) &&
    !isShown("events", failedWebhooks.length);
  return (
    <div className="mx-auto flex max-w-6xl flex-col gap-8 px-4 py-6 lg:px-8">
      <div className="-mb-5">
        <PageHead
          title={t("navigation.failures")}
          tools={
            only && (
              <Link className="link text-sm" href={pathWithQuery("/portal/failures", { client_id: clientId })}>
                {t("failures.viewAll")}
              </Link>
            )
          }
        >
          {t("failures.intro")}
        </PageHead>
      </div>
      {isShown("jobs", jobs.length) && (
        <section aria-labelledby="jobs">
          <h2 id="jobs" className="font-semibold">
            {t("failures.failedJobs")}
          </h2>
          <p className="mb-2 text-sm text-muted">
            {t(isOperator ? "failures.failedJobsOfAllHint" : "failures.failedJobsHint")}{" "}
            {isOperator ? (
              <Link className="link" href={pathWithQuery("/portal/jobs", { client_id: clientId, status: "failed" })}>
                {t("failures.viewFailedRuns")}
              </Link>
            ) : (
              t("failures.contactOperator")
            )}
          </p>
          <Table caption={t("failures.failedJobs")} stacks>
            <Heads>
              <Head>{t("operations.job")}</Head>
              {isOperator && <Head>{t("failures.store")}</Head>}
              {isOperator && <Head>{t("queue.reason")}</Head>}
              <Head className="text-right">{t("failures.failingFor")}</Head>
              <Head className="text-right">{t("failures.lastAttempt")}</Head>
            </Heads>
            <Rows>
              {jobs.map((job) => (
                <Row key={`${job.job} ${job.client_id}`}>
                  <Cell>
                    <span className="block font-medium">{jobLabel(job.job, t)}</span>
                    {isOperator && <span className="block font-mono text-xs text-muted">{job.job}</span>}
                  </Cell>
                  {isOperator && (
                    <Cell label={t("failures.store")} className="[overflow-wrap:anywhere]">
                      {job.name ?? t("failures.allStores")}
                    </Cell>
                  )}
                  {isOperator && (
                    <Cell label={t("queue.reason")} className="min-w-56 text-bad [overflow-wrap:anywhere]">
                      {job.error ?? t("failures.seeJobLog")}
                    </Cell>
                  )}
                  <Cell label={t("failures.failingFor")} className="text-right whitespace-nowrap">
                    <Ago at={job.failed_since} timeZone={timeZone} within />
                  </Cell>
                  <Cell label={t("failures.lastAttempt")} className="text-right whitespace-nowrap">
                    {t.rich("common.timeAgo", { age: <Ago at={job.failed_at} timeZone={timeZone} within /> })}
                  </Cell>
                </Row>
              ))}
            </Rows>
          </Table>
        </section>
      )}
      {isShown("mails", mails.length) && (
        <section aria-labelledby="mails">
          <h2 id="mails" className="font-semibold">
            {t("failures.emailsTitle")}
          </h2>
          <p className="mb-2 text-sm text-muted">{t("failures.emailsHint")}</p>
          <Table caption={t("failures.emailsTable")} stacks>
            <Heads>
              <Head>{t("emailPreview.email")}</Head>
              <Head>{t("emailPreview.to")}</Head>
              <Head>{t("failures.emailServiceResponse")}</Head>
              <Head className="text-right">{t("common.date")}</Head>
            </Heads>
            <Rows>
              {mails.map((mail) => (
                <Row key={mail.id}>
                  <Cell>
                    <span className="block font-medium">
                      {mailKinds[mail.kind] ? t(mailKinds[mail.kind] as MessageKey) : mail.kind}
                    </span>
                    {mail.subject !== null && (
                      <span className="block max-w-64 truncate text-muted" title={mail.subject}>
                        {mail.subject}
                      </span>
                    )}
                  </Cell>
                  <Cell label={t("emailPreview.to")} className="break-all">
                    {mail.to ?? t("failures.addressHidden")}
                  </Cell>
                  <Cell label={t("failures.emailServiceResponse")} className="min-w-56 text-bad">
                    {mail.error ?? t("failures.noResponse")}
                  </Cell>
                  <Cell label={t("common.date")} className="text-right whitespace-nowrap">
                    {t.rich("common.timeAgo", { age: <Ago at={mail.created_at} timeZone={timeZone} within /> })}
                  </Cell>
                </Row>
              ))}
            </Rows>
          </Table>
        </section>
      )}
      {isShown("feeds", failedFeeds.length) && (
        <section aria-labelledby="feeds">
          <h2 id="feeds" className="mb-2 font-semibold">
            {t("failures.feedsTitle")}
          </h2>
          <ul className="flex flex-col gap-3">
            {failedFeeds.map((feed) => (
              <FeedCard
                key={feed.id}
                feed={feed}
                clientId={client.id}
                timeZone={timeZone}
                mayChange={hasRole(actor.role, "admin")}
                reportHref={
                  feed.last_import && pathWithQuery(`/portal/feeds/${feed.last_import}`, { client_id: clientId })
                }
              />
            ))}
          </ul>
        </section>
      )}
      {isShown("connections", broken.length) && (
        <section aria-labelledby="connections">
          <h2 id="connections" className="mb-2 font-semibold">
            {t("failures.failingTitle")}
          </h2>
          <div className="flex flex-col gap-2">
            {broken.map(({ id, what, name, error }) => (
              <Notice key={id} tone="bad">
                <strong className="font-semibold [overflow-wrap:anywhere]">{systemName(name, t)}</strong>:{" "}
                {what !== "integration" && `${t(webhookStateLabels[what].word)}. `}
                {error}
              </Notice>
            ))}
          </div>
        </section>
      )}
      {isShown("deliveries", deliveries.length) && (
        <section aria-labelledby="deliveries">
          <h2 id="deliveries" className="font-semibold">
            {t("failures.deliveriesTitle")}
          </h2>
          <p className="mb-2 text-sm text-muted">{t("failures.deliveriesHint")}</p>
          <Table caption={t("failures.deliveriesTable")} stacks>
            <Heads>
              <Head>{t("emailPreview.to")}</Head>
              <Head>{t("common.event")}</Head>
              <Head>{t("queue.reason")}</Head>
              <Head className="text-right">{t("failures.attempts")}</Head>
              <Head className="text-right">{t("common.date")}</Head>
            </Heads>
            <Rows>
              {deliveries.map((delivery) => (
                <Row key={delivery.id}>
                  <Cell>
                    {canOpenIntegrations ? (
                      <Link
                        className="link"
                        href={pathWithQuery(`/portal/integrations/${delivery.type}`, {
                          client_id: clientId,
                          outcome: "failed",
                        })}
                      >
                        {systemName(delivery.type, t)}
                      </Link>
                    ) : (
                      <Badge>{systemName(delivery.type, t)}</Badge>
                    )}
                  </Cell>
                  <Cell label={t("common.event")}>{deliveryKindLabel(delivery.kind, t)}</Cell>
                  <Cell label={t("queue.reason")} className="text-bad">
                    {delivery.reason ? deliveryReasonLabel(delivery.reason, t) : t("failures.noReason")}
                  </Cell>
                  <Cell label={t("failures.attempts")} className="figures text-right">
                    {delivery.attempts}
                  </Cell>
                  <Cell label={t("common.date")} className="text-right whitespace-nowrap">
                    {t.rich("common.timeAgo", { age: <Ago at={delivery.created_at} timeZone={timeZone} within /> })}
                  </Cell>
                </Row>
              ))}
            </Rows>
          </Table>
        </section>
      )}
      {isShown("events", failedWebhooks.length) && (
        <section aria-labelledby="events">
          <h2 id="events" className="font-semibold">
            {t("failures.eventsTitle")}
          </h2>
          <p className="mb-2 text-sm text-muted">{t("failures.eventsHint")}</p>
          <Table caption={t("failures.eventsTable")} stacks>
            <Heads>
              <Head>{t("webhooks.webhook")}</Head>
              <Head className="text-right">{t("webhooks.events")}</Head>
              <Head>{t("failures.latestError")}</Head>
              <Head className="text-right">{t("failures.oldestEvent")}</Head>
            </Heads>
            <Rows>
              {failedWebhooks.map(({ id, url, events, error, happened_at }) => (
                <Row key={id}>
                  <Cell className="[overflow-wrap:anywhere]">
                    <Link
                      className="link"
                      href={pathWithQuery(`/portal/integrations/webhooks/${encodeURIComponent(id)}`, {
                        client_id: clientId,
                        state: "failed",
                      })}
                    >
                      {url}
                    </Link>
                  </Cell>
                  <Cell label={t("webhooks.events")} className="figures text-right">
                    {formatCount(Math.min(events, MAX_FAILURES), t.language, events > MAX_FAILURES)}
                  </Cell>
                  <Cell label={t("failures.latestError")} className="min-w-56 text-bad">
                    {error ?? t("failures.noReason")}
                  </Cell>
                  <Cell label={t("failures.oldestEvent")} className="text-right whitespace-nowrap">
                    {t.rich("common.timeAgo", { age: <Ago at={happened_at} timeZone={timeZone} within /> })}
                  </Cell>
                </Row>
              ))}
            </Rows>
          </Table>
        </section>
      )}
      {isEmpty && (
        <EmptyState icon={<CircleCheck aria-hidden="true" />} title={t("failures.emptyTitle")}>
          {t("failures.emptyHint")}
        </EmptyState>
      )}
    </div>
  );
}
