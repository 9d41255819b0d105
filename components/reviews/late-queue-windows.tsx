"use client";

import type { ComponentProps } from "react";
import { LateDialog } from "@/components/ui/dialog";
import { latePart } from "@/components/ui/late";

type Windows = typeof import("./queue-windows").queueWindows;

const queueWindows = latePart<Windows>(async () => (await import("@/components/reviews/queue-windows")).queueWindows);

/** Asks why something is rejected: one key or one click decides. */
export function ReasonDialog(props: ComponentProps<Windows["ReasonDialog"]>) {
  const { items, onClose } = props;
  return (
    <LateDialog part={queueWindows} open={items !== null} title="Why reject this?" onOpenChange={onClose}>
      {(windows) => <windows.ReasonDialog {...props} />}
    </LateDialog>
  );
}

/** The keys and what they do. */
export function KeysDialog(props: ComponentProps<Windows["KeysDialog"]>) {
  return (
    <LateDialog part={queueWindows} {...props} title="Keys">
      {(windows) => <windows.KeysDialog {...props} />}
    </LateDialog>
  );
}
