"use client";

import { useTranslations } from "#messages";
import { shortcuts } from "@/components/moderation/shortcuts";
import { useShortcutsSetting } from "@/components/moderation/use-shortcuts";
import { Dialog } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";

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
        {Object.values(shortcuts).map(({ shown, label }) => (
          <div key={shown} className="contents">
            <dt>
              <Kbd>{shown}</Kbd>
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
