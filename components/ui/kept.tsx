"use client";

import type { KeepProps, Kept, ListProps } from "./kept-parts";
import { windowParts } from "./late-windows";
import { useToast } from "./toast";

// Within a Dialog only: they come with it.

/** Keeps something under a name; one that has the name already is replaced, and the form says so. */
export function KeepForm(props: KeepProps) {
  const { KeepFormPart } = windowParts.held();
  return <KeepFormPart toast={useToast()} {...props} />;
}

/** What is kept, each with a button to remove it, which can be undone for a moment. */
export function KeptList<T extends Kept>(props: ListProps<T>) {
  const { KeptListPart } = windowParts.held();
  return <KeptListPart toast={useToast()} {...props} />;
}
