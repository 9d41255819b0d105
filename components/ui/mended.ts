"use client";

import { type ReactNode, useState } from "react";

/** What `#mended` is in the browser (package.json, "imports"): an error goes once its control is changed, until the next one comes. */
export function useMended(error: ReactNode): { error: ReactNode; onInput: (() => void) | undefined } {
  // A sentence that is drawn anew is the same one.
  const told = typeof error === "string" ? error : Boolean(error);
  const [last, setLast] = useState(told);
  const [mended, setMended] = useState(false);
  if (told !== last) {
    setLast(told);
    setMended(false);
  }
  return { error: mended && told === last ? undefined : error, onInput: told ? () => setMended(true) : undefined };
}
