"use client";

import { useWords } from "#words";
import { useKeysSetting } from "@/components/moderation/use-keys";
import { Dialog } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";

const legend: [key: string, does: string][] = [
  ["J", "Next (S as well: skip it)"],
  ["K", "Previous"],
  ["A", "Accept"],
  ["R", "Reject, then the key beside the reason"],
  ["P", "Back to pending"],
  ["E", "Reply, or answer a question"],
  ["M", "Show the first photo"],
  ["X", "Choose it, to decide several at once"],
  ["⇧ X", "Choose all from the last chosen to here"],
  ["Esc", "Choose none"],
  ["U", "Undo the last decision (8 seconds), of one or of many"],
  ["Z", "One item at a time, or with the list again"],
  ["/", "Search"],
  ["G Q", "Go to the queue; G R reviews, G S seller reviews, G O orders, G H home"],
  ["?", "This list"],
];

export function KeysDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const t = useWords();
  const [on, setOn] = useKeysSetting();
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t("Keys")} description={t("They rest while you type.")}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2.5 text-sm">
        {legend.map(([key, does]) => (
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
        {t("Use these keys")}
      </label>
    </Dialog>
  );
}
