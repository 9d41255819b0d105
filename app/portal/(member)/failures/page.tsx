import { CircleCheck } from "lucide-react";
import { address, param, requireMember, type Search } from "@/app/_guard";
import { FeedCard } from "@/components/feeds/feed-card";
import { translateTrouble } from "@/components/integrations/translate-trouble";
import { stateWords } from "@/components/integrations/webhooks/words";
import { deliveryWords, reasonWords } from "@/components/integrations/words";
import { jobWords } from "@/components/operator/jobs/words";
import { PageHead } from "@/components/portal/page-head";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import { Ago } from "@/components/ui/time";
import { hasRole } from "@/lib/accounts/actor";
import { noticeTexts, titled, words } from "@/lib/accounts/sign-in/language-of-request";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { listFeeds } from "@/lib/feeds/list-imports";
import { isTroubled } from "@/lib/feeds/rules";
import { listFailures, MOST_FAILURES } from "@/lib/insights/home/list-failures";
import { kinds as systems } from "@/lib/integrations/kinds";
import { isKind } from "@/lib/integrations/rows";
import type { Words } from "@/lib/platform/i18n/rules";

export const generateMetadata = () => titled("What went wrong");

const kinds = ["jobs", "mails", "feeds", "connections", "deliveries", "events"] as const;
const mailKinds: Record<string, string> = {
  invitation: "Invitation",
  reminder: "Reminder",
  answer: "Answer to a question",
  rejection: "Reason of a rejection",
  digest: "Summary of what waits",
  verification: "Confirmation of an address",
  test: "Test",
};

/** A connected system as its page is called; a webhook by its address. */
const systemWords = (name: string, t: Words): string => (isKind(name) ? t(systems[name].name) : name);

