import clsx from "clsx";
import type { ReactNode } from "react";

const tones = {
  plain: "border-line bg-raised text-ink",
  good: "border-good/30 bg-good-soft text-good",
  warn: "border-warn/30 bg-warn-soft text-warn",
  bad: "border-bad/30 bg-bad-soft text-bad",
} as const;

/** A message in the page. `alert` is announced by screen readers as soon as it appears: for errors. */
export function Notice({
  tone = "plain",
  alert = false,
  children,
}: {
  tone?: keyof typeof tones;
  alert?: boolean;
  children: ReactNode;
}) {
  return (
    <div role={alert ? "alert" : undefined} className={clsx("rounded-control border px-4 py-3 text-sm", tones[tone])}>
      {children}
    </div>
  );
}
