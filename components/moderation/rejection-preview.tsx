"use client";

import { queryOptions, useQuery } from "@tanstack/react-query";
import { Mail, MailX } from "lucide-react";
import { useTranslations } from "#messages";
import { Skeleton } from "@/components/ui/skeleton";
import type { rejectionMailContract } from "@/lib/moderation/queue/contract";
import type { QueueItem, RejectionMail } from "@/lib/moderation/queue/schema";
import { call, messageOf } from "@/lib/platform/http/client";
import type { MessageKey } from "@/lib/platform/i18n/translator";
import type { DecidedKind, RejectReason } from "@/lib/reviews/decisions/schema";

const notNotifiedTexts: Record<Exclude<RejectionMail["told"], "mailed">, MessageKey> = {
  no_address: "queue.notNotifiedNoAddress",
  not_from_here: "queue.notNotifiedElsewhere",
  suppressed: "queue.notNotifiedUnsubscribed",
  nobody: "queue.notNotifiedOwn",
};

const rejectionMailOptions = (clientId: string, kind: DecidedKind, id: string) =>
  queryOptions({
    queryKey: ["rejection-mail", clientId, kind, id],
    queryFn: async ({ signal }) =>
      (
        await call<typeof rejectionMailContract>("GET /portal/api/v1/queue/{kind}/{id}/rejection_mail", {
          params: { kind, id },
          query: { client_id: clientId },
          signal,
        })
      ).data,
    staleTime: 60_000,
  });

/** The email that the author gets for a rejection reason, in their language. */
export function RejectionPreview({
  clientId,
  item,
  reason,
}: {
  clientId: string;
  item: QueueItem;
  reason: RejectReason;
}) {
  const t = useTranslations();
  const { data, isError, error } = useQuery(rejectionMailOptions(clientId, item.kind, item.id));
  return (
    <section aria-label={t("queue.authorEmail")} className="mt-4 min-h-48 rounded-control bg-sunken px-4 py-3 text-sm">
      {isError ? (
        <p className="text-bad">{t("queue.errorLoadingEmail", { message: messageOf(error, t) })}</p>
      ) : !data ? (
        <div role="status" aria-label={t("queue.loadingEmail")} className="flex flex-col gap-2">
          <Skeleton className="h-4 w-1/2" />
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-2/3" />
        </div>
      ) : data.told !== "mailed" ? (
        <NotNotified words={t(notNotifiedTexts[data.told])} />
      ) : reason === "ignored" ? (
        <NotNotified words={t("queue.notNotifiedOther")} />
      ) : (
        <>
          <p className="flex items-center gap-2 text-muted">
            <Mail aria-hidden="true" className="size-4 shrink-0" />
            {t("queue.authorEmailPreview")}
          </p>
          <div lang={data.lang} className="mt-2 flex flex-col gap-1.5">
            <p className="font-medium">{data.subject}</p>
            {data.lines.map((line) => (
              <p key={line}>{line}</p>
            ))}
            <p>
              <span className="text-muted">{data.label}:</span> <strong>{data.reasons[reason]}</strong>
            </p>
            {data.after.map((line) => (
              <p key={line}>{line}</p>
            ))}
            <p className="text-muted">
              [{data.button}] {data.note}
            </p>
          </div>
        </>
      )}
    </section>
  );
}

const NotNotified = ({ words }: { words: string }) => (
  <p className="flex items-center gap-2 text-muted">
    <MailX aria-hidden="true" className="size-4 shrink-0" />
    {words}
  </p>
);
