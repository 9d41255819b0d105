import { Plug } from "lucide-react";
import { notFound } from "next/navigation";
import { useTranslations } from "#messages";
import { decodeSegment, orNotFound, param, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { RefreshWhile } from "@/components/feeds/use-refresh";
import { ConfirmCatalogImport } from "@/components/integrations/confirm-catalog-import";
import { outcomeLabels } from "@/components/integrations/delivery-labels";
import { forms } from "@/components/integrations/forms";
import { IntegrationActions } from "@/components/integrations/integration-actions";
import { IntegrationIssues } from "@/components/integrations/integration-card";
import { connectTitles, hostOf, integrationState } from "@/components/integrations/labels";
import { formatProgress } from "@/components/integrations/run-labels";
import { IntegrationDeliveriesTable, RunsTable } from "@/components/integrations/runs-and-deliveries";
import { SystemHead } from "@/components/integrations/system-head";
import { translateNoticeFields } from "@/components/integrations/translate-notices";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterLinks } from "@/components/ui/filter-links";
import { Link } from "@/components/ui/link";
import { hasRole } from "@/lib/accounts/actor";
import { namedMetadata, noticeTranslator, translations } from "@/lib/accounts/language/request-language";
import { integrationNames } from "@/lib/accounts/notifications/rules";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import type { KindName } from "@/lib/integrations/kinds";
import { findIntegration, listDeliveries } from "@/lib/integrations/list-integrations";
import { isActiveRun, listSyncRuns } from "@/lib/integrations/record-run";
import { isKind } from "@/lib/integrations/rows";
import { deliveryOutcomes } from "@/lib/integrations/schema";

type Props = { params: Promise<{ kind: string }>; searchParams: Promise<Search> };

export const generateMetadata = ({ params }: Props) =>
  namedMetadata("navigation.integrations", async () => {
    const kind = decodeSegment((await params).kind);
    if (!isKind(kind)) notFound();
    return (await translations())(integrationNames[kind]);
  });

const filters = [
  { name: "common.all", outcome: undefined },
  { name: "deliveries.pending", outcome: "pending" },
  // sent or imported
  { name: undefined, outcome: "done" },
  { name: "deliveries.skipped", outcome: "skipped" },
  { name: "common.failed", outcome: "failed" },
] as const;

