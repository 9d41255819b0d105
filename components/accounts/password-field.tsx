import { TextField, type TextFieldProps } from "@/components/ui/text-field";
import { PASSWORD } from "@/lib/accounts/values";

type Props = Omit<TextFieldProps, "type" | "maxLength" | "autoComplete" | "label"> & { label?: string };

/** The password that one has; `error` where it was refused. */
export function PresentPassword({ label = "Your password", error, ...rest }: Props) {
  return (
    <TextField
      label={label}
      type="password"
      maxLength={PASSWORD.most}
      autoComplete="current-password"
      error={error && "That is not your present password."}
      {...rest}
    />
  );
}

/** The password that one will have. */
export function NewPassword({ label = "New password", ...rest }: Props) {
  return (
    <TextField
      label={label}
      type="password"
      maxLength={PASSWORD.most}
      autoComplete="new-password"
      hint={`At least ${PASSWORD.least} characters. A sentence is best.`}
      {...rest}
    />
  );
}
