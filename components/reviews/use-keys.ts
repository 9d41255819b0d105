"use client";

import { useEffect, useRef, useSyncExternalStore } from "react";
import { movingKeys } from "@/lib/queue/values";

const STORED = "candor.keys";
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether single-key commands are on; a person can switch them off where they get in the way of other tools. */
export function useKeysSetting(): [on: boolean, set: (on: boolean) => void] {
  const on = useSyncExternalStore(
    subscribe,
    () => localStorage.getItem(STORED) !== "off",
    () => true,
  );
  const set = (next: boolean) => {
    localStorage.setItem(STORED, next ? "on" : "off");
    for (const listener of listeners) listener();
  };
  return [on, set];
}

let heldUntil = 0;
let typed = "";

/**
 * Keys do nothing until `releaseKeys`, for so many milliseconds at most: what is typed now is meant for a box that is just
 * coming, and must not decide anything.
 */
export const holdKeys = (ms: number): void => {
  heldUntil = performance.now() + ms;
  typed = "";
};

/** Answers what was typed while keys were held; null where they were not. */
export function releaseKeys(): string | null {
  const held = performance.now() < heldUntil;
  heldUntil = 0;
  return held ? typed : null;
}

/** A window or a menu that is open. */
const open = ":is([role=dialog], [role=menu]):not([data-state=closed])";

/** How long the first key of two waits for the second, in milliseconds. */
const PAIR_MS = 1_000;

/**
 * Runs the command of a pressed key, or of two pressed one after the other (`g q`). Off while typing, with a modifier, and
 * while a window or menu is open (one that is just leaving is not). A key that is kept down decides once; it moves on and on.
 */
export function useKeys(commands: Record<string, () => void>, on = true): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(() => {
    if (!on) return;
    let first: { key: string; until: number } | null = null;
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const target = event.target as HTMLElement;
      if (target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]") || target.closest(open))
        return;
      if (performance.now() < heldUntil) {
        if (event.key.length === 1) typed += event.key;
        return event.preventDefault();
      }
      if (event.repeat && !movingKeys.includes(event.key)) return;
      const begun = first && performance.now() < first.until ? `${first.key} ` : "";
      first = null;
      const command = latest.current[`${begun}${event.key}`] ?? latest.current[event.key];
      const begins = Object.keys(latest.current).some((name) => name.startsWith(`${event.key} `));
      if (!command && !begins) return;
      event.preventDefault();
      if (command) command();
      else first = { key: event.key, until: performance.now() + PAIR_MS };
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [on]);
}
