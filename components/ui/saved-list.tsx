"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { useTranslations } from "#messages";
import { Button } from "./button";
import { Field, Input, TextArea } from "./field";
import { useToast } from "./toast";

// What a person keeps under a name, and takes away again: views, templates. Within a Dialog, and so in parts that come late.

type Saved = { id: string; name: string };

type Common = {
  /** what one is called in ids of messages */
  what: string;
  /** after anything was kept or removed, well or not */
  refresh: () => unknown;
  errorMessage: (error: unknown) => string;
};

type SaveProps = Common & {
  existing: readonly Saved[];
  /** characters of a name */
  maxNameLength: number;
  /** where a text is kept: what it begins with */
  text?: string;
  /** what to say once it is kept under a name */
  savedMessage: (name: string) => string;
  save: (name: string, text: string) => Promise<unknown>;
  onSaved: () => void;
};

/** Keeps something under a name; one that has the name already is replaced, and the form says so. */
export function SaveForm({
  what,
  refresh,
  errorMessage,
  existing,
  maxNameLength,
  text: given,
  savedMessage,
  save,
  onSaved,
}: SaveProps) {
  const t = useTranslations();
  const toast = useToast();
  const id = useId();
  const [name, setName] = useState("");
  const [text, setText] = useState(given ?? "");
  const kept = useMutation({
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
    // The window may belong to another form, which is not to be sent.
    event.stopPropagation();
    kept.mutate();
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <Field
        id={`${id}-name`}
        label={t("common.name")}
        hint={replaces ? t("common.replacesHint") : undefined}
        error={kept.error ? errorMessage(kept.error) : undefined}
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
      {given !== undefined && (
        <Field id={`${id}-text`} label={t("common.text")}>
          {(wiring) => (
            <TextArea {...wiring} value={text} rows={6} required onChange={({ target }) => setText(target.value)} />
          )}
        </Field>
      )}
      <Button
        type="submit"
        look="primary"
        className="self-start"
        disabled={kept.isPending || name.trim() === "" || (given !== undefined && text.trim() === "")}
      >
        {replaces ? t("common.replace") : t("common.save")}
      </Button>
    </form>
  );
}

type ListProps<T extends Saved> = Common & {
  entries: readonly T[];
  /** what stands below the name */
  detail?: (entry: T) => string;
  remove: (entry: T) => Promise<unknown>;
  /** keeps a removed one again */
  restore: (entry: T) => Promise<unknown>;
  /** what restoring does, in words */
  restoreHint: string;
};

/** What is kept, each with a button to remove it, which can be undone for a moment. */
export function SavedList<T extends Saved>({ what, refresh, errorMessage, entries, detail, ...ways }: ListProps<T>) {
  const t = useTranslations();
  const toast = useToast();
  const failed = (error: Error) =>
    toast.show({ id: what, tone: "bad", text: t("common.errorSaving", { message: errorMessage(error) }) });
  const restore = useMutation({ mutationFn: ways.restore, onError: failed, onSettled: refresh });
  const remove = useMutation({
    mutationFn: ways.remove,
    onError: failed,
    onSuccess: (_, entry) =>
      toast.show({
        id: what,
        text: t("common.removedNamed", { name: entry.name }),
        duration: 8_000,
        action: { label: t("common.undo"), hint: ways.restoreHint, run: () => restore.mutate(entry) },
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
