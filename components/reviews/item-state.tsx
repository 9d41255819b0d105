import { reasonWords, statusOf, statusTone, statusWords } from "@/components/reviews/words";
import { Badge } from "@/components/ui/badge";
import { Ago } from "@/components/ui/time";
import type { QueueItem } from "@/lib/queue/schema";

/** What was decided on an item and why, and since when it is here. */
export function ItemState({ item, timeZone }: { item: QueueItem; timeZone: string }) {
  const status = statusOf(item.accepted);
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      <Badge tone={statusTone[status]}>{statusWords[status]}</Badge>
      {status === "rejected" && <span>{reasonWords(item.reject_reason)}</span>}
      <span className="min-w-0">
        {status === "pending" ? "Waiting for " : "Received "}
        <Ago at={item.received_at} timeZone={timeZone} />
        {status !== "pending" && " ago"}
      </span>
    </p>
  );
}
