import { SearchX } from "lucide-react";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import type { QueueFilter } from "@/lib/moderation/queue/schema";

/** Shown if no item matches the filters, with ways to change them. */
export function NoResults({ filter, onChange }: { filter: QueueFilter; onChange: (filter: QueueFilter) => void }) {
  const t = useTranslations();
  return (
    <EmptyState
      icon={<SearchX aria-hidden="true" />}
      title={t("queue.noResults")}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {filter.q && (
            <Button
              variant="primary"
              onClick={() => onChange({ ...filter, q: undefined, words: filter.q?.slice(0, 100) })}
            >
              {t("queue.searchReviewText")}
            </Button>
          )}
          <Button onClick={() => onChange({ kind: filter.kind, status: filter.status })}>
            {t("queue.clearFilters")}
          </Button>
        </div>
      }
    >
      {filter.q ? t("queue.noResultsSearchHint") : t("queue.noResultsFilterHint")}
    </EmptyState>
  );
}
