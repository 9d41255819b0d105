import { Webhook } from "lucide-react";
import { pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { formKinds, forms } from "@/components/integrations/forms";
import { IntegrationCard, UnconnectedCard } from "@/components/integrations/integration-card";
import { translateNoticeFields } from "@/components/integrations/translate-notices";
import { AddWebhook } from "@/components/integrations/webhooks/add-webhook";
import { WebhookCard } from "@/components/integrations/webhooks/webhook-card";
import { PageHead } from "@/components/portal/page-head";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { hasRole } from "@/lib/accounts/actor";
import { noticeTranslator, titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { integrationNames } from "@/lib/accounts/notifications/rules";
import { isTestStore, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { listIntegrations } from "@/lib/integrations/list-integrations";
import { listWebhooks } from "@/lib/integrations/webhooks/list-webhooks";

export const generateMetadata = () => titleMetadata("navigation.integrations");

export default async function IntegrationsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const search = await searchParams;
  const { actor, client, clientId } = await requireMember({ path: "/portal/integrations", search });
  const [webhooks, integrations, translateNotice] = await Promise.all([
    listWebhooks(client),
    listIntegrations(client),
    noticeTranslator(),
  ]);
  const timeZone = timeZoneOf(client);
  const canOpen = hasRole(actor.role, "moderator");
  const mayChange = hasRole(actor.role, "admin");
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <PageHead title={t("navigation.integrations")} tools={mayChange && <AddWebhook clientId={client.id} />}>
        {t("integrations.intro")}
      </PageHead>
      {isTestStore(client) && (
        <div className="mb-6">
          <Notice tone="warn">{t("testClock.connectTest")}</Notice>
        </div>
      )}
      <section aria-labelledby="systems" className="mb-8">
        <h2 id="systems" className="mb-2 font-semibold">
          {t("integrations.platformsTitle")}
        </h2>
        <ul aria-label={t("integrations.platformsTitle")} className="flex flex-col gap-3">
          {integrations.map((integration) => (
            <IntegrationCard
              key={integration.kind}
              integration={translateNoticeFields(integration, translateNotice)}
              name={t(integrationNames[integration.kind])}
              timeZone={timeZone}
              href={canOpen ? pathWithQuery(`/portal/integrations/${integration.kind}`, { client_id: clientId }) : null}
            />
          ))}
          {formKinds
            .filter((kind) => !integrations.some((integration) => integration.kind === kind))
            .map((kind) => (
              <UnconnectedCard
                key={kind}
                kind={kind}
                text={forms[kind] ? t(forms[kind].text) : ""}
                href={
                  mayChange ? pathWithQuery(`/portal/integrations/${kind}/settings`, { client_id: clientId }) : null
                }
              />
            ))}
        </ul>
      </section>
      <section aria-labelledby="webhooks">
        <h2 id="webhooks" className="mb-2 font-semibold">
          {t("common.webhooks")}
        </h2>
        {webhooks.length > 0 ? (
          <ul aria-label={t("common.webhooks")} className="flex flex-col gap-3">
            {webhooks.map((webhook) => (
              <WebhookCard
                key={webhook.id}
                webhook={translateNoticeFields(webhook, translateNotice)}
                timeZone={timeZone}
                href={pathWithQuery(`/portal/integrations/webhooks/${webhook.id}`, { client_id: clientId })}
              />
            ))}
          </ul>
        ) : (
          <div className="rounded-card border border-dashed border-line">
            <EmptyState
              icon={<Webhook aria-hidden="true" />}
              title={t("integrations.noWebhooksTitle")}
              heading="h2"
              action={
                <a className="link" href="/docs">
                  {t("integrations.apiDocsLink")}
                </a>
              }
            >
              {mayChange ? t("integrations.createWebhookHint") : t("integrations.askAdminForWebhook")}
            </EmptyState>
          </div>
        )}
      </section>
    </div>
  );
}
