"use client";

import dynamic from "next/dynamic";
import { useRef } from "react";
import type { DialogProps } from "./dialog-window";

/** For `next/dynamic`: stands for a window that is loaded. Keys pressed meanwhile are not for the page (moderation/use-keys.ts). */
export const DialogOpening = () => <div data-opening="" className="fixed inset-0 z-40 bg-shade" />;

const DialogWindow = dynamic(async () => (await import("./dialog-window")).DialogWindow, {
  ssr: false,
  loading: DialogOpening,
});

/** A modal window: takes the focus, gives it back, closes with Escape. A sheet from below on phones. Loaded when first opened. */
export function Dialog(props: DialogProps) {
  return useOpened(props.open) && <DialogWindow {...props} />;
}

/** Whether it was open at any time: a window stays then, so that it can be seen closing. */
export function useOpened(open: boolean): boolean {
  const opened = useRef(false);
  opened.current ||= open;
  return opened.current;
}
