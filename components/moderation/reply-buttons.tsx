"use client";

import { useTranslations } from "#messages";
import { ReplyTemplates } from "@/components/moderation/reply-templates";
import { Button } from "@/components/ui/button";
import { KeyHint } from "@/components/ui/kbd";
import { useIsMac } from "@/components/ui/use-is-mac";
import type { QueueItem } from "@/lib/moderation/queue/schema";

type Props = {
  clientId: string;
  /** the store's name */
  shop: string;
  item: QueueItem;
  text: string;
  editing: boolean;
  /** whether shortcuts are on, and so shown */
  keys: boolean;
  canSend: boolean;
  /** sends without deciding the item */
  onSendOnly: () => void;
  onPick: (text: string) => void;
  onCancel?: () => void;
};

/** Actions for a reply being written. Rendered within its form. */
export function ReplyButtons(props: Props) {
  const { clientId, shop, item, text, editing, keys, canSend, onSendOnly, onPick, onCancel } = props;
  const t = useTranslations();
  const isMac = useIsMac();
  const isQuestion = item.kind === "question";
  const isPending = item.accepted === null;
  return (
    <>
      <Button type="submit" variant="primary" size="small" className="h-9" disabled={!canSend}>
        {editing
          ? t("common.save")
          : isPending
            ? t(isQuestion ? "queue.approveAndAnswer" : "queue.approveAndReply")
            : isQuestion
              ? t("queue.publishAnswer")
              : t("queue.publishReply")}
        {keys && !editing && <KeyHint>{isMac ? "⌘⏎" : t("common.ctrlKey", { key: "⏎" })}</KeyHint>}
      </Button>
      {isPending && !editing && (
        <Button size="small" className="h-9" disabled={!canSend} onClick={onSendOnly}>
          {isQuestion ? t("queue.answerOnly") : t("queue.replyOnly")}
        </Button>
      )}
      {!editing && (
        <ReplyTemplates
          clientId={clientId}
          places={{ author: item.author, product: item.product, shop }}
          text={text}
          onPick={onPick}
        />
      )}
      {onCancel && (
        <Button variant="quiet" size="small" className="h-9" onClick={onCancel}>
          {t("common.cancel")}
        </Button>
      )}
    </>
  );
}
