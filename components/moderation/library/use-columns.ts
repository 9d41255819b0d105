"use client";

import { useMemo, useSyncExternalStore } from "react";
import { type Column, columns } from "@/components/moderation/library/labels";

const STORAGE_KEY = "candor.library-columns";
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The columns that this browser shows, stored as those that are hidden: new ones appear. */
export function useColumns(): [shown: readonly Column[], toggle: (column: Column) => void] {
  const stored = useSyncExternalStore(
    subscribe,
    () => localStorage.getItem(STORAGE_KEY) ?? "",
    () => "",
  );
  const shown = useMemo(() => columns.filter((column) => !stored.split(" ").includes(column)), [stored]);
  const toggle = (column: Column) => {
    const isShown = shown.includes(column);
    const hidden = columns.filter((one) => (one === column ? isShown : !shown.includes(one)));
    localStorage.setItem(STORAGE_KEY, hidden.join(" "));
    for (const listener of listeners) listener();
  };
  return [shown, toggle];
}
