"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { viewersOptions } from "@/components/moderation/queries";
import type { QueueItem } from "@/lib/moderation/queue/schema";

/** How long an item is on screen before it counts as looked at: who flies past looks at nothing. */
const MIN_VIEW_MS = 1_000;
/** After so long without a key or a movement nobody sits before the page. */
const IDLE_MS = 120_000;

let lastActivity = 0;
const markActive = () => {
  lastActivity = Date.now();
};

/**
 * Tells the service which item this person looks at, and answers who else does. It is said again every half minute while
 * somebody sits before the page, and forgotten by the service two minutes after that.
 */
export function useViewers(clientId: string, item: QueueItem | undefined, on: boolean): string[] {
  const key = item && `${item.kind} ${item.id}`;
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
