import clsx from "clsx";
import type { ComponentProps, ReactNode } from "react";

// A table whose parts are blocks, as on phones, is no table any more to Safari's VoiceOver, unless its parts say what they are.
const explicitRoles = {
  table: { role: "table" },
  rowgroup: { role: "rowgroup" },
  row: { role: "row" },
  columnheader: { role: "columnheader" },
  cell: { role: "cell" },
};

type TableProps = {
  /** names it for screen readers */
  caption: string;
  /** On phones each row is a small card of its own, its cells one below the other; give each cell its `label` then. */
  stacks?: boolean;
  /** Its columns are as wide as their heads say, whatever the cells hold, so that tables one below the other line up. */
  fixed?: boolean;
  children: ReactNode;
};

/** A table in a card. What is too wide for a screen scrolls sideways by itself, or stacks. */
export function Table({ caption, stacks = false, fixed = false, children }: TableProps) {
  return (
    <section
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
      tabIndex={0}
      className="scroll-edges relative overflow-x-auto rounded-card border border-line shadow-raised"
    >
      <table
        {...explicitRoles.table}
        className={clsx(
          "w-full border-collapse text-left text-sm",
          stacks && "stacks",
          fixed && "sm:min-w-3xl sm:table-fixed",
        )}
      >
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </section>
  );
}

export function Heads({ children }: { children: ReactNode }) {
  return (
    <thead {...explicitRoles.rowgroup}>
      <tr {...explicitRoles.row}>{children}</tr>
    </thead>
  );
}

export function Rows({ children }: { children: ReactNode }) {
  return <tbody {...explicitRoles.rowgroup}>{children}</tbody>;
}

export function Head({ className, ...rest }: ComponentProps<"th">) {
  return (
    <th
      {...explicitRoles.columnheader}
      scope="col"
      className={clsx(
        "border-b border-line px-3 py-2.5 text-xs font-medium whitespace-nowrap text-muted sm:px-4",
        className,
      )}
      {...rest}
    />
  );
}

type CellProps = ComponentProps<"td"> & {
  /** its column's name, in a table that stacks; none for what stands by itself, as a name or a button */
  label?: string;
};

export function Cell({ className, label, ...rest }: CellProps) {
  return (
    <td
      {...explicitRoles.cell}
      data-label={label}
      className={clsx("border-b border-line px-3 py-3 align-top sm:px-4", className)}
      {...rest}
    />
  );
}

export function Row({ className, ...rest }: ComponentProps<"tr">) {
  return <tr {...explicitRoles.row} className={clsx("last:*:border-b-0 hover:bg-sunken/50", className)} {...rest} />;
}