export default async function IntegrationPage({ params, searchParams }: Props) {
  const t = await translations();
  const [{ kind: segment }, search] = await Promise.all([params, searchParams]);
  const path = `/portal/integrations/${segment}`;
  // Subjects may contain a customer's id, which viewers don't see.
  const { actor, client, clientId } = await requireMember({ path, search, role: "moderator" });
  const kind = decodeSegment(segment);
  if (!isKind(kind)) notFound();
  const listHref = pathWithQuery("/portal/integrations", { client_id: clientId });
  const mayChange = hasRole(actor.role, "admin");
  const settingsHref = forms[kind] ? pathWithQuery(`${path}/settings`, { client_id: clientId }) : null;
  const integration = await findIntegration(client, kind);
  if (!integration) return <NotConnected kind={kind} listHref={listHref} href={mayChange ? settingsHref : null} />;
  const activity = activities[kind];
  const after = param(search, "after");
  const selectedFilter = filters.find(({ outcome }) => outcome === param(search, "outcome")) ?? filters[0];
  const outcome =
    selectedFilter?.outcome === "done"
      ? activity.outcome
      : deliveryOutcomes.find((one) => one === selectedFilter?.outcome);
  const [runs, { deliveries, next }, translateNotice] = await Promise.all([
    listSyncRuns(client, kind, 10),
    orNotFound(listDeliveries(client, kind, { after, outcome })),
    noticeTranslator(),
  ]);
  const timeZone = timeZoneOf(client);
  const link = (query: Record<string, string | undefined>) => pathWithQuery(path, { client_id: clientId, ...query });
  const state = integrationState(integration);
  const name = t(integrationNames[kind]);
  const isEmpty = runs.length === 0 && deliveries.length === 0 && !outcome;
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <SystemHead
        title={name}
        state={{ ...state, word: t(state.word) }}
        trail={[{ href: listHref, name: t("navigation.integrations") }]}
        tools={
          mayChange && (
            <IntegrationActions
              integration={integration}
              name={name}
              clientId={client.id}
              listHref={listHref}
              settingsHref={settingsHref}
            />
          )
        }
      >
        {hostOf(integration.settings)}
      </SystemHead>
      {/* The runs were read last, so one may have started in between. */}
      <RefreshWhile inProgress={integration.running || runs.some(isActiveRun)} />
      <p role="status" className="text-sm text-muted empty:hidden">
        {integration.running &&
          t("integrations.runningStatus", {
            story: formatProgress(runs[0]?.outcome === "running" ? runs[0].counts : {}, t),
          })}
      </p>
      <IntegrationIssues integration={translateNoticeFields(integration, translateNotice)} />
      {mayChange && integration.deletions_held && (
        <ConfirmCatalogImport kind={kind} clientId={client.id} running={integration.running} />
      )}
      {runs.length > 0 && after === undefined && (
        <section aria-labelledby="runs" className="mt-6">
          <h2 id="runs" className="mb-2 font-semibold">
            {t("integrations.recentRunsTitle")}
          </h2>
          <RunsTable runs={runs.map((run) => translateNoticeFields(run, translateNotice))} timeZone={timeZone} />
        </section>
      )}
      {isEmpty ? (
        <div className="mt-6 rounded-card border border-dashed border-line">
          <EmptyState icon={<Plug aria-hidden="true" />} title={t("integrations.noActivityTitle")}>
            {t(activity.hint)}
          </EmptyState>
        </div>
      ) : (
        <section aria-labelledby="deliveries" className="mt-8">
          <h2 id="deliveries" className="mb-2 font-semibold">
            {t(activity.title)}
          </h2>
          <div className="mb-3">
            <FilterLinks
              label={t("common.status")}
              links={filters.map((filter) => ({
                name: t(filter.name ?? outcomeLabels[activity.outcome].word),
                href: link({ outcome: filter.outcome }),
                current: filter === selectedFilter,
              }))}
            />
          </div>
          {deliveries.length > 0 ? (
            <IntegrationDeliveriesTable
              deliveries={deliveries.map((delivery) => translateNoticeFields(delivery, translateNotice))}
              kind={kind}
              clientId={client.id}
              timeZone={timeZone}
              mayRetry={mayChange}
            />
          ) : (
            <p className="text-sm text-muted">
              {outcome ? t("integrations.noDeliveriesWithStatus") : t(activity.none)}
            </p>
          )}
        </section>
      )}
      {next && (
        <p className="mt-4 text-center">
          <Link href={link({ outcome: selectedFilter?.outcome, after: next })} className={buttonClass()}>
            {t("integrations.olderDeliveries")}
          </Link>
        </p>
      )}
    </div>
  );
}

/** What an integration that isn't connected would do. `href`: its settings, for people who may connect it. */
function NotConnected({ kind, listHref, href }: { kind: KindName; listHref: string; href: string | null }) {
  const t = useTranslations();
  const name = t(integrationNames[kind]);
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <SystemHead title={name} trail={[{ href: listHref, name: t("navigation.integrations") }]}>
        {forms[kind] && t(forms[kind].text)}
      </SystemHead>
      <div className="mt-6 rounded-card border border-dashed border-line">
        <EmptyState
          icon={<Plug aria-hidden="true" />}
          title={t("integrations.notConnectedTitle")}
          action={
            href !== null && (
              <Link href={href} className={buttonClass({ variant: "primary" })} aria-label={t(connectTitles[kind])}>
                {t("integrations.connect")}
              </Link>
            )
          }
        >
          {href === null ? t("integrations.askAdminToConnect") : t(activities[kind].hint)}
        </EmptyState>
      </div>
    </div>
  );
}

const sent = {
  outcome: "sent",
  title: "integrations.sentData",
  hint: "integrations.sentDataHint",
  none: "integrations.nothingSent",
} as const;
const imported = {
  outcome: "imported",
  title: "integrations.importedData",
  hint: "integrations.importedDataHint",
  none: "integrations.nothingImported",
} as const;
/** Data is sent to some systems and imported from others. */
const activities = { engagement: sent, commerce: imported, share: imported } satisfies Record<KindName, object>;
