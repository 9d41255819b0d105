"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Flag } from "lucide-react";
import { useTranslations } from "#messages";
import { invalidateItems } from "@/components/moderation/queries";
import { Button } from "@/components/ui/button";
import { Ago } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import type { closeReportsContract } from "@/lib/moderation/queue/contract";
import type { ItemContext } from "@/lib/moderation/queue/schema";
import { call, messageOf } from "@/lib/platform/http/client";

type Props = { clientId: string; id: string; reports: ItemContext["reports"]; timeZone: string; canDecide: boolean };

/** Visitors' reports of a published review, newest first, and a button to dismiss them. */
export function Reports({ clientId, id, reports, timeZone, canDecide }: Props) {
  const t = useTranslations();
  const cache = useQueryClient();
  const toast = useToast();
  const close = useMutation({
    mutationFn: () =>
      call<typeof closeReportsContract>("DELETE /portal/api/v1/reviews/{id}/reports", {
        params: { id },
        query: { client_id: clientId },
      }),
    onError: (error) =>
      toast.show({ id: "reports", tone: "bad", text: t("common.errorSaving", { message: messageOf(error, t) }) }),
    onSettled: () => void invalidateItems(cache, clientId),
  });
  if (reports.length === 0) return null;
  return (
    <section aria-label={t("queue.reports")} className="mb-6 rounded-card border border-line bg-sunken p-4 text-sm">
      <p className="flex items-center gap-2 font-medium">
        <Flag aria-hidden="true" className="size-4 text-bad" />
        {t("queue.reportedByVisitors", { n: reports.length })}
      </p>
      <ul className="mt-2 flex flex-col gap-1.5">
        {reports.map(({ at, comment }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: reports have no identity here and never move
          <li key={index} className="flex gap-3">
            <Ago at={at} timeZone={timeZone} className="min-w-16 shrink-0 text-muted" />
            <span className="min-w-0 break-words whitespace-pre-line">
              {comment ?? <span className="text-muted italic">{t("queue.noComment")}</span>}
            </span>
          </li>
        ))}
      </ul>
      {canDecide && (
        <Button size="small" className="mt-3" disabled={close.isPending} onClick={() => close.mutate()}>
          {t("queue.closeReports")}
        </Button>
      )}
    </section>
  );
}
