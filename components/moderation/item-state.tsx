import type { ReactNode } from "react";
import { useTranslations } from "#messages";
import { statusLabels, statusTone, toStatus } from "@/components/moderation/labels";
import { reasonLabel } from "@/components/moderation/reject-reasons";
import { Badge } from "@/components/ui/badge";
import { Ago } from "@/components/ui/time";
import type { QueueItem } from "@/lib/moderation/queue/schema";

type Props = { item: QueueItem; timeZone: string; assignment?: ReactNode };

/** An item's decision and reason, when it was received, and who takes care of it. */
export function ItemState({ item, timeZone, assignment }: Props) {
  const t = useTranslations();
  const status = toStatus(item.accepted);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
        <Badge tone={statusTone[status]}>{t(statusLabels[status])}</Badge>
        {status === "rejected" && (
          <>
            <span>{reasonLabel(item.reject_reason, t)}</span>
            <span aria-hidden="true">·</span>
          </>
        )}
        <span className="min-w-0">
          {t.rich("queue.receivedAgo", {
            age: <Ago at={item.received_at} timeZone={timeZone} within />,
          })}
        </span>
      </p>
      {assignment}
    </div>
  );
}
