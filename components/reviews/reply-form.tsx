"use client";

import { useCallback, useId, useLayoutEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { ReplyTemplates } from "@/components/reviews/late-queue-windows";
import { releaseKeys, useKeysSetting } from "@/components/reviews/use-keys";
import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/field";
import { Kbd } from "@/components/ui/kbd";
import type { QueueItem } from "@/lib/queue/schema";
import { LONGEST_REPLY } from "@/lib/replies/values";

type Props = {
  clientId: string;
  /** the shop's name */
  shop: string;
  item: QueueItem;
  /** a text to begin with: one that is edited, or was taken back */
  returned: string | null;
  /** there is one already */
  another?: boolean;
  editing?: boolean;
  busy: boolean;
  onSend: (text: string, accept: boolean) => Promise<unknown>;
  onCancel?: () => void;
};

/** A box to reply in. What is not sent yet is kept in this browser, so that nothing is lost on the way to the next item. */
export function ReplyForm({ clientId, shop, item, returned, another, editing = false, busy, onSend, onCancel }: Props) {
  const t = useWords();
  const id = useId();
  const [keysOn] = useKeysSetting();
  const [text, setText, addText] = useDraft(
    editing ? null : `candor.draft ${clientId} ${item.kind} ${item.id}`,
    returned ?? "",
  );
  const [open, setOpen] = useState(editing || returned !== null);
  const box = useRef<HTMLTextAreaElement>(null);
  // Somebody may have asked for the box, and typed, before it was there. What they type next comes behind that.
  useLayoutEffect(() => {
    const typed = editing ? null : releaseKeys();
    if (typed === null) return;
    box.current?.focus();
    addText(typed);
  }, [editing, addText]);
  const isQuestion = item.kind === "question";
  const isPending = item.accepted === null;
  const left = LONGEST_REPLY - [...text].length;
  const canSend = text.trim() !== "" && left >= 0 && !busy;
  const isOpen = open || text !== "";
  const send = (accept: boolean) => {
    if (!canSend) return;
    // What failed stays in the box; the message says why.
    onSend(text, accept).then(
      () => {
        setText("");
        setOpen(false);
      },
      () => undefined,
    );
  };
  const label = t(
    editing
      ? isQuestion
        ? "Reword the answer"
        : "Reword the reply"
      : another
        ? isQuestion
          ? "Write another answer"
          : "Write another reply"
        : isQuestion
          ? "Answer as the shop"
          : "Reply as the shop",
  );
  return (
    <form
      className={another ? "mt-3" : undefined}
      onSubmit={(event) => {
        event.preventDefault();
        send(isPending && !editing);
      }}
    >
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <TextArea
        ref={box}
        id={id}
        data-reply={editing ? undefined : ""}
        value={text}
        rows={isOpen ? 4 : 1}
        className={isOpen ? "max-w-[65ch]" : "!min-h-10 max-w-[65ch] resize-none"}
        placeholder={`${label} …`}
        aria-keyshortcuts={keysOn && !editing ? "e" : undefined}
        aria-describedby={`${id}-hint`}
        aria-invalid={left < 0 ? true : undefined}
        onFocus={() => setOpen(true)}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.currentTarget.blur();
            if (text === "") setOpen(false);
            onCancel?.();
          }
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            send(isPending && !editing);
          }
        }}
      />
      <p id={`${id}-hint`} className={isOpen ? "mt-1 text-xs text-muted" : "sr-only"}>
        {left < 0
          ? t("{n} character too long.|{n} characters too long.", { n: -left })
          : left < 500
            ? t("{n} character left.|{n} characters left.", { n: left })
            : isQuestion && item.mail_answer && !another && !editing
              ? t("Everybody can read it, and whoever asked is mailed it once.")
              : t("Everybody can read it.")}
      </p>
      {isOpen && (
        <div className="mt-2.5 flex flex-wrap items-center gap-2">
          <Button type="submit" look="primary" size="small" className="h-9" disabled={!canSend}>
            {editing
              ? t("Save")
              : isPending
                ? t(isQuestion ? "Accept and answer" : "Accept and reply")
                : isQuestion
                  ? t("Publish answer")
                  : t("Publish reply")}
            {keysOn && !editing && (
              <span className="hidden lg:inline-flex" aria-hidden="true">
                <Kbd>Ctrl ⏎</Kbd>
              </span>
            )}
          </Button>
          {isPending && !editing && (
            <Button size="small" className="h-9" disabled={!canSend} onClick={() => send(false)}>
              {isQuestion ? t("Answer only") : t("Reply only")}
            </Button>
          )}
          {!editing && (
            <ReplyTemplates
              clientId={clientId}
              places={{ author: item.author, product: item.product, shop }}
              text={text}
              onPick={setText}
            />
          )}
          {onCancel && (
            <Button look="quiet" size="small" className="h-9" onClick={onCancel}>
              {t("Cancel")}
            </Button>
          )}
        </div>
      )}
    </form>
  );
}

/** A text that this browser keeps under a name until it is empty; `null` keeps nothing. */
function useDraft(
  name: string | null,
  initial: string,
): [text: string, set: (text: string) => void, add: (more: string) => void] {
  const [text, setText] = useState(initial);
  useLayoutEffect(() => {
    const kept = name === null || initial !== "" ? null : localStorage.getItem(name);
    if (kept) setText(kept);
  }, [name, initial]);
  const set = (next: string) => {
    setText(next);
    if (name === null) return;
    if (next === "") localStorage.removeItem(name);
    else localStorage.setItem(name, next);
  };
  const add = useCallback((more: string) => setText((before) => before + more), []);
  return [text, set, add];
}
