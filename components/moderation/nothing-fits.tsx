import { SearchX } from "lucide-react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import type { QueueFilter } from "@/lib/moderation/queue/schema";

/** What stands in place of a list that shows nothing for what narrows it: what leads on. */
export function NothingFits({ filter, onChange }: { filter: QueueFilter; onChange: (filter: QueueFilter) => void }) {
  const t = useWords();
  return (
    <EmptyState
      icon={<SearchX aria-hidden="true" />}
      title={t("Nothing fits")}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {filter.q && (
            <Button
              look="primary"
              onClick={() => onChange({ ...filter, q: undefined, words: filter.q?.slice(0, 100) })}
            >
              {t("Look for it in the texts")}
            </Button>
          )}
          <Button onClick={() => onChange({ kind: filter.kind, status: filter.status })}>{t("Clear filters")}</Button>
        </div>
      }
    >
      {filter.q
        ? t("The search finds an order, customer, product family, e-mail address or id when it is written in full.")
        : t("Nothing in this list passes all filters.")}
    </EmptyState>
  );
}
