import clsx from "clsx";
import type { ComponentProps, ReactNode } from "react";
import { useMended } from "#mended";
import { useWords } from "#words";

/** The look of everything one types or picks in. 16 px on phones: smaller text makes them zoom in. */
export const controlClass = clsx(
  "rounded-control border border-edge bg-raised px-3 text-base text-ink sm:text-sm",
  "placeholder:text-muted disabled:opacity-60 aria-invalid:border-bad",
);

type Wiring = { id: string; "aria-describedby": string | undefined; "aria-invalid": true | undefined };

export type FieldProps = {
  /** unique on the page; ids of hint and error are made of it */
  id: string;
  label: ReactNode;
  hint?: ReactNode;
  /** what is wrong, as a sentence; marks the control invalid until it is changed */
  error?: ReactNode;
  optional?: boolean;
  /** stands at the other end of the label's line */
  aside?: ReactNode;
  className?: string;
  /** draws the control with the wiring that ties it to label, hint and error */
  children: (wiring: Wiring) => ReactNode;
};

/** What ties a control to its hint and error, where it has them: of the ids that {@link Field} gives them. */
export const describedBy = (id: string, { hint, error }: { hint?: unknown; error?: unknown }): string | undefined =>
  [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(" ") || undefined;

/** A labelled control with its hint and error, tied together for assistive technology. */
export function Field({ id, label, hint, error: told, optional, aside, className, children }: FieldProps) {
  const t = useWords();
  const { error, onInput } = useMended(told);
  const name = (
    <label htmlFor={id} className="text-sm font-medium">
      {label}
      {optional && <span className="font-normal text-muted"> {t("(optional)")}</span>}
    </label>
  );
  return (
    <div className={clsx("flex flex-col gap-1.5", className)} onInput={onInput}>
      {aside ? (
        <div className="flex flex-wrap items-center justify-between gap-2">
          {name}
          {aside}
        </div>
      ) : (
        name
      )}
      {children({
        id,
        "aria-describedby": describedBy(id, { hint, error }),
        "aria-invalid": error ? true : undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-sm font-medium text-bad">
          {error}
        </p>
      )}
    </div>
  );
}

/** `compact`: for filters that stand in a row. */
type Compact = { compact?: boolean };

const sizeOf = (compact: boolean | undefined): string => (compact ? "h-9 lg:h-8" : "h-10 w-full");

export function Input({ className, compact, ...rest }: ComponentProps<"input"> & Compact) {
  return <input className={clsx(controlClass, sizeOf(compact), className)} {...rest} />;
}

export function TextArea({ className, ...rest }: ComponentProps<"textarea">) {
  return <textarea className={clsx(controlClass, "min-h-28 w-full py-2 leading-relaxed", className)} {...rest} />;
}

/** A native select: it works everywhere, without JavaScript and with any keyboard. */
export function Select({ className, compact, ...rest }: ComponentProps<"select"> & Compact) {
  return <select className={clsx(controlClass, sizeOf(compact), className)} {...rest} />;
}
