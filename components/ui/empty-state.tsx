import type { ReactNode } from "react";

type Props = {
  icon?: ReactNode;
  title: string;
  /** what it means and what to do next */
  children?: ReactNode;
  action?: ReactNode;
  /** h1 if it is the whole page */
  heading?: "h1" | "h2";
};

/** Shown if a list is empty: always with the next step. */
export function EmptyState({ icon, title, children, action, heading: Heading = "h2" }: Props) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 px-6 py-16 text-center">
      {icon && (
        <span className="flex size-12 items-center justify-center rounded-full bg-sunken text-muted [&_svg]:size-5.5">
          {icon}
        </span>
      )}
      <Heading className="text-lg font-semibold text-balance">{title}</Heading>
      {children && <div className="text-balance text-muted">{children}</div>}
      {action && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
