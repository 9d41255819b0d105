import clsx from "clsx";
import type { ComponentProps, ReactNode } from "react";

// Safari's VoiceOver doesn't treat a table with block elements (as on phones) as a table without explicit roles.
const explicitRoles = {
  table: { role: "table" },
  rowgroup: { role: "rowgroup" },
  row: { role: "row" },
  columnheader: { role: "columnheader" },
  cell: { role: "cell" },
};

type TableProps = {
  /** name for screen readers */
  caption: string;
  /** On phones each row is a card with its cells below each other; give each cell a `label` then. */
  stacks?: boolean;
  /** Column widths come from the headings instead of the content, so that several tables line up. */
  fixed?: boolean;
  children: ReactNode;
};

/** A table in a card. If it is too wide, it scrolls sideways, or stacks. */
export function Table({ caption, stacks = false, fixed = false, children }: TableProps) {
  return (
    <section
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
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
        "border-b border-line px-3 py-2.5 text-xs font-medium whitespace-nowrap text-muted sm:px-4 in-data-[rows=compact]:py-1.5",
        className,
      )}
      {...rest}
    />
  );
}

type CellProps = ComponentProps<"td"> & {
  /** its column's name, in a table that stacks; omitted for names and buttons */
  label?: string;
};

export function Cell({ className, label, ...rest }: CellProps) {
  return (
    <td
      {...explicitRoles.cell}
      data-label={label}
      className={clsx("border-b border-line px-3 py-3 align-top sm:px-4 in-data-[rows=compact]:py-1", className)}
      {...rest}
    />
  );
}

export function Row({ className, ...rest }: ComponentProps<"tr">) {
  return <tr {...explicitRoles.row} className={clsx("last:*:border-b-0 hover:bg-sunken/50", className)} {...rest} />;
}
