"use client";

import { useEffect, useRef } from "react";

/** Brings what it stands in into view, where that is a row one pushes sideways and its place lies beyond the edge. */
export function IntoView() {
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => mark.current?.parentElement?.scrollIntoView({ inline: "nearest", block: "nearest" }), []);
  return <span ref={mark} hidden />;
}
