"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { MailCheck } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { keys } from "@/components/reviews/queries";
import { reasonWords } from "@/components/reviews/reasons";
import { ReplyForm } from "@/components/reviews/reply-form";
import { holdKeys } from "@/components/reviews/use-keys";
import { statusOf, statusTone, statusWords } from "@/components/reviews/words";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { dayWords, momentWords } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { call, messageOf } from "@/lib/http/client";
import type { decideContract } from "@/lib/queue/contract";
import type { QueueItem, QueueReply } from "@/lib/queue/schema";
import type { changeReplyContract, removeReplyContract, writeReplyContract } from "@/lib/replies/contract";
import type { RepliedKind } from "@/lib/replies/schema";

type Props = {
  clientId: string;
  /** the shop's name */
  shop: string;
  item: QueueItem;
  replies: QueueReply[];
  timeZone: string;
  canDecide: boolean;
  heading?: "h2" | "h3";
};

/** Milliseconds that the box to reply in may take to come. */
const SOON_MS = 4_000;

/** Puts the cursor where one replies to an item. Where the box is still to come, keys rest until it has. */
export function toReply({ kind, accepted }: QueueItem): void {
  if (kind === "answer" || kind === "photo" || accepted === false) return;
  const box = document.querySelector<HTMLTextAreaElement>("textarea[data-reply]");
  if (!box) holdKeys(SOON_MS);
  box?.focus();
  box?.scrollIntoView({ block: "center" });
}

/** How long a reply can be taken back, in milliseconds: others hear of it after that. */
const UNDO_MS = 8_000;

/** The shop's public replies to an item, or the answers to a question, and the box to write one. */
export function Replies({ clientId, shop, item, replies, timeZone, canDecide, heading: Heading = "h3" }: Props) {
  const t = useWords();
  const cache = useQueryClient();
  const toast = useToast();
  const [returned, setReturned] = useState<string | null>(null);
  const kind = item.kind as RepliedKind;
  const query = { client_id: clientId };
  const refresh = () =>
    Promise.all(
      [keys.case(clientId, item.kind, item.id), keys.queues(clientId), keys.waiting(clientId)].map((queryKey) =>
        cache.invalidateQueries({ queryKey }),
      ),
    );
  const failed = (error: Error) =>
    toast.show({ id: "reply", tone: "bad", text: t("Not saved. {message}", { message: t(messageOf(error)) }) });
  const isQuestion = item.kind === "question";

  const remove = useMutation({
    mutationFn: ({ id }: { id: string; text: string }) =>
      call<typeof removeReplyContract>("DELETE /portal/api/v1/queue/{kind}/{id}/replies/{reply}", {
        params: { kind, id: item.id, reply: id },
        query,
      }),
    onError: failed,
    onSuccess: () =>
      toast.show({
        id: "reply",
        text: t(isQuestion ? "The answer is removed." : "The reply is removed."),
        duration: 4_000,
      }),
    onSettled: refresh,
  });
  const write = useMutation({
    mutationFn: ({ text, accept }: { text: string; accept: boolean }) =>
      call<typeof writeReplyContract>("POST /portal/api/v1/queue/{kind}/{id}/replies", {
        params: { kind, id: item.id },
        query,
        body: { text, accept },
      }),
    onError: failed,
    onSuccess: ({ data }, { text, accept }) => {
      setReturned(null);
      const now = item.accepted || accept;
      const told = isQuestion
        ? now
          ? "The answer is published."
          : "The answer is kept until the question is accepted."
        : now
          ? "The reply is published."
          : "The reply is kept until the review is accepted.";
      toast.show({
        id: "reply",
        text: t(told),
        duration: UNDO_MS,
        action: {
          label: t("Undo"),
          hint: t(isQuestion ? "Remove the answer from the list" : "Remove the reply from the list"),
          run: () => {
            setReturned(text);
            remove.mutate({ id: data.id, text });
          },
        },
      });
    },
    onSettled: refresh,
  });
  if (item.kind === "answer") return null;
  return (
    <section aria-label={isQuestion ? t("Answers") : t("Replies")} className="mb-7">
      <Heading className="mb-2.5 text-sm font-medium">
        {isQuestion ? (replies.length > 1 ? t("Answers") : t("Answer")) : t("Public reply")}
      </Heading>
      <ul className="flex flex-col gap-3">
        {replies.map((reply) => (
          <li key={reply.id}>
            <Reply
              clientId={clientId}
              shop={shop}
              item={item}
              reply={reply}
              timeZone={timeZone}
              canDecide={canDecide}
              refresh={refresh}
              onRemove={() => remove.mutate(reply)}
              failed={failed}
            />
          </li>
        ))}
      </ul>
      {canDecide && item.accepted !== false && (
        <ReplyForm
          key={returned}
          clientId={clientId}
          shop={shop}
          item={item}
          returned={returned}
          another={replies.length > 0}
          busy={write.isPending}
          onSend={(text, accept) => write.mutateAsync({ text, accept })}
        />
      )}
      {replies.length === 0 && (!canDecide || item.accepted === false) && (
        <p className="text-sm text-muted">
          {item.accepted === false
            ? t(
                isQuestion
                  ? "What is rejected is not shown, nor would an answer be."
                  : "What is rejected is not shown, nor would a reply be.",
              )
            : t(isQuestion ? "No answer yet." : "No reply yet.")}
        </p>
      )}
    </section>
  );
}

