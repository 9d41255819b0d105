import { param, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { SaveSettings } from "@/components/invitations/save-settings";
import { SimulationForm } from "@/components/invitations/simulation-form";
import { SimulationView } from "@/components/invitations/simulation-view";
import { PageHead } from "@/components/portal/page-head";
import { SettingsPages } from "@/components/portal/settings-pages";
import { issueAt } from "@/components/settings/settings-draft";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { hasRole } from "@/lib/accounts/actor";
import { errorTranslator, titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { readSimulationInput } from "@/lib/invitations/read-simulation";
import { runSimulation } from "@/lib/invitations/run-simulation";
import { toPublicIssue } from "@/lib/platform/errors";
import type { Translate } from "@/lib/platform/i18n/translator";

export const generateMetadata = () => titleMetadata("invitations.timingTitle");

const path = "/portal/settings/invitations";

const fieldsOf = (t: Translate) =>
  [
    ["send_emails_after_days", t("invitations.sendAfter"), t("invitations.sendAfterHint")],
    ["send_emails_before_days", t("invitations.stopAfter"), t("invitations.stopAfterHint")],
    ["quarantine_period", t("invitations.cooldown"), t("invitations.cooldownHint")],
    ["send_limit", t("settingNames.dailyLimit"), t("invitations.emailsPerDayHint")],
  ] as const;

export default async function SimulationPage({ searchParams }: { searchParams: Promise<Search> }) {
  const [search, t] = [await searchParams, await translations()];
  const { actor, client, clientId } = await requireMember({ path, search });
  const { query, changes, issues } = readSimulationInput(client, (name) => param(search, name));
  const simulation = issues.size > 0 ? null : await runSimulation(client, { days: query.days, settings: changes });
  const translateIssue = await errorTranslator();
  const fieldErrors = [...issues].map(([field, issue]) => ({ field, message: translateIssue(toPublicIssue(issue)) }));
  const changed = Object.keys(changes).length > 0;
  const here = pathWithQuery(path, { client_id: clientId });
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <SettingsPages currentPath={path} role={actor.role} clientId={clientId} />
      <PageHead title={t("invitations.timingTitle")}>{t("invitations.timingIntro")}</PageHead>
      <div className="flex flex-col gap-6">
        <SimulationForm
          clientId={clientId}
          days={param(search, "days") ?? String(query.days)}
          fields={fieldsOf(t).map(([name, label, hint]) => ({
            name,
            label,
            hint:
              name === "send_limit" && client.contract_send_limit !== null
                ? `${hint} ${t("invitations.contractLimit", { n: client.contract_send_limit })}`
                : hint,
            value: param(search, name) ?? String(client[name] ?? ""),
            error: issueAt(fieldErrors, name),
          }))}
        />
        {issues.has("days") && (
          <Notice tone="bad">{t("invitations.errorDays", { fault: issueAt(fieldErrors, "days") ?? "" })}</Notice>
        )}
        {simulation && changed && (
          <div className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-accent/30 bg-accent-soft px-4 py-3">
            <p className="text-sm">{t("invitations.simulatedNotice")}</p>
            <span className="flex flex-wrap gap-2">
              <a href={here} className={buttonClass()}>
                {t("invitations.resetSettings")}
              </a>
              {hasRole(actor.role, "admin") && <SaveSettings clientId={client.id} settings={changes} then={here} />}
            </span>
          </div>
        )}
        {simulation && simulation.items > 0 && (
          <SimulationView
            simulation={simulation}
            orderHref={(id) => pathWithQuery(`/portal/orders/${encodeURIComponent(id)}`, { client_id: clientId })}
          />
        )}
        {simulation && simulation.items === 0 && (
          <EmptyState
            title={t("invitations.noOrdersTitle")}
            action={
              <Link href={pathWithQuery("/portal/feeds", { client_id: clientId })} className={buttonClass()}>
                {t("orders.addFeed")}
              </Link>
            }
          >
            {t("invitations.noOrdersText", { n: query.days })}
          </EmptyState>
        )}
      </div>
    </div>
  );
}
