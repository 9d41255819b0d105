"use client";

import { suggestedReasons } from "@/components/reviews/findings";
import { reasonsFor } from "@/components/reviews/words";
import { Dialog } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";
import { kindWords, type RejectReason } from "@/lib/moderation/schema";
import type { QueueItem } from "@/lib/queue/schema";

type Props = {
  /** the item to reject; null keeps the window shut */
  item: QueueItem | null;
  onClose: () => void;
  onReject: (item: QueueItem, reason: RejectReason) => void;
};

/** Asks why an item is rejected: one key or one click decides. */
export function ReasonDialog({ item, onClose, onReject }: Props) {
  const suggested = item ? suggestedReasons(item) : [];
  const reasons = item ? reasonsFor(item.kind) : [];
  return (
    <Dialog
      open={item !== null}
      onOpenChange={(open) => !open && onClose()}
      title={`Why reject this ${item ? kindWords[item.kind] : "review"}?`}
      onKeyDown={(event) => {
        const reason = /^[1-9]$/.test(event.key) ? reasons[Number(event.key) - 1] : undefined;
        if (!item || !reason || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        onReject(item, reason.code);
      }}
      description="It stays unpublished. The reason is kept in its history and told to your systems."
    >
      {item && (
        <div className="grid gap-1.5 sm:grid-cols-2">
          {reasons.map(({ code, label, hint }, index) => (
            <button
              key={code}
              type="button"
              onClick={() => onReject(item, code)}
              className="flex min-h-11 items-center gap-2.5 rounded-control border border-line px-3 py-1.5 text-left text-sm hover:border-bad hover:bg-bad-soft"
            >
              <span className="min-w-0 flex-1">
                <span className="block font-medium">{label}</span>
                {suggested.includes(code) ? (
                  <span className="block text-xs font-medium text-warn">Suggested by the rules</span>
                ) : (
                  hint && <span className="block text-xs text-muted">{hint}</span>
                )}
              </span>
              {index < 9 && (
                <span className="text-muted max-lg:hidden">
                  <Kbd>{index + 1}</Kbd>
                </span>
              )}
            </button>
          ))}
        </div>
      )}
    </Dialog>
  );
}
