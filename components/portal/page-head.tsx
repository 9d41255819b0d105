import type { ReactNode } from "react";

type Props = {
  title: ReactNode;
  /** next to the title, such as a button that copies it */
  beside?: ReactNode;
  children?: ReactNode;
  tools?: ReactNode;
};

/** The header of a page: its title, a line about it, and its actions. */
export function PageHead({ title, beside, children, tools }: Props) {
  return (
    <header className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3 sm:flex-nowrap">
      <div className="min-w-0">
        {beside ? (
          <div className="flex items-center gap-1.5">
            <h1 className="min-w-0 text-xl font-semibold break-words">{title}</h1>
            {beside}
          </div>
        ) : (
          <h1 className="text-xl font-semibold break-words">{title}</h1>
        )}
        {children && <p className="text-sm text-muted">{children}</p>}
      </div>
      {tools}
    </header>
  );
}
