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
import { titled, translateError, words } from "@/lib/accounts/sign-in/language-of-request";
import { readRehearsal } from "@/lib/invitations/read-rehearsal";
import { rehearse } from "@/lib/invitations/rehearse";
import { toldIssue } from "@/lib/platform/errors";
import type { Words } from "@/lib/platform/i18n/rules";

export const generateMetadata = () => titled("When invitations go");

const path = "/portal/settings/invitations";

const fieldsOf = (t: Words) =>
  [
    ["send_emails_after_days", t("Ask after, days"), t("From delivery on, so that there is time to try it.")],
    ["send_emails_before_days", t("Ask until, days"), t("Days after delivery; what is older is not asked for.")],
    ["quarantine_period", t("Quarantine, days"), t("Nobody gets a second mail within them. Empty: 21.")],
    ["send_limit", t("Mails a day"), t("At most; what is over goes the next day.")],
  ] as const;

export default async function RehearsalPage({ searchParams }: { searchParams: Promise<Search> }) {
  const [search, t] = [await searchParams, await words()];
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
      <PageHead title={t("When invitations go")}>
        {t("Try other settings with the orders you had: how many mails, when, and what is left out. Nothing is sent.")}
      </PageHead>
      <div className="flex flex-col gap-6">
        <RehearsalForm
          clientId={clientId}
          days={param(search, "days") ?? String(asked.days)}
          fields={fieldsOf(t).map(([name, label, hint]) => ({
            name,
            label,
            hint:
              name === "send_limit" && client.contract_send_limit !== null
                ? `${hint} ${t("The contract allows {n}.", { n: client.contract_send_limit })}`
                : hint,
            value: param(search, name) ?? String(client[name] ?? ""),
            error: issueAt(found, name),
          }))}
        />
        {issues.has("days") && (
          <Notice tone="bad">{t("The number of days: {fault}", { fault: issueAt(found, "days") ?? "" })}</Notice>
        )}
        {rehearsal && changed && (
          <div className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-accent/30 bg-accent-soft px-4 py-3">
            <p className="text-sm">
              {t("The numbers below are with your changes; the settings themselves are as before.")}
            </p>
            <span className="flex flex-wrap gap-2">
              <a href={here} className={buttonClass()}>
                {t("Back to the settings as they are")}
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
            title={t("No orders to rehearse with")}
            action={
              <Link href={address("/portal/feeds", { client_id: clientId })} className={buttonClass()}>
                {t("Import an order feed")}
              </Link>
            }
          >
            {t(
              "Nothing was delivered in the last day. Take more days, or send orders to the API.|Nothing was delivered in the last {n} days. Take more days, or send orders to the API.",
              { n: asked.days },
            )}
          </EmptyState>
        )}
      </div>
    </div>
  );
}
