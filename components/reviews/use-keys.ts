"use client";

import { useEffect, useRef, useSyncExternalStore } from "react";

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

/**
 * Keys do nothing until `releaseKeys`, for so many milliseconds at most: what is typed now is meant for a box that is just
 * coming, and must not decide anything.
 */
export const holdKeys = (ms: number): void => {
  heldUntil = performance.now() + ms;
};

/** Answers whether keys were held. */
export function releaseKeys(): boolean {
  const held = performance.now() < heldUntil;
  heldUntil = 0;
  return held;
}

/** How long the first key of two waits for the second, in milliseconds. */
const PAIR_MS = 1_000;

/**
 * Runs the command of a pressed key, or of two pressed one after the other (`g q`). Off while typing, with a modifier, and
 * while a window or menu is open.
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
      if (target.closest("input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=menu]"))
        return;
      if (performance.now() < heldUntil) return event.preventDefault();
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
