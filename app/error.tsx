"use client";

import { useEffect } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

/** What a person sees where a page, or what stands around it, could not be made. */
export default function PageError({ reset }: { error: Error; reset: () => void }) {
  // Where the page's own script failed before it took over, presses are still held back for it: this one has taken over.
  useEffect(() => window.candorReady?.(), []);
  return (
    <main lang="en" className="grid min-h-dvh place-items-center">
      <EmptyState
        heading="h1"
        title="This page could not be loaded"
        action={
          <Button look="primary" onClick={reset}>
            Try again
          </Button>
        }
      >
        The service may be busy or starting. Nothing was changed.
      </EmptyState>
    </main>
  );
}
