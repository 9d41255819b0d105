"use client";

import { useTranslations } from "#messages";
import { type ShortcutName, shortcuts } from "@/components/moderation/shortcuts";
import { useShortcutsSetting } from "@/components/moderation/use-shortcuts";
import { Dialog } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";
import type { MessageKey } from "@/lib/platform/i18n/translator";

// Here rather than with the keys, which every page of the queue loads at first.
const labels: Record<ShortcutName, MessageKey> = {
  next: "queue.shortcutNext",
  previous: "queue.previous",
  accept: "queue.approve",
  reject: "queue.shortcutReject",
  reopen: "queue.moveToPending",
  reply: "queue.shortcutReply",
  assign: "queue.shortcutAssign",
  writeNote: "queue.addNote",
  showPhoto: "queue.shortcutPhoto",
  select: "queue.shortcutSelect",
  selectRange: "queue.shortcutSelectRange",
  clearSelection: "queue.clearSelection",
  undo: "queue.shortcutUndo",
  changeLayout: "queue.shortcutLayout",
  search: "common.search",
  openPage: "queue.shortcutGo",
  help: "queue.shortcutHelp",
};

export function ShortcutsDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const t = useTranslations();
  const [on, setOn] = useShortcutsSetting();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("common.shortcuts")}
      description={t("queue.shortcutsHint")}
    >
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2.5 text-sm">
        {(Object.entries(labels) as [ShortcutName, MessageKey][]).map(([name, label]) => (
          <div key={name} className="contents">
            <dt>
              <Kbd>{shortcuts[name].shown}</Kbd>
            </dt>
            <dd>{t(label)}</dd>
          </div>
        ))}
      </dl>
      <label className="mt-5 flex items-center gap-2.5 border-t border-line pt-4 text-sm">
        <input type="checkbox" checked={on} onChange={(event) => setOn(event.target.checked)} className="size-4" />
        {t("queue.enableShortcuts")}
      </label>
    </Dialog>
  );
}
