"use client";

import {
  type ComponentType,
  cloneElement,
  type KeyboardEvent,
  lazy,
  type ReactElement,
  type Ref,
  Suspense,
  useEffect,
  useRef,
  useState,
} from "react";
import { useTranslations } from "#messages";
import { fallback } from "./fallback";
import { DialogPlaceholder } from "./lazy-dialog";
import type { MenuProps } from "./menu-list";

// Loaded when the first menu opens: with its positioning it is larger than most pages.
const MenuList = lazy(() =>
  import("./menu-list").then((loaded) => ({ default: loaded.MenuList }), fallback({ default: ListNotLoaded })),
);
/** A menu entry; its child is a link or a button. */
export const MenuItem = lazy(async () => ({ default: (await import("./menu-list")).MenuItem }));
export const MenuCheckbox = lazy(async () => ({ default: (await import("./menu-list")).MenuCheckbox }));
export const MenuLabel = lazy(async () => ({ default: (await import("./menu-list")).MenuLabel }));
export const MenuSeparator = lazy(async () => ({ default: (await import("./menu-list")).MenuSeparator }));

type TriggerProps = {
  ref?: Ref<HTMLButtonElement>;
  onClick?: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
} & Record<`aria-${string}`, unknown>;
/** A button, or a component that renders one and passes its props on. */
export type MenuTrigger = ReactElement<TriggerProps>;

function ListNotLoaded({
  trigger,
  open,
  onOpenChange = () => undefined,
}: Omit<MenuProps, "trigger"> & { trigger: MenuTrigger }) {
  const button = useRef<HTMLButtonElement>(null);
  const [shown, setShown] = useState(true);
  const isShown = open ?? shown;
  const show = (next: boolean) => {
    setShown(next);
    onOpenChange(next);
  };
  useEffect(() => {
    if (!isShown) button.current?.focus();
  }, [isShown]);
  return (
    <>
      {cloneElement(trigger, {
        ref: button,
        "aria-haspopup": "dialog",
        "aria-expanded": isShown,
        onClick: () => show(true),
      })}
      <DialogPlaceholder open={isShown} close={() => show(false)} failed />
    </>
  );
}

type Props = Omit<MenuProps, "trigger" | "defaultOpen"> & { trigger: MenuTrigger };

/** A menu that is loaded when first opened. Escape cancels that while it is loading. */
export function Menu({ trigger, open, ...props }: Props) {
  const [wasOpened, setOpened] = useState(false);
  /** whether the trigger is about to be rendered anew, which would lose the focus */
  const takesFocus = useRef(false);
  const change = (next: boolean) => {
    takesFocus.current = true;
    setOpened(next);
    props.onOpenChange?.(next);
  };
  const closed = cloneElement(trigger, {
    ref: (button: HTMLButtonElement | null) => {
      if (!button || !takesFocus.current) return;
      takesFocus.current = false;
      button.focus();
    },
    "aria-haspopup": "menu",
    "aria-expanded": false,
    "aria-busy": wasOpened || undefined,
    onClick: () => change(true),
    onKeyDown: (event) => {
      const next = event.key === "ArrowDown" ? true : event.key === "Escape" && wasOpened ? false : null;
      if (next === null) return;
      event.preventDefault();
      change(next);
    },
  });
  if (!wasOpened && !open) return closed;
  const state = props.onOpenChange ? { open: open ?? false } : { defaultOpen: true };
  return (
    <Suspense fallback={closed}>
      <MenuList trigger={trigger} {...props} {...state} />
    </Suspense>
  );
}

/** Entries that are loaded when their menu first opens. */
export const lazyEntries = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> =>
  lazy(() => load().then((Entries) => ({ default: Entries }), fallback({ default: EntriesNotLoaded })));

/** An entry itself, because only menu entries can be reached by keyboard. */
function EntriesNotLoaded() {
  const t = useTranslations();
  return (
    <MenuItem onSelect={() => location.reload()}>
      <button type="button">{t("common.errorLoading")}</button>
    </MenuItem>
  );
}
