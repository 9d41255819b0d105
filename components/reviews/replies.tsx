"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useWords } from "#words";
import { Reply } from "@/components/reviews/late-views";
import { keys } from "@/components/reviews/queries";
import { ReplyForm } from "@/components/reviews/reply-form";
import { holdKeys } from "@/components/reviews/use-keys";
import { useToast } from "@/components/ui/toast";
import { call, messageOf } from "@/lib/http/client";
import type { QueueItem, QueueReply } from "@/lib/queue/schema";
import type { removeReplyContract, writeReplyContract } from "@/lib/replies/contract";
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
