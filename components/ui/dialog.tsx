"use client";

import type { DialogProps } from "./dialog-content";
import { lazyDialog } from "./lazy-dialog";

/** A modal dialog: takes focus, returns it, closes with Escape. A bottom sheet on phones. Loaded when first opened. */
export const Dialog = lazyDialog<DialogProps>(
  async () => (await import("./dialog-content")).DialogContent,
  ({ open, onOpenChange }) => ({ open, close: () => onOpenChange(false) }),
);
