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
 * Whether the queue shows one item and nothing beside it. Kept in a cookie, so that the server draws the page as it was
 * left and nothing moves when it comes. A page that was asked for at the very moment may have been sent with the cookie's
 * old value: it is first drawn as the server did. After that only this page changes it: another tab may set the cookie.
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
    // biome-ignore lint/suspicious/noDocumentCookie: a setting of this browser, which the other way to write it does not keep everywhere
    document.cookie = `${SINGLE_COOKIE}=${next ? 1 : 0}; path=/portal; max-age=${YEAR_SECONDS}; samesite=lax`;
    for (const listener of listeners) listener();
  };
  return [single, set];
}
