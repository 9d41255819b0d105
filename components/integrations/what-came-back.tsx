import { useTranslations } from "#messages";
import { reasonWords } from "@/components/integrations/delivery-words";
import type { DeliveryLine } from "@/lib/integrations/schema";
import { formatMoment } from "@/lib/platform/i18n/format";

/** What comes from the other system, and is asked for, not sent. */
const takenOver = ["order", "order_refused"];

/** Why it is as it is, what the other system said, what it is called there, and when it is tried next. */
export function WhatCameBack({ delivery, timeZone }: { delivery: DeliveryLine; timeZone: string }) {
  const t = useTranslations();
  const { kind, outcome, reason, said, remote_id, attempts, due_at } = delivery;
  if (outcome === "pending" && takenOver.includes(kind))
    return attempts > 0 ? t("deliveries.retryingImport") : t("deliveries.importing");
  const words = said ?? (reason && reasonWords(reason, t));
  const story = [
    ...(words ? [words] : []),
    ...(attempts > 1 ? [t("deliveries.attemptsSentence", { n: attempts })] : []),
    ...(outcome === "pending" && due_at && attempts > 0
      ? [t("deliveries.nextAttempt", { moment: formatMoment(due_at, timeZone, t.locale) })]
      : []),
  ].join(" ");
  if (outcome === "pending" && reason === null && attempts > 0) return t("deliveries.sending");
  if (outcome !== "sent" && outcome !== "imported" && story) return <span className="break-words">{story}</span>;
  if (remote_id)
    return t.rich("deliveries.remoteId", { id: <span className="font-mono text-xs break-all">{remote_id}</span> });
  return outcome === "pending" ? t("deliveries.noAttempts") : null;
}
