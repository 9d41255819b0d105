"use client";

import clsx from "clsx";
import { type ComponentProps, useState } from "react";
import { controlClass, FieldFrame, type FieldProps } from "./field-frame";

/** A labeled control; its error is hidden once the control changes, until the next one. */
export function Field({ error, ...props }: FieldProps) {
  // Compare strings only: a message rendered again is still the same one.
  const shown = typeof error === "string" ? error : Boolean(error);
  const [last, setLast] = useState(shown);
  const [changed, setChanged] = useState(false);
  if (shown !== last) {
    setLast(shown);
    setChanged(false);
  }
  const isCorrected = changed && shown === last;
  return (
    <FieldFrame
      error={isCorrected ? undefined : error}
      onInput={shown ? () => setChanged(true) : undefined}
      {...props}
    />
  );
}

/** `compact`: for filters in a row. */
type Compact = { compact?: boolean };

const sizeOf = (compact: boolean | undefined): string => (compact ? "h-9 lg:h-8" : "h-10 w-full");

export function Input({ className, compact, ...rest }: ComponentProps<"input"> & Compact) {
  return <input className={clsx(controlClass, sizeOf(compact), className)} {...rest} />;
}

export function TextArea({ className, ...rest }: ComponentProps<"textarea">) {
  return <textarea className={clsx(controlClass, "min-h-28 w-full py-2 leading-relaxed", className)} {...rest} />;
}

/** A native select: works everywhere, without JavaScript and with any keyboard. */
export function Select({ className, compact, ...rest }: ComponentProps<"select"> & Compact) {
  return <select className={clsx(controlClass, sizeOf(compact), className)} {...rest} />;
}