export default async function FailuresPage({ searchParams }: { searchParams: Promise<Search> }) {
  const [t, say] = [await words(), await noticeTexts()];
  const search = await searchParams;
  const { actor, client, clientId } = await requireMember({
    here: "/portal/failures",
    search,
  });
  const asked = param(search, "kind");
  const only = kinds.find((kind) => kind === asked);
  const [{ mails, jobs, ...failed }, feeds] = await Promise.all([listFailures(actor, client), listFeeds(client)]);
  const deliveries = failed.deliveries.map((delivery) => translateTrouble(delivery, say));
  const givenUp = failed.givenUp.map((webhook) => translateTrouble(webhook, say));
  const broken = failed.broken.map((connection) => translateTrouble(connection, say));
  const failedFeeds = feeds.filter(isTroubled).map((feed) => translateTrouble(feed, say));
  const timeZone = timeZoneOf(client);
  const maySee = hasRole(actor.role, "moderator");
  const shows = (kind: (typeof kinds)[number], count: number) => count > 0 && (only ?? kind) === kind;
  const isOperator = actor.role === "operator";
  const nothing =
    !shows("jobs", jobs.length) &&
    !shows("mails", mails.length) &&
    !shows("feeds", failedFeeds.length) &&
    !shows("connections", broken.length) &&
    !shows("deliveries", deliveries.length) &&
    !shows("events", givenUp.length);
  return (
    <div className="mx-auto flex max-w-6xl flex-col gap-8 px-4 py-6 lg:px-8">
      <div className="-mb-5">
        <PageHead
          title={t("What went wrong")}
          tools={
            only && (
              <Link className="link text-sm" href={address("/portal/failures", { client_id: clientId })}>
                {t("Everything that went wrong")}
              </Link>
            )
          }
        >
          {t("In the last 30 days, newest first.")}
        </PageHead>
      </div>
      {shows("jobs", jobs.length) && (
        <section aria-labelledby="jobs">
          <h2 id="jobs" className="font-semibold">
            {t("Failed jobs")}
          </h2>
          <p className="mb-2 text-sm text-muted">
            {t("A job leaves this list once it succeeds.")}{" "}
            {isOperator ? (
              <Link className="link" href={address("/portal/jobs", { client_id: clientId, status: "failed" })}>
                {t("View all failed runs")}
              </Link>
            ) : (
              t("If it keeps failing, contact the operator of this server.")
            )}
          </p>
          <Table caption={t("Failed jobs")} stacks>
            <Heads>
              <Head>{t("Job")}</Head>
              {isOperator && <Head>{t("Store§client")}</Head>}
              {isOperator && <Head>{t("Reason")}</Head>}
              <Head className="text-right">{t("Failing since")}</Head>
              <Head className="text-right">{t("Last attempt")}</Head>
            </Heads>
            <Rows>
              {jobs.map((job) => (
                <Row key={`${job.job} ${job.client_id}`}>
                  <Cell>
                    <span className="block font-medium">{jobWords(job.job, t)}</span>
                    {isOperator && <span className="block font-mono text-xs text-muted">{job.job}</span>}
                  </Cell>
                  {isOperator && (
                    <Cell label={t("Store§client")} className="[overflow-wrap:anywhere]">
                      {job.name ?? t("All stores")}
                    </Cell>
                  )}
                  {isOperator && (
                    <Cell label={t("Reason")} className="min-w-56 text-bad [overflow-wrap:anywhere]">
                      {job.error ?? t("See the job engine's log.")}
                    </Cell>
                  )}
                  <Cell label={t("Failing since")} className="text-right whitespace-nowrap">
                    <Ago at={job.failed_since} timeZone={timeZone} />
                  </Cell>
                  <Cell label={t("Last attempt")} className="text-right whitespace-nowrap">
                    <Ago at={job.failed_at} timeZone={timeZone} />
                  </Cell>
                </Row>
              ))}
            </Rows>
          </Table>
        </section>
      )}
      {shows("mails", mails.length) && (
        <section aria-labelledby="mails">
          <h2 id="mails" className="font-semibold">
            {t("Mails that could not be sent")}
          </h2>
          <p className="mb-2 text-sm text-muted">
            {t(
              "The mail service refused them for good, or they were tried as often as makes sense. An address that bounces gets no further mails.",
            )}
          </p>
          <Table caption={t("Failed mails")} stacks>
            <Heads>
              <Head>{t("Mail")}</Head>
              <Head>{t("To")}</Head>
              <Head>{t("What the mail service said")}</Head>
              <Head className="text-right">{t("Since")}</Head>
            </Heads>
            <Rows>
              {mails.map((mail) => (
                <Row key={mail.id}>
                  <Cell>
                    <span className="block font-medium">{t(mailKinds[mail.kind] ?? mail.kind)}</span>
                    {mail.subject !== null && (
                      <span className="block max-w-64 truncate text-muted" title={mail.subject}>
                        {mail.subject}
                      </span>
                    )}
                  </Cell>
                  <Cell label={t("To")} className="break-all">
                    {mail.to ?? t("hidden§address")}
                  </Cell>
                  <Cell label={t("What the mail service said")} className="min-w-56 text-bad">
                    {mail.error ?? t("Nothing.")}
                  </Cell>
                  <Cell label={t("Since")} className="text-right whitespace-nowrap">
                    <Ago at={mail.created_at} timeZone={timeZone} />
                  </Cell>
                </Row>
              ))}
            </Rows>
          </Table>
        </section>
      )}
      {shows("feeds", failedFeeds.length) && (
        <section aria-labelledby="feeds">
          <h2 id="feeds" className="mb-2 font-semibold">
            {t("Feeds that brought little or nothing the last time")}
          </h2>
          <ul className="flex flex-col gap-3">
            {failedFeeds.map((feed) => (
              <FeedCard
                key={feed.id}
                feed={feed}
                clientId={client.id}
                timeZone={timeZone}
                mayChange={hasRole(actor.role, "admin")}
                reportHref={feed.last_import && address(`/portal/feeds/${feed.last_import}`, { client_id: clientId })}
              />
            ))}
          </ul>
        </section>
      )}
      {shows("connections", broken.length) && (
        <section aria-labelledby="connections">
          <h2 id="connections" className="mb-2 font-semibold">
            {t("Connections that stand still")}
          </h2>
          <div className="flex flex-col gap-2">
            {broken.map(({ id, what, name, error }) => (
              <Notice key={id} tone="bad">
                <strong className="font-semibold [overflow-wrap:anywhere]">{systemWords(name, t)}</strong>:{" "}
                {what !== "integration" && `${t(stateWords[what].word)}. `}
                {error}
              </Notice>
            ))}
          </div>
        </section>
      )}
      {shows("deliveries", deliveries.length) && (
        <section aria-labelledby="deliveries">
          <h2 id="deliveries" className="font-semibold">
            {t("Messages that other systems did not take")}
          </h2>
          <p className="mb-2 text-sm text-muted">
            {t("On the page of the system each can be tried again, or all of them.")}
          </p>
          <Table caption={t("Failed messages")} stacks>
            <Heads>
              <Head>{t("To")}</Head>
              <Head>{t("What")}</Head>
              <Head>{t("Reason")}</Head>
              <Head className="text-right">{t("Tries")}</Head>
              <Head className="text-right">{t("Since")}</Head>
            </Heads>
            <Rows>
              {deliveries.map((delivery) => (
                <Row key={delivery.id}>
                  <Cell>
                    {maySee ? (
                      <Link
                        className="link"
                        href={address(`/portal/integrations/${delivery.type}`, {
                          client_id: clientId,
                          outcome: "failed",
                        })}
                      >
                        {systemWords(delivery.type, t)}
                      </Link>
                    ) : (
                      <Badge>{systemWords(delivery.type, t)}</Badge>
                    )}
                  </Cell>
                  <Cell label={t("What")}>{deliveryWords(delivery.kind, t)}</Cell>
                  <Cell label={t("Reason")} className="text-bad">
                    {delivery.reason ? reasonWords(delivery.reason, t) : t("None was given.")}
                  </Cell>
                  <Cell label={t("Tries")} className="figures text-right">
                    {delivery.attempts}
                  </Cell>
                  <Cell label={t("Since")} className="text-right whitespace-nowrap">
                    <Ago at={delivery.created_at} timeZone={timeZone} />
                  </Cell>
                </Row>
              ))}
            </Rows>
          </Table>
        </section>
      )}
      {shows("events", givenUp.length) && (
        <section aria-labelledby="events">
          <h2 id="events" className="font-semibold">
            {t("Events that webhooks gave up")}
          </h2>
          <p className="mb-2 text-sm text-muted">
            {t("On the page of the webhook each can be told again, or all of them.")}
          </p>
          <Table caption={t("Webhooks that gave up events")} stacks>
            <Heads>
              <Head>{t("Webhook")}</Head>
              <Head className="text-right">{t("Events")}</Head>
              <Head>{t("Reason of the newest")}</Head>
              <Head className="text-right">{t("Since")}</Head>
            </Heads>
            <Rows>
              {givenUp.map(({ id, url, events, error, happened_at }) => (
                <Row key={id}>
                  <Cell className="[overflow-wrap:anywhere]">
                    <Link
                      className="link"
                      href={address(`/portal/integrations/webhooks/${encodeURIComponent(id)}`, {
                        client_id: clientId,
                        state: "failed",
                      })}
                    >
                      {url}
                    </Link>
                  </Cell>
                  <Cell label={t("Events")} className="figures text-right">
                    {events > MOST_FAILURES ? `${MOST_FAILURES}+` : events}
                  </Cell>
                  <Cell label={t("Reason of the newest")} className="min-w-56 text-bad">
                    {error ?? t("None was given.")}
                  </Cell>
                  <Cell label={t("Since")} className="text-right whitespace-nowrap">
                    <Ago at={happened_at} timeZone={timeZone} />
                  </Cell>
                </Row>
              ))}
            </Rows>
          </Table>
        </section>
      )}
      {nothing && (
        <EmptyState icon={<CircleCheck aria-hidden="true" />} title={t("Nothing went wrong")}>
          {t("Mails, feeds and connections of the last 30 days are all fine.")}
        </EmptyState>
      )}
    </div>
  );
}
