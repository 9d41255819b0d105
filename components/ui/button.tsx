import clsx from "clsx";
import type { ComponentProps } from "react";

const variants = {
  primary: "bg-accent text-on-solid border-transparent hover:brightness-110 active:brightness-95",
  secondary: "bg-raised text-ink border-line shadow-raised hover:bg-sunken",
  quiet: "bg-transparent text-muted border-transparent hover:bg-sunken hover:text-ink",
  good: "bg-good text-on-solid border-transparent hover:brightness-110 active:brightness-95",
  bad: "bg-raised text-bad border-line shadow-raised hover:bg-bad-soft hover:border-bad",
} as const;

const sizes = {
  small: "h-8 gap-1.5 px-2.5 text-sm",
  medium: "h-10 gap-2 px-4 text-sm",
  large: "h-12 gap-2 px-5 text-base",
  /** icon only; needs an aria-label */
  icon: "size-10",
} as const;

export type ButtonStyle = { variant?: keyof typeof variants; size?: keyof typeof sizes };

/** A button's classes, for links that look like one. */
export const buttonClass = ({ variant = "secondary", size = "medium" }: ButtonStyle = {}): string =>
  clsx(
    "inline-flex shrink-0 items-center justify-center rounded-control border font-medium whitespace-nowrap select-none",
    "transition-[background-color,border-color,filter] duration-100",
    "disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50",
    variants[variant],
    sizes[size],
  );

/** A button. `type` defaults to "button", so that none submits a form by accident. */
export function Button({ variant, size, className, type = "button", ...rest }: ComponentProps<"button"> & ButtonStyle) {
  return <button type={type} className={clsx(buttonClass({ variant, size }), className)} {...rest} />;
}
