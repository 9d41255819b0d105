"use client";

import { type RefObject, useRef, useState } from "react";
import { useTranslations } from "#messages";
import { suggestedReasons } from "@/components/moderation/finding-labels";
import { groupReasons, reasonHints } from "@/components/moderation/reason-choice";
import { RejectionPreview } from "@/components/moderation/rejection-preview";
import { Dialog } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import type { RejectReason } from "@/lib/reviews/decisions/schema";

type Props = {
  clientId: string;
  /** the items to reject; null closes the dialog */
  items: readonly QueueItem[] | null;
  /** the reasons that the store uses most */
  frequent: readonly RejectReason[];
  onClose: () => void;
  onReject: (items: readonly QueueItem[], reason: RejectReason) => void;
  returnFocus?: RefObject<HTMLElement | null>;
};

/** Asks for the reason of a rejection: one key or click decides. */
export function ReasonDialog({ clientId, items, frequent, onClose, onReject, returnFocus }: Props) {
  const t = useTranslations();
  // The order doesn't change while the page is open, even if it's rendered again after more rejections.
  const [mostUsed] = useState(frequent);
  const [previewed, setPreviewed] = useState<{ reason: RejectReason; of: QueueItem } | null>(null);
  const firstButton = useRef<HTMLButtonElement>(null);
  const [first, ...others] = items ?? [];
  const many = others.length > 0;
  const suggested = first && !many ? suggestedReasons(first) : [];
  const groups = groupReasons(items ?? [], mostUsed);
  const reasons = [...groups.frequent, ...groups.others];
  const likely = reasons.find(({ code }) => suggested.includes(code))?.code ?? reasons[0]?.code ?? "unspecified";
  // On pointer movement only: a pointer that happens to rest where the dialog opens selects nothing.
  const previewReason = (reason: RejectReason) => {
    if (first && (previewed?.of !== first || previewed.reason !== reason)) setPreviewed({ reason, of: first });
  };
  return (
    <Dialog
      open={items !== null}
      initialFocus={firstButton}
      returnFocus={returnFocus}
      onOpenChange={(open) => !open && onClose()}
      title={many ? t("queue.rejectManyTitle", { all: items?.length ?? 0 }) : t("queue.rejectTitle")}
      onKeyDown={(event) => {
        const reason = reasons.find(({ key }) => key === event.key.toLowerCase());
        if (!items || !reason || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        onReject(items, reason.code);
      }}
      description={
        items?.every(({ kind }) => kind === "photo")
          ? t(many ? "queue.hidePhotosHint" : "queue.hidePhotoHint")
          : t(many ? "queue.rejectManyHint" : "queue.rejectHint")
      }
    >
      {items &&
        (
          [
            ["frequent", "queue.frequentReasons"],
            ["others", "queue.otherReasons"],
          ] as const
        ).map(
          ([group, title]) =>
            groups[group].length > 0 && (
              // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
              <div key={group} role="group" aria-label={t(title)} className="not-first:mt-3">
                {groups.frequent.length > 0 && <p className="mb-1.5 text-xs font-medium text-muted">{t(title)}</p>}
                <div className="grid gap-1.5 sm:grid-cols-2">
                  {groups[group].map(({ code, label, key }) => (
                    <button
                      key={code}
                      type="button"
                      onClick={() => onReject(items, code)}
                      ref={code === likely ? firstButton : undefined}
                      onPointerMove={() => previewReason(code)}
                      onFocus={() => previewReason(code)}
                      className="flex min-h-11 items-center gap-2.5 rounded-control border border-line px-3 py-1.5 text-left text-sm hover:border-bad hover:bg-bad-soft"
                    >
                      <span className="min-w-0 flex-1">
                        <span className="block font-medium">{t(label)}</span>
                        {suggested.includes(code) ? (
                          <span className="block text-xs font-medium text-warn">{t("queue.suggestedByRules")}</span>
                        ) : (
                          reasonHints[code] && <span className="block text-xs text-muted">{t(reasonHints[code])}</span>
                        )}
                      </span>
                      <span className="text-muted max-lg:hidden">
                        <Kbd>{key.toUpperCase()}</Kbd>
                      </span>
                    </button>
                  ))}
                </div>
              </div>
            ),
        )}
      {first && !many && first.kind !== "photo" && (
        <RejectionPreview
          clientId={clientId}
          item={first}
          reason={previewed?.of === first ? previewed.reason : likely}
        />
      )}
      {many && items?.some(({ kind }) => kind !== "photo") && (
        <p className="mt-4 text-sm text-muted">{t("queue.rejectManyEmailHint")}</p>
      )}
    </Dialog>
  );
}
