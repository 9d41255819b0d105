"use client";

import { Switch as Radix } from "radix-ui";
import type { ReactNode } from "react";

type Props = {
  id: string;
  label: string;
  checked: boolean;
  disabled?: boolean;
  error?: string | undefined;
  onChange: (checked: boolean) => void;
  /** what it means as it stands */
  children?: ReactNode;
};

/** Something that is on or off, with what that means. */
export function Switch({ id, label, checked, disabled = false, error, onChange, children }: Props) {
  return (
    <div className="flex items-start gap-3.5">
      <Radix.Root
        id={id}
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
        aria-describedby={
          [children ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(" ") || undefined
        }
        className="relative mt-px h-6 w-10 shrink-0 rounded-full border border-edge bg-sunken transition-colors data-[state=checked]:border-accent data-[state=checked]:bg-accent disabled:opacity-60"
      >
        <Radix.Thumb className="block size-4 translate-x-1 rounded-full bg-edge transition-transform data-[state=checked]:translate-x-4.5 data-[state=checked]:bg-on-solid" />
      </Radix.Root>
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
