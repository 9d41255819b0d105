"use client";

import { useEffect } from "react";
import { LISTS_KEY } from "@/components/portal/kept-lists";

/** On the pages before sign-in: forgets what the person who signed out looked at. */
export function ForgetTab() {
  useEffect(forgetTab, []);
  return null;
}

/** Forgets what the lists showed, and recent results of the search (search-entries.ts). */
export function forgetTab(): void {
  try {
    const keys = Array.from({ length: sessionStorage.length }, (_, index) => sessionStorage.key(index) ?? "");
    for (const key of keys) if (key === LISTS_KEY || key.startsWith("candor.recent.")) sessionStorage.removeItem(key);
  } catch {
    // blocked by the browser
  }
}
