"use client";

import { useEffect } from "react";
import { forgetTab } from "@/components/portal/kept-lists";

/** On the pages before sign-in: forgets what the person who signed out looked at. */
export function ForgetTab() {
  useEffect(forgetTab, []);
  return null;
}
