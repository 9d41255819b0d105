"use client";

import { cloneElement, type KeyboardEvent, type ReactElement, type ReactNode, useState } from "react";
import { windowParts } from "./late-windows";
import type { MenuItemProps, MenuProps } from "./menu-list";

type TriggerProps = { onClick?: () => void; onKeyDown?: (event: KeyboardEvent) => void } & Record<
  `aria-${string}`,
  unknown
>;
/** A button, or what draws one and hands on what it is given. */
export type MenuTrigger = ReactElement<TriggerProps>;

type Props = Omit<MenuProps, "trigger"> & { trigger: MenuTrigger };

/** A button that opens a short list of actions or links. */
export function Menu({ trigger, open, ...props }: Props) {
  const [presses, setPresses] = useState(0);
  const windows = windowParts.use(presses || open === true);
  if (windows !== null && windows !== "failed") {
    const state = props.onOpenChange ? { open: open ?? false } : { defaultOpen: presses > 0 };
    return <windows.MenuList trigger={trigger} {...props} {...state} />;
  }
  const press = () => {
    setPresses((count) => count + 1);
    props.onOpenChange?.(true);
  };
  // The button as it is while nothing was opened yet; a press opens the list as soon as it is here.
  return cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    "aria-busy": presses > 0 && windows === null ? true : undefined,
    onClick: press,
    onKeyDown: (event) => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      press();
    },
  });
}

/** One entry; give it a link or a button as its child. */
export function MenuItem(props: MenuItemProps) {
  const { MenuListItem } = windowParts.held();
  return <MenuListItem {...props} />;
}

export function MenuLabel({ children }: { children: ReactNode }) {
  const { MenuListLabel } = windowParts.held();
  return <MenuListLabel>{children}</MenuListLabel>;
}

export function MenuLine() {
  const { MenuListLine } = windowParts.held();
  return <MenuListLine />;
}
