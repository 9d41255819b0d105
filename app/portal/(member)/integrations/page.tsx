import { Webhook } from "lucide-react";
import { address, requireMember, type Search } from "@/app/_guard";
import { formKinds, forms } from "@/components/integrations/forms";
import { IntegrationCard, UnconnectedCard } from "@/components/integrations/integration-card";
import { translateTrouble } from "@/components/integrations/translate-trouble";
import { AddWebhook } from "@/components/integrations/webhooks/add-webhook";
import { WebhookCard } from "@/components/integrations/webhooks/webhook-card";
import { PageHead } from "@/components/portal/page-head";
import { EmptyState } from "@/components/ui/empty-state";
import { hasRole } from "@/lib/accounts/actor";
import { noticeTexts, titled, words } from "@/lib/accounts/sign-in/language-of-request";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { kinds } from "@/lib/integrations/kinds";
import { listIntegrations } from "@/lib/integrations/list-integrations";
import { listWebhooks } from "@/lib/integrations/webhooks/list-webhooks";

export const generateMetadata = () => titled("Integrations");

export default async function IntegrationsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await words();
  const search = await searchParams;
  const { actor, client, clientId } = await requireMember({ here: "/portal/integrations", search });
  const [webhooks, integrations, say] = await Promise.all([
    listWebhooks(client),
    listIntegrations(client),
    noticeTexts(),
  ]);
  const timeZone = timeZoneOf(client);
  const maySee = hasRole(actor.role, "moderator");
  const mayChange = hasRole(actor.role, "admin");
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <PageHead title={t("Integrations")} tools={mayChange && <AddWebhook clientId={client.id} />}>
        {t("Other systems of your shop, and what they hear from here.")}
      </PageHead>
      <section aria-labelledby="systems" className="mb-8">
        <h2 id="systems" className="mb-2 font-semibold">
          {t("Systems of your shop")}
        </h2>
        <ul aria-label={t("Systems of your shop")} className="flex flex-col gap-3">
          {integrations.map((integration) => (
            <IntegrationCard
              key={integration.kind}
              integration={translateTrouble(integration, say)}
              name={t(kinds[integration.kind].name)}
              timeZone={timeZone}
              href={maySee ? address(`/portal/integrations/${integration.kind}`, { client_id: clientId }) : null}
            />
          ))}
          {formKinds
            .filter((kind) => !integrations.some((integration) => integration.kind === kind))
            .map((kind) => (
              <UnconnectedCard
                key={kind}
                name={t(kinds[kind].name)}
                text={t(forms[kind]?.text ?? "")}
                href={mayChange ? address(`/portal/integrations/${kind}/settings`, { client_id: clientId }) : null}
              />
            ))}
        </ul>
      </section>
      <section aria-labelledby="webhooks">
        <h2 id="webhooks" className="mb-2 font-semibold">
          {t("Webhooks")}
        </h2>
        {webhooks.length > 0 ? (
          <ul aria-label={t("Webhooks")} className="flex flex-col gap-3">
            {webhooks.map((webhook) => (
              <WebhookCard
                key={webhook.id}
                webhook={translateTrouble(webhook, say)}
                timeZone={timeZone}
                href={address(`/portal/integrations/webhooks/${webhook.id}`, { client_id: clientId })}
              />
            ))}
          </ul>
        ) : (
          <div className="rounded-card border border-dashed border-line">
            <EmptyState
              icon={<Webhook aria-hidden="true" />}
              title={t("No webhook yet")}
              heading="h2"
              action={
                <a className="link" href="/docs">
                  {t("What systems can ask of the API")}
                </a>
              }
            >
              {mayChange
                ? t(
                    "Add an address of your own system, and it hears of reviews, questions and invitations as they happen.",
                  )
                : t(
                    "An admin of this shop can have its systems hear of reviews, questions and invitations as they happen.",
                  )}
            </EmptyState>
          </div>
        )}
      </section>
    </div>
  );
}
