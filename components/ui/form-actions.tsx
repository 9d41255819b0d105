import type { ReactNode } from "react";
import { useTranslations } from "#messages";
import { Button, type ButtonStyle } from "./button";
import { Notice } from "./notice";

type Props = ButtonStyle & {
  /** issue of the whole form, if it belongs to no single field */
  error?: string | null | false;
  busy: boolean;
  /** button text while busy */
  busyLabel?: string;
  onCancel?: () => void;
  children: ReactNode;
};

/** The end of a form: its issue, cancel and submit buttons. */
export function FormActions({ error, busy, busyLabel, onCancel, variant = "primary", size, children }: Props) {
  const t = useTranslations();
  return (
    <>
      {error && (
        <Notice tone="bad" alert>
          {error}
        </Notice>
      )}
      <div className={onCancel ? "flex flex-wrap justify-end gap-2" : undefined}>
        {onCancel && <Button onClick={onCancel}>{t("common.cancel")}</Button>}
        <Button type="submit" variant={variant} size={size} aria-disabled={busy}>
          {busy ? (busyLabel ?? children) : children}
        </Button>
      </div>
    </>
  );
}
