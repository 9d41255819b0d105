"use client";

import type { DialogProps } from "./dialog-window";
import { lateWindow } from "./late";

/** A modal window: takes the focus, gives it back, closes with Escape. A sheet from below on phones. Loaded when first opened. */
export const Dialog = lateWindow<DialogProps>(
  async () => (await import("./dialog-window")).DialogWindow,
  ({ open, onOpenChange }) => ({ open, close: () => onOpenChange(false) }),
);
