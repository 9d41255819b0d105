"use client";

import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";

export type MenuProps = {
  trigger: ReactNode;
  label: string;
  children: ReactNode;
  /** for controlled use: a link that doesn't navigate by itself doesn't close the menu */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  defaultOpen?: boolean;
  /** `preventDefault` leaves the focus where an entry moved it, instead of returning it to the trigger */
  onCloseAutoFocus?: (event: Event) => void;
};

/** The list that {@link import("./menu").Menu} loads. */
export function MenuList({ trigger, label, children, onCloseAutoFocus, ...state }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false} {...state}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          aria-label={label}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          {...(onCloseAutoFocus && { onCloseAutoFocus })}
          className="z-40 max-h-(--radix-dropdown-menu-content-available-height) max-w-[calc(100vw-1rem)] min-w-52 overflow-y-auto rounded-control border border-line bg-raised p-1 shadow-float data-[state=open]:animate-arrive"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const itemClass =
  "flex w-full cursor-pointer items-center gap-2 rounded-[0.375rem] px-2.5 py-2 text-left text-sm outline-none data-highlighted:bg-sunken aria-[current=page]:font-semibold aria-[current=page]:text-accent";

export const MenuItem = ({ children, ...rest }: ComponentProps<typeof DropdownMenu.Item>) => (
  <DropdownMenu.Item asChild className={itemClass} {...rest}>
    {children}
  </DropdownMenu.Item>
);

/** An entry that is on or off; the menu stays open. */
export const MenuCheckbox = ({
  checked,
  onChange,
  children,
}: {
  checked: boolean;
  onChange: () => void;
  children: ReactNode;
}) => (
  <DropdownMenu.CheckboxItem
    checked={checked}
    onCheckedChange={onChange}
    onSelect={(event) => event.preventDefault()}
    className={itemClass}
  >
    <span className="size-4">
      <DropdownMenu.ItemIndicator>
        <Check aria-hidden="true" className="size-4 text-accent" />
      </DropdownMenu.ItemIndicator>
    </span>
    {children}
  </DropdownMenu.CheckboxItem>
);

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <DropdownMenu.Label className="px-2.5 pt-2 pb-1 text-xs text-muted">{children}</DropdownMenu.Label>
);

export const MenuSeparator = () => <DropdownMenu.Separator className="my-1 h-px bg-line" />;
