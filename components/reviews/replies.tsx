"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { MailCheck } from "lucide-react";
import { useState } from "react";
import { keys } from "@/components/reviews/queries";
import { ReplyForm } from "@/components/reviews/reply-form";
import { holdKeys } from "@/components/reviews/use-keys";
import { reasonWords, statusOf, statusTone, statusWords } from "@/components/reviews/words";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { dayWords, momentWords } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { call, messageOf } from "@/lib/http/client";
import { decideContract } from "@/lib/queue/contract";
import type { QueueItem, QueueReply } from "@/lib/queue/schema";
import { changeReplyContract, removeReplyContract, writeReplyContract } from "@/lib/replies/contract";
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
  const failed = (error: Error) => toast.show({ id: "reply", tone: "bad", text: `Not saved. ${messageOf(error)}` });
  const isQuestion = item.kind === "question";
  const word = isQuestion ? "answer" : "reply";

  const remove = useMutation({
    mutationFn: ({ id }: { id: string; text: string }) =>
      call(removeReplyContract, { params: { kind, id: item.id, reply: id }, query }),
    onError: failed,
    onSuccess: () => toast.show({ id: "reply", text: `The ${word} is removed.`, duration: 4_000 }),
    onSettled: refresh,
  });
  const write = useMutation({
    mutationFn: ({ text, accept }: { text: string; accept: boolean }) =>
      call(writeReplyContract, { params: { kind, id: item.id }, query, body: { text, accept } }),
    onError: failed,
    onSuccess: ({ data }, { text, accept }) => {
      setReturned(null);
      const published =
        item.accepted || accept
          ? "is published"
          : `is kept until the ${isQuestion ? "question" : "review"} is accepted`;
      toast.show({
        id: "reply",
        text: `The ${word} ${published}.`,
        duration: UNDO_MS,
        action: {
          label: "Undo",
          hint: `Remove the ${word} from the list`,
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
    <section aria-label={isQuestion ? "Answers" : "Replies"} className="mb-7">
      <Heading className="mb-2.5 text-sm font-medium">
        {isQuestion ? (replies.length > 1 ? "Answers" : "Answer") : "Public reply"}
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
          {item.accepted === false ? `What is rejected is not shown, nor would a ${word} be.` : `No ${word} yet.`}
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
  const [edited, setEdited] = useState(false);
  const query = { client_id: clientId };
  const kind = item.kind as RepliedKind;
  const change = useMutation({
    mutationFn: (text: string) =>
      call(changeReplyContract, { params: { kind, id: item.id, reply: reply.id }, query, body: { text } }),
    onSuccess: () => setEdited(false),
    onError: failed,
    onSettled: refresh,
  });
  const publish = useMutation({
    mutationFn: (accepted: boolean | null) =>
      call(decideContract, {
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
        <span>{dayWords(reply.date)}</span>
        {status !== "accepted" && <Badge tone={statusTone[status]}>{statusWords[status]}</Badge>}
        {status === "rejected" && <span>{reasonWords(reply.reject_reason)}</span>}
        {reply.mailed_at && (
          <Badge tone="good" icon={<MailCheck aria-hidden="true" className="size-3.5" />}>
            <span title={momentWords(reply.mailed_at, timeZone)}>Mailed to the asker</span>
          </Badge>
        )}
      </p>
      <p className="mt-1.5 max-w-[65ch] break-words whitespace-pre-line" lang={reply.lang ?? undefined}>
        {reply.text}
      </p>
      {canDecide && (
        <div className="mt-2 -ml-2.5 flex flex-wrap gap-1">
          <Button look="quiet" size="small" onClick={() => setEdited(true)}>
            Edit
          </Button>
          {item.kind === "question" && (
            <Button
              look="quiet"
              size="small"
              disabled={publish.isPending}
              onClick={() => publish.mutate(status === "accepted" ? null : true)}
            >
              {status === "accepted" ? "Take offline" : "Publish"}
            </Button>
          )}
          <Button look="quiet" size="small" onClick={onRemove}>
            Remove
          </Button>
        </div>
      )}
    </div>
  );
}
