import type { ComponentProps } from "react";
import { Field, Input } from "./field";
import type { FieldProps } from "./field-frame";

export type TextFieldProps = Omit<FieldProps, "children"> &
  Omit<ComponentProps<typeof Input>, keyof FieldProps> & {
    /** called with the typed text; not needed in a form that is submitted natively */
    onText?: (text: string) => void;
  };

export function TextField({ id, label, hint, error, optional, className, onText, ...input }: TextFieldProps) {
  return (
    <Field id={id} label={label} hint={hint} error={error} optional={optional} className={className}>
      {(wiring) => <Input {...wiring} {...(onText && { onChange: ({ target }) => onText(target.value) })} {...input} />}
    </Field>
  );
}
