import { useTranslations } from "#messages";
import { BaseDeliveriesTable } from "@/components/integrations/base-deliveries-table";
import { Attempts } from "@/components/integrations/webhooks/attempts";
import { deliveryBadge, deliverySummary } from "@/components/integrations/webhooks/delivery-labels";
import { ResendButton } from "@/components/integrations/webhooks/resend-buttons";
import type { WebhookDelivery } from "@/lib/integrations/webhooks/schema";
import { TEST_EVENT } from "@/lib/integrations/webhooks/values";
import { formatMoment } from "@/lib/platform/i18n/format";

type Props = {
  deliveries: WebhookDelivery[];
  clientId: string;
  webhookId: string;
  timeZone: string;
  mayChange: boolean;
};

/** A webhook's deliveries, newest first, including pending ones. */
export function WebhookDeliveriesTable({ deliveries, clientId, webhookId, timeZone, mayChange }: Props) {
  const t = useTranslations();
  // Not withdrawn events: they would be withdrawn again.
  const canResend = ({ state, event }: WebhookDelivery) =>
    mayChange && (state === "sent" || state === "failed") && event !== TEST_EVENT;
  return (
    <BaseDeliveriesTable
      caption={t("webhooks.events")}
      headings={{ label: t("webhooks.event"), response: t("webhooks.responseColumn"), at: t("common.date") }}
      canRetry={deliveries.some(canResend)}
      rows={deliveries.map((delivery) => ({
        id: delivery.id,
        label: delivery.event,
        subject: delivery.event === TEST_EVENT ? null : { id: delivery.subject, href: pageOf(delivery, clientId) },
        state: deliveryBadge(delivery, t),
        response: (
          <>
            {deliverySummary(delivery, timeZone, t, { showsAttempts: delivery.attempt_log.length === 0 })}
            <Attempts attempts={delivery.attempt_log} timeZone={timeZone} />
          </>
        ),
        at: formatMoment(delivery.happened_at, timeZone, t.language),
        retryButton: canResend(delivery) && (
          <ResendButton clientId={clientId} webhookId={webhookId} delivery={delivery} />
        ),
      }))}
    />
  );
}

const pages: Record<string, string> = {
  review: "reviews",
  seller_review: "seller_reviews",
  question: "questions",
};

/** The page of an event's subject; null if it was deleted or has none. */
function pageOf({ event, subject }: WebhookDelivery, clientId: string): string | null {
  const [kind = "", what] = event.split(".");
  const page = what === "deleted" ? undefined : pages[kind];
  return page ? `/portal/${page}/${encodeURIComponent(subject)}?client_id=${encodeURIComponent(clientId)}` : null;
}
