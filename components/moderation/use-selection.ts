"use client";

import { useCallback, useMemo, useRef, useState } from "react";
import { useTranslations } from "#messages";
import { itemKey } from "@/components/moderation/labels";
import { useToast } from "@/components/ui/toast";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import { MAX_DECISIONS } from "@/lib/moderation/queue/values";

/**
 * The items selected for a bulk decision, at most two hundred. Items that leave the list are deselected. A range
 * selects everything between the last toggled item and another one.
 */
export function useSelection(items: readonly QueueItem[]) {
  const t = useTranslations();
  const toast = useToast();
  const [selectedKeys, setSelectedKeys] = useState<ReadonlySet<string>>(new Set());
  const anchor = useRef<string | null>(null);
  const selectedItems = useMemo(() => items.filter((item) => selectedKeys.has(itemKey(item))), [items, selectedKeys]);

  const selectItems = useCallback(
    (wanted: readonly QueueItem[]) => {
      if (wanted.length > MAX_DECISIONS)
        toast.show({
          id: "selection",
          text: t("queue.errorTooMany", { n: MAX_DECISIONS }),
        });
      setSelectedKeys(new Set(wanted.slice(0, MAX_DECISIONS).map(itemKey)));
    },
    [toast, t],
  );
  const toggle = (item: QueueItem) => {
    anchor.current = itemKey(item);
    selectItems(
      selectedItems.includes(item) ? selectedItems.filter((other) => other !== item) : [...selectedItems, item],
    );
  };
  const extend = (item: QueueItem) => {
    const from = items.findIndex((other) => itemKey(other) === anchor.current);
    if (from < 0) return toggle(item);
    const to = items.indexOf(item);
    const between = items.slice(Math.min(from, to), Math.max(from, to) + 1);
    selectItems([...selectedItems.filter((other) => !between.includes(other)), ...between]);
  };
  const clear = useCallback(() => {
    anchor.current = null;
    setSelectedKeys(new Set());
  }, []);
  return { chosen: selectedItems, choose: selectItems, toggle, extend, clear };
}
