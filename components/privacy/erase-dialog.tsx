"use client";

import { type FormEvent, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** the address or id that was looked for */
  who: string;
  onErase: () => void;
};

/** The one question that undo cannot replace: what is removed is gone, so whose it is must be written once more. */
export function EraseDialog({ open, onOpenChange, who, onErase }: Props) {
  const t = useWords();
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
      title={t("Remove everything about this person?")}
      description={t("It cannot be taken back, by you or by anybody else.")}
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-4 text-sm">
        <div>
          <p className="font-medium">{t("Removed")}</p>
          <p className="text-muted">
            {t(
              "The customer, their orders and items, reviews, seller reviews, questions and photos, invitations and mails, and every copy of these in queues, logs and reports. Averages follow.",
            )}
          </p>
        </div>
        <div>
          <p className="font-medium">{t("Kept")}</p>
          <p className="text-muted">
            {t(
              "That this removal was done, when and by whom. And codes nobody can read back, so that a person who wants no mail still gets none, and no feed brings their orders back.",
            )}
          </p>
        </div>
        <Field
          id="erase-who"
          label={t.rich("Write {who} to go on", { who: <span className="font-semibold break-all">{who}</span> })}
          error={wrong ? t("That is not the same.") : undefined}
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
          <Button onClick={() => onOpenChange(false)}>{t("Keep it")}</Button>
          <Button type="submit" look="bad">
            {t("Remove everything")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
