"use client";

import clsx from "clsx";
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type KeyboardEventHandler, type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";
import { useTranslations } from "#messages";
import { findOpener } from "./find-opener";

export type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  /** for pictures instead of text */
  wide?: boolean;
  /** shortcuts while the dialog is open */
  onKeyDown?: KeyboardEventHandler;
  /** initial focus, if not the first focusable element */
  initialFocus?: RefObject<HTMLElement | null>;
  /** gets focus on closing if the button that opened the dialog is gone */
  returnFocus?: RefObject<HTMLElement | null> | undefined;
  children: ReactNode;
};

/** The dialog that {@link import("./dialog").Dialog} loads. */
export function DialogContent({
  open,
  onOpenChange,
  title,
  description,
  wide = false,
  onKeyDown,
  initialFocus,
  returnFocus,
  children,
}: DialogProps) {
  const t = useTranslations();
  const opener = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    if (open) opener.current = findOpener();
  }, [open]);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-shade data-[state=closed]:animate-leave data-[state=open]:animate-arrive" />
        <Radix.Content
          {...(description ? {} : { "aria-describedby": undefined })}
          onKeyDown={onKeyDown}
          onOpenAutoFocus={(event) => {
            if (!initialFocus?.current) return;
            event.preventDefault();
            initialFocus.current.focus();
          }}
          // Radix returns focus only to its own trigger.
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (document.activeElement !== document.body) return;
            // What the dialog did may have removed its button.
            (opener.current?.isConnected ? opener : returnFocus)?.current?.focus();
          }}
          className={clsx(
            wide ? "sm:w-[min(72rem,92vw)]" : "sm:w-[30rem]",
            "fixed inset-x-0 bottom-0 z-50 max-h-[88dvh] overflow-y-auto rounded-t-card bg-raised p-5 shadow-float data-[state=closed]:animate-leave data-[state=open]:animate-arrive sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-card sm:p-6",
          )}
        >
          <div className="mb-4 pr-10">
            <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
            {description && <Radix.Description className="text-sm text-muted">{description}</Radix.Description>}
          </div>
          {children}
          {/* Last, so that focus starts at the dialog's content. */}
          <Radix.Close
            aria-label={t("common.close")}
            className="absolute top-3.5 right-3.5 rounded-control p-1.5 text-muted hover:bg-sunken hover:text-ink"
          >
            <X aria-hidden="true" className="size-5" />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
