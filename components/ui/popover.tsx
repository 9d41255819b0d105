"use client";

import clsx from "clsx";
import { Popover as Radix } from "radix-ui";
import type { ReactNode, RefObject } from "react";

export type PopoverState = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** the button that opens it */
  button: RefObject<HTMLButtonElement | null>;
};

type Props = PopoverState & {
  /** its name for screen readers, or the id of its heading */
  name: { "aria-label": string } | { "aria-labelledby": string };
  /** its width */
  className: string;
  children: ReactNode;
};

/** A panel next to a button that is on the page before this script is loaded. */
export function Popover({ open, onOpenChange, button, name, className, children }: Props) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Anchor virtualRef={button as RefObject<HTMLButtonElement>} />
      <Radix.Portal>
        <Radix.Content
          {...name}
          align="start"
          sideOffset={6}
          collisionPadding={8}
          // The button closes it by itself.
          onInteractOutside={(event) => button.current?.contains(event.target as Node) && event.preventDefault()}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (document.activeElement === document.body) button.current?.focus();
          }}
          className={clsx(
            "z-40 flex max-h-(--radix-popover-content-available-height) max-w-[calc(100vw-1rem)] flex-col rounded-control border border-line bg-raised p-1 shadow-float data-[state=open]:animate-arrive",
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
