"use client";

import { useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslations } from "#messages";
import { mentionAt, mentionedIds, suggestPeople } from "@/components/moderation/mentions";
import { colleaguesOptions } from "@/components/moderation/queries";
import { shortcuts } from "@/components/moderation/shortcuts";
import { useShortcutsSetting } from "@/components/moderation/use-shortcuts";
import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/field";
import type { Colleague } from "@/lib/accounts/schema";
import { MAX_NOTE_LENGTH } from "@/lib/moderation/notes/values";
import { messageOf } from "@/lib/platform/http/client";

/** More don't fit beside an item; typing narrows them down. */
const MAX_SUGGESTIONS = 6;

export type NoteBoxProps = {
  clientId: string;
  /** its name, and that of the button */
  label: string;
  text: string;
  onText: (text: string) => void;
  /** people whom the text may mention besides current colleagues */
  known?: readonly Colleague[];
  busy: boolean;
  /** whether it is for a new note: then the shortcut focuses it (notes-slot.tsx) */
  isNew?: boolean;
  /** whether the person opened it; a draft is shown without taking the focus */
  focused: boolean;
  onSave: (text: string, mentions: string[]) => void;
  onClose: () => void;
};

/** A box for a note. An @ opens a list of colleagues; arrow keys and Enter insert one. */
export function NoteBox({
  clientId,
  label,
  text,
  onText,
  known = [],
  busy,
  isNew = false,
  focused,
  onSave,
  onClose,
}: NoteBoxProps) {
  const t = useTranslations();
  const [keysOn] = useShortcutsSetting();
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const colleagues = useQuery(colleaguesOptions(clientId));
  const people = [
    ...(colleagues.data ?? []),
    ...known.filter((one) => !colleagues.data?.some((other) => other.id === one.id)),
  ];
  const [cursor, setCursor] = useState(text.length);
  const [highlighted, setHighlighted] = useState(0);
  const [closedAt, setClosedAt] = useState<number | null>(null);
  useEffect(() => {
    const field = focused ? box.current : null;
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
    field?.scrollIntoView({ block: "nearest" });
  }, [focused]);
  const mention = mentionAt(text, cursor);
  const suggested =
    mention && mention.start !== closedAt
      ? suggestPeople(colleagues.data ?? [], mention.typed).slice(0, MAX_SUGGESTIONS)
      : [];
  const current = suggested[Math.min(highlighted, suggested.length - 1)];
  const remaining = MAX_NOTE_LENGTH - [...text].length;
  const canSave = text.trim() !== "" && remaining >= 0 && !busy && !colleagues.isPending;
  const save = () => {
    if (canSave) onSave(text, mentionedIds(text, people));
  };
  const insert = ({ name }: Colleague) => {
    if (!mention) return;
    const before = `${text.slice(0, mention.start)}@${name} `;
    // The next key may come before the next frame.
    flushSync(() => {
      onText(before + text.slice(cursor).replace(/^ /, ""));
      setCursor(before.length);
      setHighlighted(0);
    });
    box.current?.focus();
    box.current?.setSelectionRange(before.length, before.length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      save();
    } else if (current && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : suggested.length - 1;
      setHighlighted((suggested.indexOf(current) + step) % suggested.length);
    } else if (current && (event.key === "Enter" || event.key === "Tab") && !event.shiftKey) {
      event.preventDefault();
      insert(current);
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (current && mention) setClosedAt(mention.start);
      else onClose();
    }
  };
  return (
    <form
      className="mt-3"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <div className="relative max-w-[65ch]">
        <TextArea
          ref={box}
          id={id}
          data-add-note={isNew ? "" : undefined}
          aria-keyshortcuts={isNew && keysOn ? shortcuts.writeNote.keys[0] : undefined}
          value={text}
          rows={3}
          placeholder={label}
          aria-describedby={`${id}-hint`}
          aria-invalid={remaining < 0 ? true : undefined}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={current ? `${id}-people` : undefined}
          aria-activedescendant={current ? `${id}-${current.id}` : undefined}
          onChange={({ target }) => {
            onText(target.value);
            setCursor(target.selectionStart);
            setHighlighted(0);
            // A list closed by Escape stays closed for the same @.
            if (closedAt !== null && target.value[closedAt] !== "@") setClosedAt(null);
          }}
          onSelect={({ currentTarget }) => setCursor(currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
        />
        {current && (
          <ul
            id={`${id}-people`}
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a select can't be inside a text
            role="listbox"
            aria-label={t("queue.mentionSuggestions")}
            className="absolute inset-x-0 top-full z-30 mt-1 max-w-80 rounded-control border border-line bg-raised p-1 shadow-float"
          >
            {suggested.map((person) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled in the text
              <li
                key={person.id}
                id={`${id}-${person.id}`}
                // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: an entry of the listbox
                role="option"
                aria-selected={person === current}
                tabIndex={-1}
                // Without the focus leaving the text.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => insert(person)}
                className={clsx(
                  "cursor-pointer truncate rounded-[0.375rem] px-2.5 py-2 text-sm",
                  person === current && "bg-sunken",
                )}
              >
                {person.name}
              </li>
            ))}
          </ul>
        )}
      </div>
      <p id={`${id}-hint`} className="mt-1 text-xs text-muted">
        {remaining < 0
          ? t("queue.charactersOver", { n: -remaining })
          : remaining < 200
            ? t("queue.charactersLeft", { n: remaining })
            : t("queue.noteHint")}
      </p>
      {colleagues.isError && (
        <p role="alert" className="mt-1 text-xs text-bad">
          {t("queue.errorLoadingColleagues", { message: messageOf(colleagues.error, t) })}
        </p>
      )}
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button type="submit" variant="primary" size="small" className="h-9" aria-disabled={!canSave}>
          {label}
        </Button>
        <Button variant="quiet" size="small" className="h-9" onClick={onClose}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}
