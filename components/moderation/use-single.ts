"use client";

import { useState } from "react";
import { SINGLE_COOKIE } from "@/components/moderation/words";

const YEAR_SECONDS = 31_536_000;

/**
 * Whether the queue shows one item and nothing beside it. Kept in a cookie, so that the server draws the page as it was
 * left and nothing moves when it comes.
 */
export function useSingle(atFirst: boolean): [single: boolean, set: (single: boolean) => void] {
  const [single, setSingle] = useState(() =>
    typeof document === "undefined" ? atFirst : document.cookie.split("; ").includes(`${SINGLE_COOKIE}=1`),
  );
  const set = (next: boolean) => {
    // biome-ignore lint/suspicious/noDocumentCookie: a setting of this browser, which the other way to write it does not keep everywhere
    document.cookie = `${SINGLE_COOKIE}=${next ? 1 : 0}; path=/portal; max-age=${YEAR_SECONDS}; samesite=lax`;
    setSingle(next);
  };
  return [single, set];
}
