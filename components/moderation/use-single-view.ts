"use client";

import { useRef, useSyncExternalStore } from "react";
import { SINGLE_COOKIE } from "@/components/moderation/labels";

const YEAR_SECONDS = 31_536_000;
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Whether the queue shows a single item. Stored in a cookie, so that the server renders the same view and nothing moves
 * on load. A page requested at the moment of a change may have the cookie's old value: the first render matches the
 * server. Later only this page changes it, since another tab may set the cookie.
 */
export function useSingleView(initial: boolean): [single: boolean, set: (single: boolean) => void] {
  const shown = useRef<boolean | null>(null);
  const single = useSyncExternalStore(
    subscribe,
    () => {
      shown.current ??= document.cookie.split("; ").includes(`${SINGLE_COOKIE}=1`);
      return shown.current;
    },
    () => initial,
  );
  const set = (next: boolean) => {
    shown.current = next;
    // biome-ignore lint/suspicious/noDocumentCookie: a setting of this browser; the Cookie Store API isn't available everywhere
    document.cookie = `${SINGLE_COOKIE}=${next ? 1 : 0}; path=/portal; max-age=${YEAR_SECONDS}; samesite=lax`;
    for (const listener of listeners) listener();
  };
  return [single, set];
}
