import {
  Flag,
  MailX,
  MessageCircleQuestionMark,
  MessageSquareReply,
  PlugZap,
  Rss,
  Scale,
  Webhook,
  Workflow,
} from "lucide-react";
import { Suspense } from "react";
import { useTranslations } from "#messages";
import {
  defaultClientId,
  hasSeveralClients,
  pathWithQuery,
  requireMember,
  requirePerson,
  type Search,
} from "@/app/_guard";
import { PendingCard } from "@/components/insights/home/pending-card";
import { Period } from "@/components/insights/home/period";
import { Count, type TaskLine, Tasks } from "@/components/insights/home/tasks";
import { SetupCard } from "@/components/insights/setup/setup-card";
import { ItemLine } from "@/components/moderation/item-line";
import { itemPath } from "@/components/moderation/labels";
import { MessagesProvider } from "@/components/portal/messages";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { Ago } from "@/components/ui/time";
import { hasRole } from "@/lib/accounts/actor";
import { messagesFor, titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { isConcern } from "@/lib/honesty/bias/find-bias";
import { readBias } from "@/lib/honesty/list-bias";
import { countFailures, type Failures, MAX_FAILURES } from "@/lib/insights/home/list-failures";
import { periodFigures } from "@/lib/insights/home/period-figures";
import { getOpenSetup } from "@/lib/insights/setup/get-setup";
import { countPending } from "@/lib/moderation/queue/count-pending";
import { listPendingClients } from "@/lib/moderation/queue/list-pending-clients";
import { listQueue } from "@/lib/moderation/queue/list-queue";
import type { PendingCounts } from "@/lib/moderation/queue/schema";
import { env } from "@/lib/platform/env";
import { formatCount } from "@/lib/platform/i18n/format";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";
import { countUnreplied, MAX_COUNTED_REVIEWS } from "@/lib/reviews/replies/count-unreplied";

export const generateMetadata = () => titleMetadata("navigation.home");

/** Most other clients with pending items to show on the home page. */
const MAX_OTHER_STORES = 12;

/** Counts up to 50,000 reviews, so the rest of the page doesn't wait for it. */
async function LastDays({ client, link }: { client: ClientRow; link: LinkTo }) {
  const figures = await periodFigures(client);
  return (
    <Period
      figures={figures}
      href={{
        analytics: link("/portal/analytics"),
        invitations: link("/portal/invitations", { from: figures.from, to: figures.to }),
        published: link("/portal/library", { status: "accepted" }),
        unreplied: link("/portal/library", { status: "accepted", reply: "0" }),
        product: (id) => link(`/portal/products/${encodeURIComponent(id)}`),
      }}
    />
  );
}

export default async function HomePage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const page = { path: "/portal", search: await searchParams };
  const person = await requirePerson(page);
  if ((await defaultClientId(person)) === null) return <NoClient isOperator={hasRole(person.role, "operator")} />;
  const { actor, client, clientId } = await requireMember(page);
  const [pendingCounts, latest, pendingByStore, failures, bias, replies, setup] = await Promise.all([
    countPending(actor, client),
    listQueue(actor, client, { status: "all" }, new URL(env().PUBLIC_URL)),
    hasSeveralClients(actor) ? listPendingClients(actor, MAX_OTHER_STORES + 1) : [],
    countFailures(actor, client),
    readBias(client.id),
    countUnreplied(client),
    hasRole(actor.role, "admin") ? getOpenSetup(actor, client) : null,
  ]);
  const timeZone = timeZoneOf(client);
  const otherStores = pendingByStore.filter(({ id }) => id !== client.id).slice(0, MAX_OTHER_STORES);
  const newest = latest.data.slice(0, 6);
  const link = (path: string, query: Record<string, string> = {}) =>
    pathWithQuery(path, { client_id: clientId, ...query });
  const followUps = [...followUpTasks(pendingCounts, replies, link, t)];
  const failed = problemTasks(failures, bias.findings.filter(isConcern).length, link);
  const setupCard = setup && (
    <MessagesProvider {...(await messagesFor("setup"))}>
      <SetupCard setup={setup} clientId={client.id} href={link("/portal/setup")} />
    </MessagesProvider>
  );
  return (
    <div className="mx-auto flex max-w-4xl flex-col gap-8 px-4 py-6 lg:px-8 lg:py-8">
      <header>
        <h1 className="text-2xl font-semibold break-words">{client.display_name}</h1>
        {newest.length === 0 && <p className="text-muted">{t("home.welcome")}</p>}
      </header>
      {failed.length > 0 && <Tasks label={t("home.problems")} tasks={failed} />}
      {newest.length === 0 && setupCard}
      {newest.length > 0 && (
        <PendingCard pendingCounts={pendingCounts} href={link("/portal/queue")} timeZone={timeZone} />
      )}
      {followUps.length > 0 && <Tasks label={t("home.followUp")} tasks={followUps} />}
      {newest.length > 0 && setupCard}

      {otherStores.length > 0 && (
        <section aria-labelledby="elsewhere">
          <h2 id="elsewhere" className="mb-2 font-semibold">
            {t("home.otherStores")}
          </h2>
          <ul className="overflow-hidden rounded-card border border-line bg-raised shadow-raised">
            {otherStores.map((other) => (
              <li key={other.id} className="border-b border-line last:border-b-0">
                <Link
                  href={pathWithQuery("/portal/queue", { client_id: other.id })}
                  className="flex flex-wrap items-center gap-x-3 px-5 py-3 text-sm -outline-offset-2 hover:bg-sunken/60"
                >
                  <span className="min-w-40 flex-1 truncate font-medium">{other.display_name}</span>
                  <span className="figures text-muted">
                    {t.rich("queue.pendingSince", {
                      what: <span className="text-ink">{formatCount(other.count, t.language, other.more)}</span>,
                      ago: <Ago at={other.oldest_at} timeZone={timeZone} />,
                    })}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}

      {newest.length > 0 && (
        <Suspense>
          <LastDays client={client} link={link} />
        </Suspense>
      )}

      {newest.length > 0 ? (
        <section aria-labelledby="latest">
          <div className="mb-2 flex items-baseline justify-between gap-4">
            <h2 id="latest" className="font-semibold">
              {t("home.latest")}
            </h2>
            <Link className="link text-sm" href={link("/portal/queue", { status: "all" })}>
              {t("home.viewAll")}
            </Link>
          </div>
          <ul className="overflow-hidden rounded-card border border-line bg-raised shadow-raised">
            {newest.map((item) => (
              <ItemLine
                key={`${item.kind} ${item.id}`}
                item={item}
                href={pathWithQuery(itemPath(item), { client_id: clientId })}
                timeZone={timeZone}
              />
            ))}
          </ul>
        </section>
      ) : (
        !setup && <EmptyState title={t("home.emptyTitle")}>{t("home.emptyHint")}</EmptyState>
      )}
    </div>
  );
}

type LinkTo = (path: string, query?: Record<string, string>) => string;

/** Reports, questions and reviews without a response. */
function followUpTasks(
  pendingCounts: PendingCounts,
  { published, unreplied }: { published: number; unreplied: number },
  link: LinkTo,
  t: Translate,
) {
  const tasks: TaskLine[] = [];
  const max = 999;
  if (pendingCounts.reported > 0)
    tasks.push({
      icon: <Flag aria-hidden="true" className="size-5 shrink-0 text-bad" />,
      href: link("/portal/reviews", { status: "accepted", reported: "1" }),
      text: <Count count={pendingCounts.reported} max={max} message="home.reportedReviews" />,
    });
  if (pendingCounts.unanswered > 0)
    tasks.push({
      icon: <MessageCircleQuestionMark aria-hidden="true" className="size-5 shrink-0 text-warn" />,
      href: link("/portal/questions", { status: "accepted", unreplied: "1" }),
      text: <Count count={pendingCounts.unanswered} max={max} message="home.unansweredQuestions" />,
      hint: t("home.unansweredHint"),
    });
  if (unreplied > 0)
    tasks.push({
      icon: <MessageSquareReply aria-hidden="true" className="size-5 shrink-0 text-muted" />,
      href: link("/portal/reviews", { status: "accepted", unreplied: "1" }),
      text: <Count count={unreplied} max={MAX_COUNTED_REVIEWS} message="home.unrepliedReviews" />,
      hint: t("home.unrepliedHint", { published }),
    });
  return tasks;
}

/** Recent failures, and what depends on stars, each with the page that shows them. */
function problemTasks(failures: Failures, findings: number, link: LinkTo): TaskLine[] {
  const at = (icon: typeof MailX, count: number, href: string, words: MessageKey): TaskLine[] => {
    const Icon = icon;
    return count === 0
      ? []
      : [
          {
            icon: <Icon aria-hidden="true" className="size-5 shrink-0 text-bad" />,
            href,
            text: <Count count={count} max={MAX_FAILURES} message={words} />,
          },
        ];
  };
  return [
    ...at(MailX, failures.mails, link("/portal/failures", { kind: "mails" }), "home.failedEmails"),
    ...at(Rss, failures.feeds, link("/portal/failures", { kind: "feeds" }), "home.failedFeeds"),
    ...at(PlugZap, failures.connections, link("/portal/failures", { kind: "connections" }), "home.stoppedIntegrations"),
    ...at(PlugZap, failures.deliveries, link("/portal/failures", { kind: "deliveries" }), "home.failedDeliveries"),
    ...at(Webhook, failures.events, link("/portal/failures", { kind: "events" }), "home.failedWebhooks"),
    ...at(Workflow, failures.jobs, link("/portal/failures", { kind: "jobs" }), "home.failedJobs"),
    ...at(Scale, findings, link("/portal/bias"), "home.biasFindings"),
  ];
}

function NoClient({ isOperator }: { isOperator: boolean }) {
  const t = useTranslations();
  if (!isOperator)
    return (
      <EmptyState heading="h1" title={t("navigation.noStores")}>
        {t("home.noStoreHint")}
      </EmptyState>
    );
  return (
    <EmptyState
      heading="h1"
      title={t("navigation.noStores")}
      action={
        <Link href="/portal/accounts" className={buttonClass({ variant: "primary" })}>
          {t("accounts.createStore")}
        </Link>
      }
    >
      {t.rich("home.createStoreHint", {
        code: <code className="font-mono text-sm text-ink">npm run -s admin -- client create --id shop.example</code>,
      })}
    </EmptyState>
  );
}
