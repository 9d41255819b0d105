"use client";

import { type ComponentType, lazy, type RefObject, Suspense, useEffect, useRef, useState } from "react";
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
    const place = useRef<HTMLDivElement>(null);
    return (
      // What the server drew of it hears no press while this says that its script is to come; see portal/early.ts.
      <div ref={place} data-coming="" className="contents">
        <Suspense fallback={null}>
          <Shown {...props} />
          <Here place={place} />
        </Suspense>
      </div>
    );
  };
}

function Here({ place }: { place: RefObject<HTMLDivElement | null> }) {
  useEffect(() => {
    place.current?.removeAttribute("data-coming");
    window.candorLine?.goOn();
  }, [place]);
  return null;
}

function Missing() {
  const t = useWords();
  return (
    <Notice tone="bad">
      {t("This part of the page could not be loaded. Check your connection and load the page again.")}
    </Notice>
  );
}
