"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { useTranslations } from "#messages";
import { invalidateItems } from "@/components/moderation/queries";
import { type Draft, useDraftText, useReplyDraft } from "@/components/moderation/reply-draft";
import { ReplyForm } from "@/components/moderation/reply-form";
import { lazyPart } from "@/components/ui/lazy-dialog";
import { useToast } from "@/components/ui/toast";
import type { QueueItem, QueueReply } from "@/lib/moderation/queue/schema";
import { call, messageOf } from "@/lib/platform/http/client";
import type { removeReplyContract, writeReplyContract } from "@/lib/reviews/replies/contract";
import type { RepliedKind } from "@/lib/reviews/replies/schema";

// Pending items rarely have a reply.
const ReplyList = lazyPart(async () => (await import("@/components/moderation/reply-list")).ReplyList);

type Props = {
  clientId: string;
  /** the store's name */
  shop: string;
  item: QueueItem;
  /** undefined while loading */
  replies: QueueReply[] | undefined;
  timeZone: string;
  canDecide: boolean;
  heading?: "h2" | "h3";
};

/** Focuses the reply box of an item. */
export function focusReplyBox({ kind, accepted }: QueueItem): void {
  if (kind === "answer" || kind === "photo" || accepted === false) return;
  const box = document.querySelector<HTMLTextAreaElement>("textarea[data-reply]");
  box?.focus();
  box?.scrollIntoView({ block: "center" });
}

/** How long a reply can be undone, in milliseconds. It is published after that. */
const UNDO_MS = 8_000;

/** The store's public replies to an item, or the answers to a question, and a box to write one. */
export function Replies({
  clientId,
  shop,
  item,
  replies: loaded,
  timeZone,
  canDecide,
  heading: Heading = "h3",
}: Props) {
  const t = useTranslations();
  const cache = useQueryClient();
  const toast = useToast();
  const draft = useReplyDraft(clientId, item);
  const replies = loaded ?? [];
  const kind = item.kind as RepliedKind;
  const query = { client_id: clientId };
  const refresh = () => invalidateItems(cache, clientId);
  const failed = (error: Error) =>
    toast.show({ id: "reply", tone: "bad", text: t("common.errorSaving", { message: messageOf(error, t) }) });
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
        text: t(isQuestion ? "queue.answerRemoved" : "queue.replyRemoved"),
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
      // The box may have been removed or rendered again: what was sent is no longer a draft.
      draft.sent(text);
      const now = item.accepted || accept;
      const toastText = isQuestion
        ? now
          ? "queue.answerPublished"
          : "queue.answerSaved"
        : now
          ? "queue.replyPublished"
          : "queue.replySaved";
      toast.show({
        id: "reply",
        text: t(toastText),
        duration: UNDO_MS,
        action: {
          label: t("common.undo"),
          hint: t(isQuestion ? "queue.removeAnswerFromList" : "queue.removeReplyFromList"),
          run: () => {
            draft.putBack(text);
            remove.mutate({ id: data.id, text });
          },
        },
      });
    },
    onSettled: refresh,
  });
  if (item.kind === "answer") return null;
  return (
    <section aria-label={isQuestion ? t("common.answers") : t("queue.replies")} className="mb-7">
      <Heading className="mb-2.5 text-sm font-medium">
        {isQuestion ? (replies.length > 1 ? t("common.answers") : t("common.answer")) : t("queue.publicReply")}
      </Heading>
      {replies.length > 0 && (
        <ReplyList
          clientId={clientId}
          shop={shop}
          item={item}
          replies={replies}
          timeZone={timeZone}
          canDecide={canDecide}
          refresh={refresh}
          onRemove={remove.mutate}
          failed={failed}
        />
      )}
      {canDecide && item.accepted !== false && (
        <DraftForm
          draft={draft}
          clientId={clientId}
          shop={shop}
          item={item}
          another={replies.length > 0}
          busy={write.isPending}
          onSend={(text, accept) => write.mutateAsync({ text, accept })}
        />
      )}
      {loaded?.length === 0 && (!canDecide || item.accepted === false) && (
        <p className="text-sm text-muted">
          {item.accepted === false
            ? t(isQuestion ? "queue.rejectedAnswerHint" : "queue.rejectedReplyHint")
            : t(isQuestion ? "queue.noAnswerYet" : "queue.noReplyYet")}
        </p>
      )}
    </section>
  );
}

/** A reply box whose draft is stored in this browser, so that nothing is lost when moving to the next item. */
const DraftForm = ({
  draft,
  ...rest
}: Omit<ComponentProps<typeof ReplyForm>, "text" | "onText"> & { draft: Draft }) => (
  <ReplyForm {...rest} text={useDraftText(draft)} onText={draft.set} />
);
