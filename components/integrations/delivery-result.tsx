import { useTranslations } from "#messages";
import { deliveryReasonLabel } from "@/components/integrations/delivery-labels";
import type { DeliveryLine } from "@/lib/integrations/schema";
import { formatMoment } from "@/lib/platform/i18n/format";

/** Kinds that are imported from the other system instead of sent. */
const importKinds = ["order", "order_refused"];

/** The reason for the state, the other system's response and id, and the next attempt. */
export function DeliveryResult({ delivery, timeZone }: { delivery: DeliveryLine; timeZone: string }) {
  const t = useTranslations();
  const { kind, outcome, reason, said, remote_id, attempts, due_at } = delivery;
  if (outcome === "pending" && importKinds.includes(kind))
    return attempts > 0 ? t("deliveries.retryingImport") : t("deliveries.importing");
  const reasonText = said ?? (reason && deliveryReasonLabel(reason, t));
  const details = [
    ...(reasonText ? [reasonText] : []),
    ...(attempts > 1 ? [t("deliveries.attemptsSentence", { n: attempts })] : []),
    ...(outcome === "pending" && due_at && attempts > 0
      ? [t("deliveries.nextAttempt", { moment: formatMoment(due_at, timeZone, t.language) })]
      : []),
  ].join(" ");
  if (outcome === "pending" && reason === null && attempts > 0) return t("deliveries.sending");
  if (outcome !== "sent" && outcome !== "imported" && details) return <span className="break-words">{details}</span>;
  if (remote_id)
    return t.rich("deliveries.remoteId", { id: <span className="font-mono text-xs break-all">{remote_id}</span> });
  return outcome === "pending" ? t("deliveries.noAttempts") : null;
}
