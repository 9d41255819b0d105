"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 2_000;

/**
 * Refreshes the page while something is running and the tab is visible: soon, since most files are small, and then
 * every two seconds.
 */
export function useRefreshWhile(underWay: boolean): void {
  const router = useRouter();
  useEffect(() => {
    if (!underWay) return;
    let delay = FIRST_DELAY_MS;
    const refresh = () => {
      if (document.visibilityState === "visible") router.refresh();
      delay = Math.min(2 * delay, MAX_DELAY_MS);
      timer = setTimeout(refresh, delay);
    };
    let timer = setTimeout(refresh, delay);
    return () => clearTimeout(timer);
  }, [underWay, router]);
}

/** Same as {@link useRefreshWhile}, as a component for server-rendered pages. */
export function RefreshWhile({ inProgress }: { inProgress: boolean }) {
  useRefreshWhile(inProgress);
  return null;
}
