import { Webhook as Icon } from "lucide-react";
import { useTranslations } from "#messages";
import { SystemCard } from "@/components/integrations/system-card";
import { eventsSummary, pendingLabel, webhookStateLabels } from "@/components/integrations/webhooks/labels";
import { Notice } from "@/components/ui/notice";
import type { Webhook } from "@/lib/integrations/webhooks/schema";
import { formatMoment } from "@/lib/platform/i18n/format";

type Props = { webhook: Webhook; timeZone: string; href: string };

/** A webhook in the list: address, state and pending deliveries. */
export function WebhookCard({ webhook, timeZone, href }: Props) {
  const t = useTranslations();
  const labels = { events: eventsSummary(webhook.events, t), waiting: pendingLabel(webhook.waiting, t) };
  return (
    <SystemCard
      icon={<Icon aria-hidden="true" />}
      title={webhook.url}
      href={href}
      state={{ ...webhookStateLabels[webhook.state], word: t(webhookStateLabels[webhook.state].word) }}
      issues={<WebhookIssues webhook={webhook} timeZone={timeZone} />}
    >
      {webhook.last_sent_at
        ? t("webhooks.subscribedLastDelivery", {
            ...labels,
            moment: formatMoment(webhook.last_sent_at, timeZone, t.language),
          })
        : t("webhooks.subscribedNoDeliveries", labels)}
    </SystemCard>
  );
}

/** What stops a webhook's deliveries, and what happens next. */
export function WebhookIssues({ webhook, timeZone }: { webhook: Webhook; timeZone: string }) {
  const t = useTranslations();
  if (webhook.state !== "failing" && webhook.state !== "disabled") return null;
  const at = (moment: string | null) => (moment ? formatMoment(moment, timeZone, t.language) : "");
  const since = at(webhook.failing_since);
  return (
    <div className="mt-3">
      <Notice tone="bad">
        <span className="break-words">
          {webhook.last_error}{" "}
          {webhook.state === "failing"
            ? webhook.next_try_at
              ? t("webhooks.failingNextAttempt", {
                  since,
                  next: at(webhook.next_try_at),
                })
              : t("webhooks.failingRetrySoon", { since })
            : webhook.disabled_reason === "gone"
              ? t("webhooks.disabledHint")
              : t("webhooks.disabledAfterDayHint")}
        </span>
      </Notice>
    </div>
  );
}
