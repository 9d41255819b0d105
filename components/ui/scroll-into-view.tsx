"use client";

import { useEffect, useRef } from "react";

/** Brings what it stands in into the middle of a row that one pushes sideways, so that what is beside it shows on both sides. */
export function ScrollIntoView() {
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => mark.current?.parentElement?.scrollIntoView({ inline: "center", block: "nearest" }), []);
  return <span ref={mark} hidden />;
}
