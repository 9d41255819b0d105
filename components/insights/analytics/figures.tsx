import type { ReactNode } from "react";

export function Figures({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-5">{children}</dl>;
}

/** One number with its name, and in small print what it is part of. */
export function Figure({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <div className="flex flex-col rounded-card border border-line bg-raised p-4 shadow-raised last:max-lg:col-span-2">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="figures mt-1 text-2xl font-semibold">{value}</dd>
      <dd className="text-sm text-muted">{children}</dd>
    </div>
  );
}
