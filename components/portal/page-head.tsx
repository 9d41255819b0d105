import type { ReactNode } from "react";

/** The header of a page: its title, a line about it, and its actions. */
export function PageHead({ title, children, tools }: { title: ReactNode; children?: ReactNode; tools?: ReactNode }) {
  return (
    <header className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h1 className="text-xl font-semibold break-words">{title}</h1>
        {children && <p className="text-sm text-muted">{children}</p>}
      </div>
      {tools}
    </header>
  );
}
