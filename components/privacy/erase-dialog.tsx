"use client";

import { type FormEvent, useState } from "react";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** the email address or id searched for */
  who: string;
  onErase: () => void;
};

/** The only confirmation in the portal, because an erasure can't be undone: the address or id must be typed again. */
export function EraseDialog({ open, onOpenChange, who, onErase }: Props) {
  const t = useTranslations();
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const same = typed.trim().toLowerCase() === who.trim().toLowerCase();
    setWrong(!same);
    if (!same) return;
    setTyped("");
    onErase();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setTyped("");
        setWrong(false);
        onOpenChange(next);
      }}
      title={t("privacy.deleteTitle")}
      description={t("privacy.deleteWarning")}
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-4 text-sm">
        <div>
          <p className="font-medium">{t("privacy.deletedHeading")}</p>
          <p className="text-muted">{t("privacy.deletedText")}</p>
        </div>
        <div>
          <p className="font-medium">{t("privacy.keptHeading")}</p>
          <p className="text-muted">{t("privacy.keptText")}</p>
        </div>
        <Field
          id="erase-who"
          label={t.rich("privacy.confirmLabel", { who: <span className="font-semibold break-all">{who}</span> })}
          error={wrong ? t("privacy.errorNoMatch") : undefined}
        >
          {(wiring) => (
            <Input
              {...wiring}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
                setWrong(false);
              }}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={() => onOpenChange(false)}>{t("common.cancel")}</Button>
          <Button type="submit" variant="bad">
            {t("privacy.deleteAll")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
