import clsx from "clsx";

/** The shape of what is still loading. Whoever draws several says so once, in words, beside them. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={clsx("block animate-pulse rounded-control bg-sunken", className)} />;
}
