import type { ReactNode } from "react";
import { describedBy } from "@/components/ui/field-frame";

type Props = {
  id: string;
  label: string;
  checked: boolean;
  disabled?: boolean;
  error?: string | undefined;
  onChange: (checked: boolean) => void;
  /** the effect of the current state */
  children?: ReactNode;
};

export function Switch({ id, label, checked, disabled = false, error, onChange, children }: Props) {
  return (
    <div className="flex items-start gap-3.5">
      <input
        type="checkbox"
        role="switch"
        id={id}
        checked={checked}
        aria-checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        aria-describedby={describedBy(id, { hint: children, error })}
        className="mt-px grid h-6 w-10 shrink-0 cursor-pointer appearance-none content-center rounded-full border border-edge bg-sunken transition-colors before:block before:size-4 before:translate-x-1 before:rounded-full before:bg-edge before:transition-transform checked:border-accent checked:bg-accent checked:before:translate-x-4.5 checked:before:bg-on-solid disabled:cursor-not-allowed disabled:opacity-60"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {children && (
          <p id={`${id}-hint`} className="max-w-prose text-sm text-muted">
            {children}
          </p>
        )}
        {error && (
          <p id={`${id}-error`} className="text-sm font-medium text-bad">
            {error}
          </p>
        )}
      </div>
    </div>
  );
}
