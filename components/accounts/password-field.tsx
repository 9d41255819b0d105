import { useWords } from "#words";
import { TextField, type TextFieldProps } from "@/components/ui/text-field";
import { PASSWORD } from "@/lib/accounts/values";

type Props = Omit<TextFieldProps, "type" | "maxLength" | "autoComplete" | "label"> & { label?: string };

/** The password that one has; `error` where it was refused. */
export function PresentPassword({ label, error, ...rest }: Props) {
  const t = useWords();
  return (
    <TextField
      label={label ?? t("Your password")}
      type="password"
      maxLength={PASSWORD.most}
      autoComplete="current-password"
      error={error && t("That is not your present password.")}
      {...rest}
    />
  );
}

export function NewPassword({ label, ...rest }: Props) {
  const t = useWords();
  return (
    <TextField
      label={label ?? t("New password")}
      type="password"
      maxLength={PASSWORD.most}
      autoComplete="new-password"
      hint={t("At least {least} characters. A sentence is best.", { least: PASSWORD.least })}
      {...rest}
    />
  );
}
