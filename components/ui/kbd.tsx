import type { ReactNode } from "react";

/** The shortcut of a button. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-[0.25rem] border border-current/25 px-1 font-sans text-[0.6875rem] leading-none font-medium">
      {children}
    </kbd>
  );
}

/** A button's shortcut, on large screens only; not a part of its name. */
export const KeyHint = ({ children }: { children: ReactNode }) => (
  <span className="hidden lg:inline-flex" aria-hidden="true">
    <Kbd>{children}</Kbd>
  </span>
);
