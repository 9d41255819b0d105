"use client";

import { useEffect, useRef, useSyncExternalStore } from "react";
import { navigationKeys } from "@/lib/moderation/queue/values";

const STORED = "candor.keys";
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether single-key commands are on; a person can switch them off where they get in the way of other tools. */
export function useShortcutsSetting(): [on: boolean, set: (on: boolean) => void] {
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

/** A window or a menu that is open or about to be (ui/late.tsx). */
const openOverlay = ":is([role=dialog], [role=menu], [data-opening]):not([data-state=closed])";

/** A page, whichever of its items or filters is shown. */
const pageOf = ({ pathname, search }: URL | Location) =>
  `${pathname} ${new URLSearchParams(search).get("client_id") ?? ""}`;
/** Milliseconds for which a page counts as left. The router tells nobody of a page that fails to come, or is given up. */
const LEFT_MS = 10_000;
let leftPage: { page: string; until: number } | null = null;

/** To be called when the page at an address is asked for. */
export function markLeaving(address: string): void {
  const here = pageOf(location);
  leftPage =
    pageOf(new URL(address, location.href)) === here ? null : { page: here, until: performance.now() + LEFT_MS };
}

/** Whether another page was asked for and this one is still shown. */
export const isLeaving = () =>
  leftPage !== null && leftPage.page === pageOf(location) && performance.now() < leftPage.until;

/** The router follows a link by preventing the browser from doing so. */
function markLinkClick(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link && event.defaultPrevented) markLeaving(link.href);
}

/** How long the first key of two waits for the second, in milliseconds. */
const PAIR_MS = 1_000;

/**
 * Runs the command of a pressed key, or of two pressed one after the other (`g q`): the second of two is nothing by itself.
 * Off while typing, with a modifier, and while a window or menu is open (one that is just leaving is not). A key that is kept
 * down decides once; it moves on and on. While another page is on its way, only pairs lead on: this one has been left, and the
 * other cannot be seen yet.
 */
export function useShortcuts(commands: Record<string, () => void>, on = true): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(() => {
    leftPage = null;
    document.addEventListener("click", markLinkClick);
    return () => document.removeEventListener("click", markLinkClick);
  }, []);
  useEffect(() => {
    if (!on) return;
    let first: { key: string; until: number } | null = null;
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const target = event.target as HTMLElement;
      if (target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
      if (document.querySelector(openOverlay)) return;
      if (event.repeat && !navigationKeys.includes(event.key)) return;
      const prefix = first && performance.now() < first.until ? `${first.key} ` : "";
      first = null;
      const command = prefix || !isLeaving() ? latest.current[`${prefix}${event.key}`] : undefined;
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
