"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

const REFRESH_INTERVAL_MS = 2_000;

/** Refreshes the page every two seconds while something is running and the tab is visible. */
export function useRefreshWhile(underWay: boolean): void {
  const router = useRouter();
  useEffect(() => {
    if (!underWay) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") router.refresh();
    }, REFRESH_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [underWay, router]);
}

/** Same as {@link useRefreshWhile}, as a component for server-rendered pages. */
export function RefreshWhile({ inProgress }: { inProgress: boolean }) {
  useRefreshWhile(inProgress);
  return null;
}
