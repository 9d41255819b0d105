import type { Tone } from "@/components/ui/badge";
import type { WebhookDelivery } from "@/lib/integrations/webhooks/schema";
import { TEST_EVENT } from "@/lib/integrations/webhooks/values";
import { formatMoment } from "@/lib/platform/i18n/format";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";

export const deliveryStateLabels: Record<WebhookDelivery["state"], { word: MessageKey; tone: Tone }> = {
  pending: { word: "deliveries.pending", tone: "warn" },
  sent: { word: "deliveries.delivered", tone: "good" },
  failed: { word: "deliveries.failed", tone: "bad" },
  withdrawn: { word: "deliveries.canceled", tone: "plain" },
};

/** The state of an event as a badge. A test event is tried once, so it is called failed immediately. */
export function deliveryBadge(
  { state, event }: Pick<WebhookDelivery, "state" | "event">,
  t: Translate,
): { word: string; tone: Tone } {
  const { word, tone } = deliveryStateLabels[state];
  return { word: t(event === TEST_EVENT && state === "failed" ? "common.failed" : word), tone };
}

/** The result of an event so far, as a sentence. */
export function deliverySummary(
  { state, error, status, attempts, due_at, tried_at }: WebhookDelivery,
  timeZone: string,
  t: Translate,
  { showsAttempts = true } = {},
): string {
  const at = (moment: string | null) => (moment ? formatMoment(moment, timeZone, t.language) : "");
  if (state === "sent") {
    const values = { status: String(status), moment: at(tried_at) };
    if (attempts < 2) return t("deliveries.statusAt", values);
    return t("deliveries.statusAtAttempt", { ...values, n: attempts });
  }
  if (!error) return t("deliveries.noAttempts");
  return [
    error,
    ...(showsAttempts && attempts > 1 ? [t("deliveries.attemptsSentence", { n: attempts })] : []),
    ...(due_at
      ? [
          Date.parse(due_at) > Date.now()
            ? t("deliveries.nextAttempt", { moment: at(due_at) })
            : t("deliveries.nextAttemptSoon"),
        ]
      : []),
  ].join(" ");
}
