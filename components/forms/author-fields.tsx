import type { ReactNode } from "react";
import { Field, Input } from "@/components/ui/field";

type Props = { label: ReactNode; hint: string | undefined; value: string; error: string | undefined };

export function AuthorField({ label, hint, value, error }: Props) {
  return (
    <Field id="author" label={label} hint={hint} error={error}>
      {(wiring) => (
        <Input
          {...wiring}
          name="author"
          defaultValue={value}
          maxLength={255}
          autoComplete="nickname"
          className="sm:max-w-xs"
        />
      )}
    </Field>
  );
}

export function EmailField({ label, hint, value, error }: Props) {
  return (
    <Field id="email" label={label} hint={hint} error={error}>
      {(wiring) => (
        <Input
          {...wiring}
          name="email"
          type="email"
          defaultValue={value}
          maxLength={320}
          autoComplete="email"
          className="sm:max-w-xs"
        />
      )}
    </Field>
  );
}