type ReplyProps = Omit<Props, "replies" | "heading"> & {
  reply: QueueReply;
  refresh: () => Promise<unknown>;
  onRemove: () => void;
  failed: (error: Error) => void;
};

function Reply({ clientId, shop, item, reply, timeZone, canDecide, refresh, onRemove, failed }: ReplyProps) {
  const t = useWords();
  const [edited, setEdited] = useState(false);
  const query = { client_id: clientId };
  const kind = item.kind as RepliedKind;
  const change = useMutation({
    mutationFn: (text: string) =>
      call<typeof changeReplyContract>("PUT /portal/api/v1/queue/{kind}/{id}/replies/{reply}", {
        params: { kind, id: item.id, reply: reply.id },
        query,
        body: { text },
      }),
    onSuccess: () => setEdited(false),
    onError: failed,
    onSettled: refresh,
  });
  const publish = useMutation({
    mutationFn: (accepted: boolean | null) =>
      call<typeof decideContract>("PUT /portal/api/v1/queue/{kind}/{id}", {
        params: { kind: "answer", id: reply.id },
        query,
        body: { accepted, from: statusOf(reply.accepted) },
      }),
    onError: failed,
    onSettled: refresh,
  });
  const status = statusOf(reply.accepted);
  if (edited) {
    return (
      <ReplyForm
        clientId={clientId}
        shop={shop}
        item={item}
        returned={reply.text}
        editing
        busy={change.isPending}
        onSend={(text) => change.mutateAsync(text)}
        onCancel={() => setEdited(false)}
      />
    );
  }
  return (
    <div className="rounded-control border border-line bg-surface px-4 py-3">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
        <span className="font-medium text-ink">{reply.author}</span>
        <span>{dayWords(reply.date, t.locale)}</span>
        {status !== "accepted" && <Badge tone={statusTone[status]}>{t(statusWords[status])}</Badge>}
        {status === "rejected" && <span>{reasonWords(reply.reject_reason, t)}</span>}
        {reply.mailed_at && (
          <Badge tone="good" icon={<MailCheck aria-hidden="true" className="size-3.5" />}>
            <span title={momentWords(reply.mailed_at, timeZone, t.locale)}>{t("Mailed to the asker")}</span>
          </Badge>
        )}
      </p>
      <p className="mt-1.5 max-w-[65ch] break-words whitespace-pre-line" lang={reply.lang ?? undefined}>
        {reply.text}
      </p>
      {canDecide && (
        <div className="mt-2 -ml-2.5 flex flex-wrap gap-1">
          <Button look="quiet" size="small" onClick={() => setEdited(true)}>
            {t("Edit")}
          </Button>
          {item.kind === "question" && (
            <Button
              look="quiet"
              size="small"
              disabled={publish.isPending}
              onClick={() => publish.mutate(status === "accepted" ? null : true)}
            >
              {status === "accepted" ? t("Take offline") : t("Publish")}
            </Button>
          )}
          <Button look="quiet" size="small" onClick={onRemove}>
            {t("Remove")}
          </Button>
        </div>
      )}
    </div>
  );
}
