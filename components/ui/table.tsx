import clsx from "clsx";
import type { ComponentProps, ReactNode } from "react";

/** A table in a card that scrolls sideways by itself on narrow screens. `caption` names it for screen readers. */
export function Table({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <section
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
      tabIndex={0}
      className="scroll-edges relative overflow-x-auto rounded-card border border-line shadow-raised"
    >
      <table className="w-full border-collapse text-left text-sm">
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </section>
  );
}

export function Head({ className, ...rest }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      className={clsx("border-b border-line px-4 py-2.5 text-xs font-medium whitespace-nowrap text-muted", className)}
      {...rest}
    />
  );
}

export function Cell({ className, ...rest }: ComponentProps<"td">) {
  return <td className={clsx("border-b border-line px-4 py-3 align-top", className)} {...rest} />;
}

export function Row({ className, ...rest }: ComponentProps<"tr">) {
  return <tr className={clsx("last:*:border-b-0 hover:bg-sunken/50", className)} {...rest} />;
}
