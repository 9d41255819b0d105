import { Download, ScrollText } from "lucide-react";
import { clientsOf, orNotFound, param, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { AuditFilters } from "@/components/accounts/audit-filters";
import { AuditTable } from "@/components/accounts/audit-table";
import { PageHead } from "@/components/portal/page-head";
import { SettingsPages } from "@/components/portal/settings-pages";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { listAudit } from "@/lib/accounts/list-audit";
import { listClientKeys } from "@/lib/accounts/list-client-keys";
import { listPeople } from "@/lib/accounts/list-people";
import { integrationNames } from "@/lib/accounts/notifications/rules";
import { AuditFilter, type AuditLine } from "@/lib/accounts/schema";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { type KindName, kinds } from "@/lib/integrations/kinds";
import { env } from "@/lib/platform/env";
import type { Translate } from "@/lib/platform/i18n/translator";

export const generateMetadata = () => titleMetadata("navigation.auditLog");

const path = "/portal/audit";

export default async function AuditPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const search = await searchParams;
  const { actor, client, clientId } = await requireMember({ path, search, role: "admin" });
  // An empty field of the form is no filter.
  const filterParams = Object.fromEntries(
    ["what", "who", "from", "to"].map((name) => [name, param(search, name) || undefined]),
  );
  const filter = AuditFilter.safeParse(filterParams);
  const after = param(search, "after");
  const [people, keys, clients, audit] = await Promise.all([
    listPeople(actor, client),
    listClientKeys(actor, client),
    clientsOf(actor),
    filter.success ? orNotFound(listAudit(actor, client, { ...filter.data, after }, new URL(env().PUBLIC_URL))) : null,
  ]);
  const next = audit?.links.next && (new URL(audit.links.next).searchParams.get("after") ?? undefined);
  const query = { client_id: clientId, ...filterParams };
  const isFiltered = [...Object.values(filterParams), after].some(Boolean);
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <SettingsPages currentPath={path} role={actor.role} clientId={clientId} />
      <PageHead
        title={t("navigation.auditLog")}
        tools={
          filter.success && (
            <a
              href={pathWithQuery("/portal/api/v1/audit/csv", { ...query, client_id: client.id })}
              className={buttonClass()}
            >
              <Download aria-hidden="true" className="size-4" />
              {t("common.exportCsv")}
            </a>
          )
        }
      >
        {t("audit.intro")}
      </PageHead>
      <AuditFilters
        action={path}
        clientId={clientId}
        actors={[
          ...people.map(({ id, name, username }) => ({ id, name: name ?? username })),
          ...keys.map(({ id, name }) => ({ id, name: t("audit.apiKeyName", { name }) })),
        ]}
        what={filterParams.what}
        who={filterParams.who}
        from={filterParams.from}
        to={filterParams.to}
      />
      {!filter.success && <Notice tone="bad">{t("audit.errorInvalidFilter")}</Notice>}
      {audit && audit.data.length > 0 && (
        <AuditTable
          lines={audit.data.map((line) => withIntegrationName(line, t))}
          clients={clients}
          timeZone={timeZoneOf(client)}
        />
      )}
      {audit && audit.data.length === 0 && (
        <EmptyState
          icon={<ScrollText aria-hidden="true" />}
          title={next ? t("audit.noMatchesSoFar") : isFiltered ? t("audit.noMatchesTitle") : t("audit.emptyTitle")}
        >
          {next ? t("audit.partialHint") : isFiltered ? t("audit.noMatchesHint") : t("audit.emptyHint")}
        </EmptyState>
      )}
      {next && (
        <p className="mt-4 text-center">
          <Link href={pathWithQuery(path, { ...query, after: next })} className={buttonClass()}>
            {t("audit.older")}
          </Link>
        </p>
      )}
    </div>
  );
}

/** An audit entry about an integration, with the name that the portal uses: integrations have no names of their own. */
function withIntegrationName(line: AuditLine, t: Translate): AuditLine {
  const { action, subject } = line;
  if (!action.startsWith("integration.") || subject === null || !Object.hasOwn(kinds, subject)) return line;
  return { ...line, subject_name: t(integrationNames[subject as KindName]) };
}
