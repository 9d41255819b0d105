import { Webhook } from "lucide-react";
import { cache } from "react";
import { decodeSegment, orNotFound, param, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { SystemHead } from "@/components/integrations/system-head";
import { translateNoticeFields } from "@/components/integrations/translate-notices";
import { WebhookDeliveriesTable } from "@/components/integrations/webhooks/deliveries-table";
import { eventsSummary, pendingLabel, webhookStateLabels } from "@/components/integrations/webhooks/labels";
import { ResendFailedButton } from "@/components/integrations/webhooks/resend-buttons";
import { WebhookActions } from "@/components/integrations/webhooks/webhook-actions";
import { WebhookIssues } from "@/components/integrations/webhooks/webhook-card";
import { buttonClass } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-text";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterLinks } from "@/components/ui/filter-links";
import { Link } from "@/components/ui/link";
import { hasRole } from "@/lib/accounts/actor";
import { namedMetadata, noticeTranslator, translations } from "@/lib/accounts/language/request-language";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { getWebhook, listWebhookDeliveries } from "@/lib/integrations/webhooks/list-webhooks";
import { deliveryStates } from "@/lib/integrations/webhooks/schema";
import { formatMoment } from "@/lib/platform/i18n/format";

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> };

const loadWebhook = cache(getWebhook);

export const generateMetadata = ({ params, searchParams }: Props) =>
  namedMetadata("webhooks.webhook", async () => {
    const { client } = await requireMember({ path: "/portal/integrations", search: await searchParams });
    return new URL((await loadWebhook(client, decodeSegment((await params).id))).url).host;
  });

const filters = [
  { name: "common.all", state: undefined },
  { name: "deliveries.pending", state: "pending" },
  { name: "deliveries.delivered", state: "sent" },
  { name: "deliveries.failed", state: "failed" },
  { name: "deliveries.canceled", state: "withdrawn" },
] as const;

export default async function WebhookPage({ params, searchParams }: Props) {
  const [t, translateNotice] = [await translations(), await noticeTranslator()];
  const [{ id: segment }, search] = await Promise.all([params, searchParams]);
  const id = decodeSegment(segment);
  const path = `/portal/integrations/webhooks/${segment}`;
  const { actor, client, clientId } = await requireMember({ path, search });
  const webhook = await orNotFound(loadWebhook(client, id));
  const state = deliveryStates.find((each) => each === param(search, "state"));
  const after = param(search, "after");
  const { deliveries, next } = await orNotFound(listWebhookDeliveries(client, id, { after, state }));
  const timeZone = timeZoneOf(client);
  const mayChange = hasRole(actor.role, "admin");
  const listHref = pathWithQuery("/portal/integrations", { client_id: clientId });
  const link = (query: Record<string, string | undefined>) => pathWithQuery(path, { client_id: clientId, ...query });
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <SystemHead
        title={webhook.url}
        state={{ ...webhookStateLabels[webhook.state], word: t(webhookStateLabels[webhook.state].word) }}
        trail={[{ href: listHref, name: t("navigation.integrations") }]}
        tools={mayChange && <WebhookActions webhook={webhook} clientId={client.id} listHref={listHref} />}
      >
        {t("webhooks.subscribedSummary", {
          events: eventsSummary(webhook.events, t),
          waiting: pendingLabel(webhook.waiting, t),
        })}
        {webhook.old_secret_until &&
          ` ${t("webhooks.oldSecretUntil", {
            moment: formatMoment(webhook.old_secret_until, timeZone, t.language),
          })}`}
        <span className="mt-1 block break-all">
          {t("common.id")} {webhook.id} <CopyButton text={webhook.id} label={t("common.id")} />
        </span>
      </SystemHead>
      <WebhookIssues webhook={translateNoticeFields(webhook, translateNotice)} timeZone={timeZone} />
      <div className="mt-6 mb-3 flex flex-wrap items-center gap-3">
        <FilterLinks
          label={t("common.status")}
          links={filters.map((filter) => ({
            name: t(filter.name),
            href: link({ state: filter.state }),
            current: filter.state === state,
          }))}
        />
        {mayChange && state === "failed" && deliveries.length > 0 && (
          <ResendFailedButton clientId={client.id} webhookId={webhook.id} />
        )}
      </div>
      {deliveries.length > 0 ? (
        <WebhookDeliveriesTable
          deliveries={deliveries.map((delivery) => translateNoticeFields(delivery, translateNotice))}
          clientId={client.id}
          webhookId={webhook.id}
          timeZone={timeZone}
          mayChange={mayChange}
        />
      ) : (
        <div className="rounded-card border border-dashed border-line">
          <EmptyState
            icon={<Webhook aria-hidden="true" />}
            title={state ? t("webhooks.noMatchesTitle") : t("integrations.noActivityTitle")}
          >
            {state ? t("webhooks.noMatchesHint") : t("webhooks.noEventsHint")}
          </EmptyState>
        </div>
      )}
      {next && (
        <p className="mt-4 text-center">
          <Link href={link({ state, after: next })} className={buttonClass()}>
            {t("webhooks.olderEvents")}
          </Link>
        </p>
      )}
    </div>
  );
}
