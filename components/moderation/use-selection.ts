"use client";

import { useCallback, useMemo, useRef, useState } from "react";
import { useTranslations } from "#messages";
import { keyOf } from "@/components/moderation/words";
import { useToast } from "@/components/ui/toast";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import { MOST_DECIDED } from "@/lib/moderation/queue/values";

/**
 * Which items of the list are chosen to be decided together, at most two hundred. What leaves the list is not chosen any
 * more. A range goes from the item that was last chosen or let go to another one, and chooses all between.
 */
export function useSelection(items: readonly QueueItem[]) {
  const t = useTranslations();
  const toast = useToast();
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const anchor = useRef<string | null>(null);
  const chosen = useMemo(() => items.filter((item) => marked.has(keyOf(item))), [items, marked]);

  const choose = useCallback(
    (wanted: readonly QueueItem[]) => {
      if (wanted.length > MOST_DECIDED)
        toast.show({
          id: "selection",
          text: t("queue.errorTooMany", { n: MOST_DECIDED }),
        });
      setMarked(new Set(wanted.slice(0, MOST_DECIDED).map(keyOf)));
    },
    [toast, t],
  );
  const toggle = (item: QueueItem) => {
    anchor.current = keyOf(item);
    choose(chosen.includes(item) ? chosen.filter((other) => other !== item) : [...chosen, item]);
  };
  const extend = (item: QueueItem) => {
    const from = items.findIndex((other) => keyOf(other) === anchor.current);
    if (from < 0) return toggle(item);
    const to = items.indexOf(item);
    const between = items.slice(Math.min(from, to), Math.max(from, to) + 1);
    choose([...chosen.filter((other) => !between.includes(other)), ...between]);
  };
  const clear = useCallback(() => {
    anchor.current = null;
    setMarked(new Set());
  }, []);
  return { chosen, choose, toggle, extend, clear };
}
