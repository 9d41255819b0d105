import { Webhook } from "lucide-react";
import { address, found, param, requireMember, type Search, segment } from "@/app/_guard";
import { SystemHead } from "@/components/integrations/system-head";
import { translateTrouble } from "@/components/integrations/translate-trouble";
import { DeliveriesTable } from "@/components/integrations/webhooks/deliveries-table";
import { TellFailedAgain } from "@/components/integrations/webhooks/tell-again";
import { WebhookActions } from "@/components/integrations/webhooks/webhook-actions";
import { WebhookTrouble } from "@/components/integrations/webhooks/webhook-card";
import { eventsStory, stateWords, waitingWords } from "@/components/integrations/webhooks/words";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterLinks } from "@/components/ui/filter-links";
import { Link } from "@/components/ui/link";
import { hasRole } from "@/lib/accounts/actor";
import { noticeTexts, titled, translations } from "@/lib/accounts/sign-in/language-of-request";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { getWebhook, listWebhookDeliveries } from "@/lib/integrations/webhooks/list-webhooks";
import { deliveryStates } from "@/lib/integrations/webhooks/schema";
import { formatMoment } from "@/lib/platform/i18n/format";

export const generateMetadata = () => titled("webhooks.webhook");

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> };

const filters = [
  { name: "common.all", state: undefined },
  { name: "common.pending", state: "pending" },
  { name: "deliveries.delivered", state: "sent" },
  { name: "deliveries.failed", state: "failed" },
  { name: "deliveries.canceled", state: "withdrawn" },
] as const;

export default async function WebhookPage({ params, searchParams }: Props) {
  const [t, say] = [await translations(), await noticeTexts()];
  const [{ id: given }, search] = await Promise.all([params, searchParams]);
  const id = segment(given);
  const here = `/portal/integrations/webhooks/${given}`;
  const { actor, client, clientId } = await requireMember({ here, search });
  const webhook = await found(getWebhook(client, id));
  const state = deliveryStates.find((each) => each === param(search, "state"));
  const after = param(search, "after");
  const { deliveries, next } = await found(listWebhookDeliveries(client, id, { after, state }));
  const timeZone = timeZoneOf(client);
  const mayChange = hasRole(actor.role, "admin");
  const listHref = address("/portal/integrations", { client_id: clientId });
  const link = (query: Record<string, string | undefined>) => address(here, { client_id: clientId, ...query });
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <SystemHead
        title={webhook.url}
        state={{ ...stateWords[webhook.state], word: t(stateWords[webhook.state].word) }}
        back={{ href: listHref, name: t("integrations.allIntegrations") }}
        tools={mayChange && <WebhookActions webhook={webhook} clientId={client.id} listHref={listHref} />}
      >
        {t("webhooks.subscribedSummary", {
          events: eventsStory(webhook.events, t),
          waiting: waitingWords(webhook.waiting, t),
        })}
        {webhook.old_secret_until &&
          ` ${t("webhooks.oldSecretUntil", {
            moment: formatMoment(webhook.old_secret_until, timeZone, t.locale),
          })}`}
      </SystemHead>
      <WebhookTrouble webhook={translateTrouble(webhook, say)} timeZone={timeZone} />
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
          <TellFailedAgain clientId={client.id} webhookId={webhook.id} />
        )}
      </div>
      {deliveries.length > 0 ? (
        <DeliveriesTable
          deliveries={deliveries.map((delivery) => translateTrouble(delivery, say))}
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
