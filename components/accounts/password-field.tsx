import { useTranslations } from "#messages";
import { TextField, type TextFieldProps } from "@/components/ui/text-field";
import { PASSWORD } from "@/lib/accounts/values";

type Props = Omit<TextFieldProps, "type" | "maxLength" | "autoComplete" | "label"> & { label?: string };

/** The current password; `error` if it was rejected. */
export function CurrentPassword({ label, error, ...rest }: Props) {
  const t = useTranslations();
  return (
    <TextField
      label={label ?? t("myAccount.yourPassword")}
      type="password"
      maxLength={PASSWORD.max}
      autoComplete="current-password"
      error={error && t("myAccount.errorWrongPassword")}
      {...rest}
    />
  );
}

export function NewPassword({ label, ...rest }: Props) {
  const t = useTranslations();
  return (
    <TextField
      label={label ?? t("common.newPassword")}
      type="password"
      maxLength={PASSWORD.max}
      autoComplete="new-password"
      hint={t("common.passwordHint", { least: PASSWORD.min })}
      {...rest}
    />
  );
}
