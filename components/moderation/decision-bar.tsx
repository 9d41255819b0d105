"use client";

import { Check, Undo2, X } from "lucide-react";
import type { MouseEvent } from "react";
import { useTranslations } from "#messages";
import { type ShortcutName, shortcuts } from "@/components/moderation/shortcuts";
import { Button } from "@/components/ui/button";
import { KeyHint } from "@/components/ui/kbd";
import type { QueueItem } from "@/lib/moderation/queue/schema";

type Props = {
  item: QueueItem;
  disabled?: boolean;
  /** whether shortcuts are on, and so shown */
  keys: boolean;
  onAccept: () => void;
  onReject: () => void;
  onReopen: () => void;
};

/** Ignores the second click of a double click, which would decide the next item unread. */
const once = (decide: () => void) => (event: MouseEvent) => {
  if (event.detail < 2) decide();
};

/** The possible decisions, each with its shortcut. Sized for thumbs on phones. */
export function DecisionBar({ item, disabled = false, keys, onAccept, onReject, onReopen }: Props) {
  const t = useTranslations();
  const hint = (name: ShortcutName) => keys && <KeyHint>{shortcuts[name].shown}</KeyHint>;
  return (
    <div className="flex flex-wrap gap-2 *:flex-1 lg:*:flex-none">
      {item.accepted !== false && (
        <Button
          variant="bad"
          className="h-12 lg:h-10"
          disabled={disabled}
          onClick={once(onReject)}
          aria-keyshortcuts={keys ? shortcuts.reject.keys[0] : undefined}
        >
          <X aria-hidden="true" className="size-4" />
          {t("queue.reject")}
          {hint("reject")}
        </Button>
      )}
      {item.accepted !== null && (
        <Button
          className="h-12 lg:h-10"
          disabled={disabled}
          onClick={once(onReopen)}
          aria-keyshortcuts={keys ? shortcuts.reopen.keys[0] : undefined}
        >
          <Undo2 aria-hidden="true" className="size-4" />
          {t("queue.moveToPending")}
          {hint("reopen")}
        </Button>
      )}
      {item.accepted !== true && (
        <Button
          variant="good"
          className="h-12 lg:h-10"
          disabled={disabled}
          onClick={once(onAccept)}
          aria-keyshortcuts={keys ? shortcuts.accept.keys[0] : undefined}
        >
          <Check aria-hidden="true" className="size-4" />
          {t("queue.approve")}
          {hint("accept")}
        </Button>
      )}
    </div>
  );
}
