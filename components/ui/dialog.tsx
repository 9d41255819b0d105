"use client";

import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useWords } from "#words";
import { buttonClass } from "./button";
import type { DialogProps } from "./dialog-window";
import type { LatePart } from "./late";
import { windowParts } from "./late-windows";

/** A window over the page: takes the focus, gives it back, closes with Escape. A sheet from below on phones. */
export function Dialog(props: DialogProps) {
  return (
    <LateDialog part={windowParts} {...props}>
      {({ DialogWindow }) => <DialogWindow {...props} />}
    </LateDialog>
  );
}

type LateProps<T> = Pick<DialogProps, "open" | "title" | "onOpenChange"> & {
  part: LatePart<T>;
  children: (part: T) => ReactNode;
};

/** What is drawn of a part of the page that may still be on its way when it is opened. */
export function LateDialog<T>({ part, children, ...props }: LateProps<T>) {
  // Once it was open it stays, so that it can be seen leaving.
  const opened = useRef(false);
  const { open } = props;
  opened.current ||= open;
  const held = part.use(opened.current);
  // Keys pressed at it meanwhile are for it: it answers them once it has come (see dialog-window.tsx).
  useLayoutEffect(() => {
    if (!open) return;
    if (part.now() === null) window.candorLine?.awaits("window", Number.POSITIVE_INFINITY);
    return () => window.candorLine?.gone("window");
  }, [open, part]);
  if (held === "failed" && !open) opened.current = false;
  if (held === null || held === "failed") return open && <Pending {...props} failed={held === "failed"} />;
  return children(held as T);
}

/** Stands for a window that is on its way: it has the focus, so no key is taken for one of the page behind it. */
function Pending({ title, failed, onOpenChange }: Pick<DialogProps, "title" | "onOpenChange"> & { failed: boolean }) {
  const t = useWords();
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    frame.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <div
      ref={frame}
      role="dialog"
      aria-label={title}
      aria-busy={!failed}
      tabIndex={-1}
      onKeyDown={({ key }) => key === "Escape" && onOpenChange(false)}
      className="fixed inset-0 z-40 grid place-items-center bg-shade p-5 outline-none"
    >
      {failed && (
        <div className="flex max-w-sm flex-col gap-4 rounded-card bg-raised p-5 shadow-float">
          <p role="alert">
            {t("This part of the page could not be loaded. Check your connection and load the page again.")}
          </p>
          <div className="flex justify-end gap-2">
            <button type="button" className={buttonClass()} onClick={() => onOpenChange(false)}>
              {t("Close")}
            </button>
            <button type="button" className={buttonClass({ look: "primary" })} onClick={() => location.reload()}>
              {t("Load again")}
            </button>
          </div>
        </div>
      )}
    </div>
  );
}
