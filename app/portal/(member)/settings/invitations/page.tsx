import { address, param, requireMember, type Search } from "@/app/_guard";
import { RehearsalForm } from "@/components/invitations/rehearsal-form";
import { RehearsalView } from "@/components/invitations/rehearsal-view";
import { SaveSettings } from "@/components/invitations/save-settings";
import { PageHead } from "@/components/portal/page-head";
import { SettingsPages } from "@/components/portal/settings-pages";
import { issueAt } from "@/components/settings/model";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { hasRole } from "@/lib/accounts/actor";
import { titled, translateError, translations } from "@/lib/accounts/sign-in/language-of-request";
import { readRehearsal } from "@/lib/invitations/read-rehearsal";
import { rehearse } from "@/lib/invitations/rehearse";
import { toldIssue } from "@/lib/platform/errors";
import type { Translate } from "@/lib/platform/i18n/translator";

export const generateMetadata = () => titled("invitations.timingTitle");

const path = "/portal/settings/invitations";

const fieldsOf = (t: Translate) =>
  [
    ["send_emails_after_days", t("invitations.sendAfter"), t("invitations.sendAfterHint")],
    ["send_emails_before_days", t("invitations.stopAfter"), t("invitations.stopAfterHint")],
    ["quarantine_period", t("invitations.cooldown"), t("invitations.cooldownHint")],
    ["send_limit", t("invitations.emailsPerDay"), t("invitations.emailsPerDayHint")],
  ] as const;

export default async function RehearsalPage({ searchParams }: { searchParams: Promise<Search> }) {
  const [search, t] = [await searchParams, await translations()];
  const { actor, client, clientId } = await requireMember({ here: path, search });
  const { asked, changes, issues } = readRehearsal(client, (name) => param(search, name));
  const rehearsal = issues.size > 0 ? null : await rehearse(client, { days: asked.days, settings: changes });
  const say = await translateError();
  const found = [...issues].map(([field, issue]) => ({ field, message: say(toldIssue(issue)) }));
  const changed = Object.keys(changes).length > 0;
  const here = address(path, { client_id: clientId });
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <SettingsPages here={path} role={actor.role} clientId={clientId} />
      <PageHead title={t("invitations.timingTitle")}>{t("invitations.timingIntro")}</PageHead>
      <div className="flex flex-col gap-6">
        <RehearsalForm
          clientId={clientId}
          days={param(search, "days") ?? String(asked.days)}
          fields={fieldsOf(t).map(([name, label, hint]) => ({
            name,
            label,
            hint:
              name === "send_limit" && client.contract_send_limit !== null
                ? `${hint} ${t("invitations.contractLimit", { n: client.contract_send_limit })}`
                : hint,
            value: param(search, name) ?? String(client[name] ?? ""),
            error: issueAt(found, name),
          }))}
        />
        {issues.has("days") && (
          <Notice tone="bad">{t("invitations.errorDays", { fault: issueAt(found, "days") ?? "" })}</Notice>
        )}
        {rehearsal && changed && (
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
        {rehearsal && rehearsal.items > 0 && (
          <RehearsalView
            rehearsal={rehearsal}
            orderHref={(id) => address(`/portal/orders/${encodeURIComponent(id)}`, { client_id: clientId })}
          />
        )}
        {rehearsal && rehearsal.items === 0 && (
          <EmptyState
            title={t("invitations.noOrdersTitle")}
            action={
              <Link href={address("/portal/feeds", { client_id: clientId })} className={buttonClass()}>
                {t("orders.importFeed")}
              </Link>
            }
          >
            {t("invitations.noOrdersText", { n: asked.days })}
          </EmptyState>
        )}
      </div>
    </div>
  );
}
