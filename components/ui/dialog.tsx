"use client";

import type { DialogProps } from "./dialog-content";
import { lazyDialog } from "./lazy-dialog";

/** A modal window: takes the focus, gives it back, closes with Escape. A sheet from below on phones. Loaded when first opened. */
export const Dialog = lazyDialog<DialogProps>(
  async () => (await import("./dialog-content")).DialogContent,
  ({ open, onOpenChange }) => ({ open, close: () => onOpenChange(false) }),
);
