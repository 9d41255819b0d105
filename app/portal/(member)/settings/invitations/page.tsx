import type { Metadata } from "next";
import { address, param, requireMember, type Search } from "@/app/_guard";
import { RehearsalForm } from "@/components/invitations/rehearsal-form";
import { RehearsalView } from "@/components/invitations/rehearsal-view";
import { SaveSettings } from "@/components/invitations/save-settings";
import { PageHead } from "@/components/portal/page-head";
import { SettingsPages } from "@/components/portal/settings-pages";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { hasRole } from "@/lib/auth/actor";
import { readRehearsal } from "@/lib/invitations/read-rehearsal";
import { rehearse } from "@/lib/invitations/rehearse";

export const metadata: Metadata = { title: "When invitations go" };

const path = "/portal/settings/invitations";

const fields = [
  ["send_emails_after_days", "Ask after, days", "From delivery on, so that there is time to try it."],
  ["send_emails_before_days", "Ask until, days", "Days after delivery; what is older is not asked for."],
  ["quarantine_period", "Quarantine, days", "Nobody gets a second mail within them. Empty: 21."],
  ["send_limit", "Mails a day", "At most; what is over goes the next day."],
] as const;

export default async function RehearsalPage({ searchParams }: { searchParams: Promise<Search> }) {
  const search = await searchParams;
  const { actor, client, clientId } = await requireMember({ here: path, search });
  const { asked, changes, faults } = readRehearsal(client, (name) => param(search, name));
  const rehearsal = faults.size > 0 ? null : await rehearse(client, { days: asked.days, settings: changes });
  const changed = Object.keys(changes).length > 0;
  const here = address(path, { client_id: clientId });
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <SettingsPages here={path} role={actor.role} clientId={clientId} />
      <PageHead title="When invitations go">
        Try other settings with the orders you had: how many mails, when, and what is left out. Nothing is sent.
      </PageHead>
      <div className="flex flex-col gap-6">
        <RehearsalForm
          clientId={clientId}
          days={param(search, "days") ?? String(asked.days)}
          fields={fields.map(([name, label, hint]) => ({
            name,
            label,
            hint:
              name === "send_limit" && client.contract_send_limit !== null
                ? `${hint} The contract allows ${client.contract_send_limit.toLocaleString("en-GB")}.`
                : hint,
            value: param(search, name) ?? String(client[name] ?? ""),
            error: faults.has(name) ? `It ${faults.get(name)}.` : undefined,
          }))}
        />
        {faults.get("days") && <Notice tone="bad">The number of days {faults.get("days")}.</Notice>}
        {rehearsal && changed && (
          <div className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-accent/30 bg-accent-soft px-4 py-3">
            <p className="text-sm">The numbers below are with your changes; the settings themselves are as before.</p>
            <span className="flex flex-wrap gap-2">
              <a href={here} className={buttonClass()}>
                Back to the settings as they are
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
          <EmptyState title="No orders to rehearse with">
            Nothing was delivered in the last {asked.days} days. Take more days, or send orders to the API.
          </EmptyState>
        )}
      </div>
    </div>
  );
}
