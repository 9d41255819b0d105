"use client";

import { useIsMutating } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";

/**
 * Loads the page's rows again once all decisions, and undone ones, are stored. Apart from the list, which may be empty
 * when the last decision is undone.
 */
export function RefreshAfterDecisions({ clientId }: { clientId: string }): null {
  const router = useRouter();
  const deciding = useIsMutating({ mutationKey: ["decisions", clientId] });
  const wasDeciding = useRef(false);
  useEffect(() => {
    if (wasDeciding.current && deciding === 0) router.refresh();
    wasDeciding.current = deciding > 0;
  }, [deciding, router]);
  return null;
}
