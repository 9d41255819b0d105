"use client";

import { useMutation } from "@tanstack/react-query";
import { MailCheck } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "#messages";
import { statusLabels, statusTone, toStatus } from "@/components/moderation/labels";
import { reasonLabel } from "@/components/moderation/reject-reasons";
import { ReplyForm } from "@/components/moderation/reply-form";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import type { decideContract } from "@/lib/moderation/queue/contract";
import type { QueueItem, QueueReply } from "@/lib/moderation/queue/schema";
import { call } from "@/lib/platform/http/client";
import { formatDay, formatMoment } from "@/lib/platform/i18n/format";
import type { editReplyContract } from "@/lib/reviews/replies/contract";
import type { RepliedKind } from "@/lib/reviews/replies/schema";

type Props = {
  clientId: string;
  /** the store's name */
  shop: string;
  item: QueueItem;
  replies: QueueReply[];
  timeZone: string;
  canDecide: boolean;
  refresh: () => Promise<unknown>;
  onRemove: (reply: QueueReply) => void;
  failed: (error: Error) => void;
};

/** An item's replies of the store, each with buttons to edit, unpublish and delete it. */
export const ReplyList = ({ replies, ...props }: Props) => (
  <ul className="flex flex-col gap-3">
    {replies.map((reply) => (
      <li key={reply.id}>
        <Reply {...props} reply={reply} />
      </li>
    ))}
  </ul>
);

type ReplyProps = Omit<Props, "replies"> & { reply: QueueReply };

function Reply({ clientId, shop, item, reply, timeZone, canDecide, refresh, onRemove, failed }: ReplyProps) {
  const t = useTranslations();
  /** the text being edited; null if not editing */
  const [edited, setEdited] = useState<string | null>(null);
  const query = { client_id: clientId };
  const kind = item.kind as RepliedKind;
  const change = useMutation({
    mutationFn: (text: string) =>
      call<typeof editReplyContract>("PUT /portal/api/v1/queue/{kind}/{id}/replies/{reply}", {
        params: { kind, id: item.id, reply: reply.id },
        query,
        body: { text },
      }),
    // Changes made while it was being sent aren't saved yet.
    onSuccess: (_data, text) => setEdited((now) => (now === text ? null : now)),
    onError: failed,
    onSettled: refresh,
  });
  const publish = useMutation({
    mutationFn: (accepted: boolean | null) =>
      call<typeof decideContract>("PUT /portal/api/v1/queue/{kind}/{id}", {
        params: { kind: "answer", id: reply.id },
        query,
        body: { accepted, from: toStatus(reply.accepted) },
      }),
    onError: failed,
    onSettled: refresh,
  });
  const status = toStatus(reply.accepted);
  const busy = change.isPending || publish.isPending;
  if (edited !== null) {
    return (
      <ReplyForm
        clientId={clientId}
        shop={shop}
        item={item}
        text={edited}
        onText={setEdited}
        editing
        busy={busy}
        onSend={(text) => change.mutateAsync(text)}
        onCancel={() => setEdited(null)}
      />
    );
  }
  return (
    <div className="rounded-control border border-line bg-surface px-4 py-3">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
        <span className="font-medium text-ink">{reply.author}</span>
        <span>{formatDay(reply.date, t.language)}</span>
        {status !== "accepted" && <Badge tone={statusTone[status]}>{t(statusLabels[status])}</Badge>}
        {status === "rejected" && <span>{reasonLabel(reply.reject_reason, t)}</span>}
        {reply.mailed_at && (
          <Badge tone="good" icon={<MailCheck aria-hidden="true" className="size-3.5" />}>
            <span title={formatMoment(reply.mailed_at, timeZone, t.language)}>{t("queue.emailedToAuthor")}</span>
          </Badge>
        )}
      </p>
      <p className="mt-1.5 max-w-[65ch] break-words whitespace-pre-line" lang={reply.lang ?? undefined}>
        {reply.text}
      </p>
      {canDecide && (
        <div className="mt-2 -ml-2.5 flex flex-wrap gap-1">
          <Button variant="quiet" size="small" onClick={() => setEdited(reply.text)}>
            {t("common.edit")}
          </Button>
          {item.kind === "question" && (
            <Button
              variant="quiet"
              size="small"
              disabled={busy}
              onClick={() => publish.mutate(status === "accepted" ? null : true)}
            >
              {status === "accepted" ? t("queue.unpublish") : t("queue.publish")}
            </Button>
          )}
          <Button variant="quiet" size="small" onClick={() => onRemove(reply)}>
            {t("common.remove")}
          </Button>
        </div>
      )}
    </div>
  );
}
