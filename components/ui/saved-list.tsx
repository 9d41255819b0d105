"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { useTranslations } from "#messages";
import { Button } from "./button";
import { Field, Input, TextArea } from "./field";
import { useToast } from "./toast";

// Things that a person saves under a name and can delete: views, templates. Used in dialogs, and so in parts that load
// later.

type Saved = { id: string; name: string };

type Common = {
  /** prefix of message ids */
  what: string;
  /** called after every save or deletion, successful or not */
  refresh: () => unknown;
  errorMessage: (error: unknown) => string;
};

type SaveProps = Common & {
  existing: readonly Saved[];
  /** maximum length of a name */
  maxNameLength: number;
  /** the initial text, if a text is saved */
  text?: string;
  /** message after saving under a name */
  savedMessage: (name: string) => string;
  save: (name: string, text: string) => Promise<unknown>;
  onSaved: () => void;
};

/** Saves something under a name. Replaces an existing one of that name, which the form says. */
export function SaveForm({
  what,
  refresh,
  errorMessage,
  existing,
  maxNameLength,
  text: initialText,
  savedMessage,
  save,
  onSaved,
}: SaveProps) {
  const t = useTranslations();
  const toast = useToast();
  const id = useId();
  const [name, setName] = useState("");
  const [text, setText] = useState(initialText ?? "");
  const saveMutation = useMutation({
    mutationFn: () => save(name, text),
    onSuccess: () => {
      toast.show({ id: what, text: savedMessage(name.trim()), duration: 4_000 });
      onSaved();
    },
    onSettled: refresh,
  });
  const replaces = existing.some((one) => one.name === name.trim());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The dialog may be within another form, which must not be submitted.
    event.stopPropagation();
    saveMutation.mutate();
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <Field
        id={`${id}-name`}
        label={t("common.name")}
        hint={replaces ? t("common.replacesHint") : undefined}
        error={saveMutation.error ? errorMessage(saveMutation.error) : undefined}
      >
        {(wiring) => (
          <Input
            {...wiring}
            value={name}
            maxLength={maxNameLength}
            required
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      {initialText !== undefined && (
        <Field id={`${id}-text`} label={t("common.text")}>
          {(wiring) => (
            <TextArea {...wiring} value={text} rows={6} required onChange={({ target }) => setText(target.value)} />
          )}
        </Field>
      )}
      <Button
        type="submit"
        variant="primary"
        className="self-start"
        disabled={saveMutation.isPending || name.trim() === "" || (initialText !== undefined && text.trim() === "")}
      >
        {replaces ? t("common.replace") : t("common.save")}
      </Button>
    </form>
  );
}

type ListProps<T extends Saved> = Common & {
  entries: readonly T[];
  /** shown below the name */
  detail?: (entry: T) => string;
  remove: (entry: T) => Promise<unknown>;
  /** saves a deleted entry again */
  restore: (entry: T) => Promise<unknown>;
  /** what restoring does, in words */
  restoreHint: string;
};

/** Saved entries, each with a button to delete it, which can be undone for a moment. */
export function SavedList<T extends Saved>({ what, refresh, errorMessage, entries, detail, ...actions }: ListProps<T>) {
  const t = useTranslations();
  const toast = useToast();
  const failed = (error: Error) =>
    toast.show({ id: what, tone: "bad", text: t("common.errorSaving", { message: errorMessage(error) }) });
  const restore = useMutation({ mutationFn: actions.restore, onError: failed, onSettled: refresh });
  const remove = useMutation({
    mutationFn: actions.remove,
    onError: failed,
    onSuccess: (_, entry) =>
      toast.show({
        id: what,
        text: t("common.removedNamed", { name: entry.name }),
        duration: 8_000,
        action: { label: t("common.undo"), hint: actions.restoreHint, run: () => restore.mutate(entry) },
      }),
    onSettled: refresh,
  });
  if (entries.length === 0) return <p className="text-sm text-muted">{t("common.noneLeft")}</p>;
  return (
    <ul className="flex flex-col">
      {entries.map((entry) => (
        <li key={entry.id} className="flex items-start gap-3 border-b border-line py-2.5 last:border-b-0">
          <span className="min-w-0 flex-1 text-sm">
            <span className="block font-medium break-words">{entry.name}</span>
            {detail && <span className="line-clamp-2 break-words text-muted">{detail(entry)}</span>}
          </span>
          <Button
            size="small"
            aria-label={t("common.removeNamed", { name: entry.name })}
            disabled={remove.isPending}
            onClick={() => remove.mutate(entry)}
          >
            {t("common.remove")}
          </Button>
        </li>
      ))}
    </ul>
  );
}
