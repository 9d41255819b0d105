import clsx from "clsx";

/** A placeholder while loading. Hidden from screen readers: the parent announces loading once, in words. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={clsx("block animate-pulse rounded-control bg-sunken", className)} />;
}
