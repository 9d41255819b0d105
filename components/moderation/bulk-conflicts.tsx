import { X } from "lucide-react";
import { useTranslations } from "#messages";
import { itemKey, itemName, itemPath, productOf } from "@/components/moderation/labels";
import { withStore } from "@/components/portal/with-store";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import type { ItemOutcome, QueueItem } from "@/lib/moderation/queue/schema";

export type BulkResult = { done: number; unchanged: { item: QueueItem; outcome: ItemOutcome }[] };

/** Items of a bulk decision that were not decided, each with the reason. Stays until dismissed. */
export function BulkConflicts({
  clientId,
  result,
  onClose,
}: {
  clientId: string;
  result: BulkResult;
  onClose: () => void;
}) {
  const t = useTranslations();
  const { done, unchanged } = result;
  return (
    <section aria-labelledby="not-decided" className="border-b border-line bg-warn-soft px-4 py-3 text-sm lg:px-6">
      <div role="status" className="flex items-center gap-3">
        <h2 id="not-decided" className="font-medium">
          {t("queue.bulkUnchanged", { n: unchanged.length })} {t("queue.bulkUpdated", { n: done })}
        </h2>
        <Button variant="quiet" size="small" className="ml-auto" onClick={onClose}>
          <X aria-hidden="true" className="size-4" />
          {t("common.close")}
        </Button>
      </div>
      <ul aria-label={t("queue.unchangedItems")} className="mt-1.5 flex max-h-40 flex-col gap-1 overflow-y-auto">
        {unchanged.map(({ item, outcome }) => (
          <li key={itemKey(item)} className="flex flex-wrap gap-x-2">
            <Link className="link first-letter:uppercase" href={withStore(itemPath(item), clientId)}>
              {itemName(item, t)}
            </Link>
            <span className="text-muted">{productOf(item, t)}</span>
            <span>{outcome.message}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
