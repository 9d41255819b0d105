"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { itemKey } from "@/components/moderation/labels";
import { viewersOptions } from "@/components/moderation/queries";
import type { QueueItem } from "@/lib/moderation/queue/schema";

/** How long an item must be visible to count as viewed, so that scrolling past it doesn't. */
const MIN_VIEW_MS = 1_000;
/** Without input for this long, the person counts as away. */
const IDLE_MS = 120_000;

let lastActivity = 0;
const markActive = () => {
  lastActivity = Date.now();
};

/**
 * Reports which item this person is viewing, and returns who else is. Reported every half minute while the person is
 * active; the service clears it after two minutes.
 */
export function useViewers(clientId: string, item: QueueItem | undefined, on: boolean): string[] {
  const key = item && itemKey(item);
  const [settled, setSettled] = useState<string>();
  useEffect(() => {
    if (!on) return;
    markActive();
    const events = ["keydown", "pointerdown", "pointermove", "wheel"] as const;
    for (const event of events) document.addEventListener(event, markActive, { passive: true });
    return () => {
      for (const event of events) document.removeEventListener(event, markActive);
    };
  }, [on]);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(key), MIN_VIEW_MS);
    return () => clearTimeout(timer);
  }, [key]);
  const { data } = useQuery({
    ...viewersOptions(clientId, item?.kind ?? "review", item?.id ?? ""),
    enabled: on && key !== undefined && key === settled,
    refetchInterval: () => (Date.now() - lastActivity < IDLE_MS ? 30_000 : false),
  });
  return key === settled ? (data?.others.map(({ name }) => name) ?? []) : [];
}
