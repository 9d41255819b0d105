"use client";

import { useId, useState } from "react";
import { useTranslations } from "#messages";
import { ReplyButtons } from "@/components/moderation/reply-buttons";
import { shortcuts } from "@/components/moderation/shortcuts";
import { useShortcutsSetting } from "@/components/moderation/use-shortcuts";
import { TextArea } from "@/components/ui/field";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import { MAX_REPLY_LENGTH } from "@/lib/reviews/replies/values";

type Props = {
  clientId: string;
  /** the store's name */
  shop: string;
  item: QueueItem;
  text: string;
  onText: (text: string) => void;
  /** whether there is a reply already */
  another?: boolean;
  editing?: boolean;
  busy: boolean;
  onSend: (text: string, accept: boolean) => Promise<unknown>;
  onCancel?: () => void;
};

/** A reply box. The parent component stores the text. */
export function ReplyForm(props: Props) {
  const { clientId, shop, item, text, onText, another, editing = false, busy, onSend, onCancel } = props;
  const t = useTranslations();
  const id = useId();
  const [keysOn] = useShortcutsSetting();
  const [open, setOpen] = useState(editing);
  const isQuestion = item.kind === "question";
  const isPending = item.accepted === null;
  const remainingCharacters = MAX_REPLY_LENGTH - [...text].length;
  const canSend = text.trim() !== "" && remainingCharacters >= 0 && !busy;
  const isOpen = open || text !== "";
  const send = (accept: boolean) => {
    if (!canSend) return;
    // The text stays in the box if sending fails; the message says why.
    onSend(text, accept).then(
      () => setOpen(false),
      () => undefined,
    );
  };
  const label = t(
    editing
      ? isQuestion
        ? "queue.editAnswer"
        : "queue.editReply"
      : another
        ? isQuestion
          ? "queue.addAnotherAnswer"
          : "queue.addAnotherReply"
        : isQuestion
          ? "queue.answerAsStore"
          : "queue.replyAsStore",
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
        id={id}
        data-reply={editing ? undefined : ""}
        value={text}
        rows={isOpen ? 4 : 1}
        className={isOpen ? "max-w-[65ch]" : "!min-h-10 max-w-[65ch] resize-none"}
        placeholder={label}
        aria-keyshortcuts={keysOn && !editing ? shortcuts.reply.keys[0] : undefined}
        aria-describedby={`${id}-hint`}
        aria-invalid={remainingCharacters < 0 ? true : undefined}
        onFocus={() => setOpen(true)}
        onChange={({ target }) => onText(target.value)}
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
        {remainingCharacters < 0
          ? t("queue.charactersOver", { n: -remainingCharacters })
          : remainingCharacters < 500
            ? t("queue.charactersLeft", { n: remainingCharacters })
            : isQuestion && item.mail_answer && !another && !editing
              ? t("queue.answerVisibilityHint")
              : t("queue.visibilityHint")}
      </p>
      {isOpen && (
        <div className="mt-2.5 flex flex-wrap items-center gap-2">
          <ReplyButtons
            clientId={clientId}
            shop={shop}
            item={item}
            text={text}
            editing={editing}
            keys={keysOn}
            canSend={canSend}
            onSendOnly={() => send(false)}
            onPick={onText}
            onCancel={onCancel}
          />
        </div>
      )}
    </form>
  );
}
