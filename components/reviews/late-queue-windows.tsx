"use client";

import type { ComponentProps } from "react";
import { useWords } from "#words";
import { LateDialog } from "@/components/ui/dialog";
import { latePart } from "@/components/ui/late";

type Windows = typeof import("./queue-windows").queueWindows;

const queueWindows = latePart<Windows>(async () => (await import("@/components/reviews/queue-windows")).queueWindows);

/** Asks why something is rejected: one key or one click decides. */
export function ReasonDialog(props: ComponentProps<Windows["ReasonDialog"]>) {
  const t = useWords();
  const { items, onClose } = props;
  return (
    <LateDialog part={queueWindows} open={items !== null} title={t("Why reject this?")} onOpenChange={onClose}>
      {(windows) => <windows.ReasonDialog {...props} />}
    </LateDialog>
  );
}

/** The keys and what they do. */
export function KeysDialog(props: ComponentProps<Windows["KeysDialog"]>) {
  const t = useWords();
  return (
    <LateDialog part={queueWindows} {...props} title={t("Keys")}>
      {(windows) => <windows.KeysDialog {...props} />}
    </LateDialog>
  );
}
