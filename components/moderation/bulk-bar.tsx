import { Check, Undo2, X } from "lucide-react";
import { useTranslations } from "#messages";
import { type ShortcutName, shortcuts } from "@/components/moderation/shortcuts";
import { Button } from "@/components/ui/button";
import { KeyHint } from "@/components/ui/kbd";
import type { QueueItem } from "@/lib/moderation/queue/schema";

type Props = {
  selected: readonly QueueItem[];
  disabled: boolean;
  /** whether shortcuts are on, and so shown */
  keys: boolean;
  onAccept: () => void;
  onReject: () => void;
  onReopen: () => void;
  onClear: () => void;
};

/** Actions for all selected items, each with its shortcut. */
export function BulkBar({ selected, disabled, keys, onAccept, onReject, onReopen, onClear }: Props) {
  const t = useTranslations();
  const hint = (name: ShortcutName) => keys && <KeyHint>{shortcuts[name].shown}</KeyHint>;
  /** How many items an action would change. */
  const countChanges = (accepted: boolean | null) => selected.filter((item) => item.accepted !== accepted).length;
  return (
    // On wide screens its parts are in the bar itself, which wraps them.
    <fieldset className="flex min-w-0 flex-col gap-2 lg:contents">
      <legend className="sr-only">{t("queue.selectedItems")}</legend>
      <span
        className="flex items-center gap-1 text-sm font-medium max-lg:justify-between lg:order-1"
        aria-live="polite"
      >
        <span className="figures whitespace-nowrap">{t("queue.selectedCount", { n: selected.length })}</span>
        <Button variant="quiet" size="small" onClick={onClear}>
          {t("queue.clearSelection")}
          {hint("clearSelection")}
        </Button>
      </span>
      <div className="flex flex-wrap gap-2 *:flex-1 lg:*:flex-none">
        {countChanges(false) > 0 && (
          <Button variant="bad" className="h-12 lg:h-10" disabled={disabled} onClick={onReject}>
            <X aria-hidden="true" className="size-4" />
            {t("queue.rejectCount", { n: countChanges(false) })}
            {hint("reject")}
          </Button>
        )}
        {countChanges(null) > 0 && (
          <Button className="h-12 lg:h-10" disabled={disabled} onClick={onReopen}>
            <Undo2 aria-hidden="true" className="size-4" />
            {t("queue.moveToPending")}
            {hint("reopen")}
          </Button>
        )}
        {countChanges(true) > 0 && (
          <Button variant="good" className="h-12 lg:h-10" disabled={disabled} onClick={onAccept}>
            <Check aria-hidden="true" className="size-4" />
            {t("queue.approveCount", { n: countChanges(true) })}
            {hint("accept")}
          </Button>
        )}
      </div>
    </fieldset>
  );
}
