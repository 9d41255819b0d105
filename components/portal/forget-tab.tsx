"use client";

import { useEffect } from "react";
import { forgetTab } from "@/components/portal/kept-lists";

/** On the pages before sign-in: clears the signed-out person's filters and recent searches. */
export function ForgetTab() {
  useEffect(forgetTab, []);
  return null;
}
