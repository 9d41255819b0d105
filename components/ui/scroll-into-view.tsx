"use client";

import { useEffect, useRef } from "react";

/** Scrolls its parent to the middle of a sideways scroller, so that the neighbors on both sides are visible. */
export function ScrollIntoView() {
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // Not returned: in newer browsers it's a promise, which React would call when the page is left.
    mark.current?.parentElement?.scrollIntoView({ inline: "center", block: "nearest" });
  }, []);
  return <span ref={mark} hidden />;
}
