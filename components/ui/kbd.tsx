import type { ReactNode } from "react";

/** The shortcut of a button. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-[0.25rem] border border-current/25 px-1 font-sans text-[0.6875rem] leading-none font-medium">
      {children}
    </kbd>
  );
}
