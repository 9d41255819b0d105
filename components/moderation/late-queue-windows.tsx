"use client";

import type { ComponentProps } from "react";
import { useWords } from "#words";
import { LateDialog } from "@/components/ui/dialog";
import { latePart } from "@/components/ui/late";
import { lateView } from "@/components/ui/late-view";

type Windows = typeof import("./queue-windows").queueWindows;

export const queueWindows = latePart<Windows>(
  async () => (await import("@/components/moderation/queue-windows")).queueWindows,
);

export const BulkBar = lateView(async () => (await queueWindows.fetch()).BulkBar);
export const NotDecidedList = lateView(async () => (await queueWindows.fetch()).NotDecidedList);
export const ReplyButtons = lateView(async () => (await queueWindows.fetch()).ReplyButtons);

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

/** One of an item's photos, large. */
export function PhotoWindow(props: ComponentProps<Windows["PhotoWindow"]>) {
  const t = useWords();
  const { open, onClose } = props;
  return (
    <LateDialog part={queueWindows} open={open !== null} title={t("Photos")} onOpenChange={onClose}>
      {(windows) => <windows.PhotoWindow {...props} />}
    </LateDialog>
  );
}
