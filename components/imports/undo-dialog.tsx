"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "#messages";
import { deleteLabels } from "@/components/imports/labels";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { call, messageOf } from "@/lib/platform/http/client";
import type { undoCountsContract } from "@/lib/transfer/imports/contract";
import type { ReviewImport } from "@/lib/transfer/imports/schema";

type Props = {
  line: ReviewImport;
  clientId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  isBusy: boolean;
  onConfirm: () => void;
};

/** Asks before an import is undone, with what people did since. */
export function UndoDialog({ line, clientId, open, onOpenChange, isBusy, onConfirm }: Props) {
  const t = useTranslations();
  const counts = useQuery({
    queryKey: ["undo-counts", clientId, line.id],
    queryFn: ({ signal }) =>
      call<typeof undoCountsContract>("GET /portal/api/v1/imports/{id}/undo", {
        params: { id: line.id },
        query: { client_id: clientId },
        signal,
      }),
    enabled: open,
    gcTime: 0,
  });
  const found = counts.data?.data;
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t("imports.undoTitle")} description={t("imports.undoHint")}>
      <div className="flex flex-col gap-4">
        {found && (
          <ul className="flex list-disc flex-col gap-1 pl-5 text-sm empty:hidden">
            {found.decided > 0 && <li>{t("imports.undoDecided", { n: found.decided })}</li>}
            {found.answered > 0 && <li>{t("imports.undoAnswered", { n: found.answered })}</li>}
            {found.voted > 0 && <li>{t("imports.undoVoted", { n: found.voted })}</li>}
            {line.updated > 0 && <li>{t("imports.undoUpdated", { n: line.updated })}</li>}
          </ul>
        )}
        {counts.isPending && <p className="text-muted">{t("common.loading")}</p>}
        {counts.error && (
          <Notice tone="bad" alert>
            {messageOf(counts.error, t)}
          </Notice>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={() => onOpenChange(false)}>{t("common.cancel")}</Button>
          <Button variant="bad" disabled={counts.isPending || isBusy} onClick={onConfirm}>
            {found ? t(deleteLabels[line.kind], { n: found.items }) : t("imports.undo")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
