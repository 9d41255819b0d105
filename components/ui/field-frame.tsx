import clsx from "clsx";
import type { ReactNode } from "react";
import { useTranslations } from "#messages";

/** The look of all inputs. 16 px on phones: smaller text makes them zoom in. */
export const controlClass = clsx(
  "rounded-control border border-edge bg-raised px-3 text-base text-ink sm:text-sm",
  "placeholder:text-muted disabled:opacity-60 aria-invalid:border-bad",
);

type Wiring = { id: string; "aria-describedby": string | undefined; "aria-invalid": true | undefined };

export type FieldProps = {
  /** unique on the page; prefix of the hint's and error's ids */
  id: string;
  label: ReactNode;
  hint?: ReactNode;
  /** the issue, as a sentence; marks the control invalid */
  error?: ReactNode;
  optional?: boolean;
  /** shown at the end of the label's line */
  aside?: ReactNode;
  className?: string;
  /** renders the control with the attributes that connect it to label, hint and error */
  children: (wiring: Wiring) => ReactNode;
};

type FrameProps = FieldProps & { onInput?: () => void };

/** `aria-describedby` of a control, with the ids of hint and error from {@link FieldFrame}, if it has them. */
export const describedBy = (id: string, { hint, error }: { hint?: unknown; error?: unknown }): string | undefined =>
  [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(" ") || undefined;

/**
 * A labeled control with hint and error, connected for assistive technology. For server components; `Field` is the same
 * in the browser.
 */
export function FieldFrame({ id, label, hint, error, optional, aside, className, onInput, children }: FrameProps) {
  const t = useTranslations();
  const name = (
    <label htmlFor={id} className="text-sm font-medium">
      {label}
      {optional && <span className="font-normal text-muted"> {t("common.optional")}</span>}
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
