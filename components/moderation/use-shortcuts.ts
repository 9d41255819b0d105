"use client";

import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from "react";
import { findShortcut, pageShortcuts, type ShortcutName } from "@/components/moderation/shortcuts";
import { openOverlay } from "@/components/ui/lazy-dialog";

const STORAGE_KEY = "candor.keys";
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether single-key shortcuts are on; people can turn them off if they interfere with other tools. */
export function useShortcutsSetting(): [on: boolean, set: (on: boolean) => void] {
  const on = useSyncExternalStore(
    subscribe,
    () => localStorage.getItem(STORAGE_KEY) !== "off",
    () => true,
  );
  const set = (next: boolean) => {
    localStorage.setItem(STORAGE_KEY, next ? "on" : "off");
    for (const listener of listeners) listener();
  };
  return [on, set];
}

/** Identifies a page, ignoring the selected item and filters. */
const pageOf = ({ pathname, search }: URL | Location) =>
  `${pathname} ${new URLSearchParams(search).get("client_id") ?? ""}`;
/**
 * How long a page counts as left, in milliseconds. The router doesn't report that a page failed to load or was
 * canceled.
 */
const LEFT_MS = 10_000;
let leftPage: { page: string; until: number } | null = null;

/** Call when the page at an address is requested. */
export function markLeaving(address: string): void {
  const currentPage = pageOf(location);
  leftPage =
    pageOf(new URL(address, location.href)) === currentPage
      ? null
      : { page: currentPage, until: performance.now() + LEFT_MS };
}

/** Whether another page was requested and this one is still visible. */
export const isLeaving = () =>
  leftPage !== null && leftPage.page === pageOf(location) && performance.now() < leftPage.until;

/** The router follows a link by preventing the browser's default action. */
function markLinkClick(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link && event.defaultPrevented) markLeaving(link.href);
}

/** How long to wait for the second key of a pair, in milliseconds. */
const PAIR_MS = 1_000;

/**
 * Runs the command of a key, or of two keys in sequence (`g q`): the second key of a pair runs nothing on its own. Off
 * while typing, with a modifier, and while a dialog or menu is open (not while it is closing). A held key decides once,
 * but keeps moving. While another page loads, only pairs work: this page has been left, and the next one isn't visible
 * yet. A command gets the keys that ran it.
 */
export function useShortcuts(commands: Partial<Record<ShortcutName, (keys: string) => void>>, on = true): void {
  const firstKey = useRef<{ key: string; until: number } | null>(null);
  // An effect event always has the commands of the last render.
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const target = event.target as HTMLElement;
    if (target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
    if (document.querySelector(openOverlay)) return;
    if (event.repeat && !findShortcut(event.key)?.[1].repeats) return;
    const first = firstKey.current;
    firstKey.current = null;
    const prefix = first && performance.now() < first.until ? `${first.key} ` : "";
    const keys = `${prefix}${event.key}`;
    const [name] = (prefix || !isLeaving() ? findShortcut(keys) : undefined) ?? [];
    const command = name && commands[name];
    const startsPair = commands.openPage && Object.keys(pageShortcuts).some((pair) => pair.startsWith(`${event.key} `));
    if (!command && !startsPair) return;
    event.preventDefault();
    if (command) command(keys);
    else firstKey.current = { key: event.key, until: performance.now() + PAIR_MS };
  });
  useEffect(() => {
    leftPage = null;
    document.addEventListener("click", markLinkClick);
    return () => document.removeEventListener("click", markLinkClick);
  }, []);
  useEffect(() => {
    if (!on) return;
    firstKey.current = null;
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [on]);
}
