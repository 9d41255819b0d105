"use client";

import { type ComponentType, lazy, Suspense, useState } from "react";
import { useWords } from "#words";
import { Notice } from "@/components/ui/notice";
import { latePart } from "./late";

/**
 * A component that only some pages draw: those bring it along, drawn by the server as the rest; others fetch it as they do
 * other late parts, at the first sign of a person. Make one where a module begins.
 */
export function lateView<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const part = latePart(load);
  const Coming = lazy(async () => ({ default: (await part.fetch().catch(() => null)) ?? Missing }));
  return function LateView(props: P) {
    // What it is at first it stays: another component in its place would begin anew.
    const [Shown] = useState<ComponentType<P>>(() => part.now() ?? Coming);
    return (
      <Suspense fallback={null}>
        <Shown {...props} />
      </Suspense>
    );
  };
}

function Missing() {
  const t = useWords();
  return (
    <Notice tone="bad">
      {t("This part of the page could not be loaded. Check your connection and load the page again.")}
    </Notice>
  );
}
