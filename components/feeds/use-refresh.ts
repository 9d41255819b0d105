"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

const REFRESH_INTERVAL_MS = 2_000;

/** Asks for the page again every two seconds while something is under way and somebody looks. */
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

/** The same as a component, for pages that are drawn on the server. */
export function RefreshWhile({ underWay }: { underWay: boolean }) {
  useRefreshWhile(underWay);
  return null;
}
