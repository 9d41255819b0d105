"use client";

import { useTranslations } from "#messages";
import { useShortcutsSetting } from "@/components/moderation/use-shortcuts";
import { Dialog } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";
import type { MessageKey } from "@/lib/platform/i18n/translator";

const shortcuts: [key: string, does: MessageKey][] = [
  ["J", "queue.shortcutNext"],
  ["K", "queue.previous"],
  ["A", "queue.approve"],
  ["R", "queue.shortcutReject"],
  ["P", "queue.moveToPending"],
  ["E", "queue.shortcutReply"],
  ["M", "queue.shortcutPhoto"],
  ["X", "queue.shortcutSelect"],
  ["⇧ X", "queue.shortcutSelectRange"],
  ["Esc", "queue.clearSelection"],
  ["U", "queue.shortcutUndo"],
  ["Z", "queue.shortcutLayout"],
  ["/", "common.search"],
  ["G Q", "queue.shortcutGo"],
  ["?", "queue.shortcutHelp"],
];

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
        {shortcuts.map(([key, does]) => (
          <div key={key} className="contents">
            <dt>
              <Kbd>{key}</Kbd>
            </dt>
            <dd>{t(does)}</dd>
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
