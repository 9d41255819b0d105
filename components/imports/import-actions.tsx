"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "#messages";
import { importLabels, isInProgress, isOpen, retryStep } from "@/components/imports/labels";
import { UndoDialog } from "@/components/imports/undo-dialog";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { call, messageOf } from "@/lib/platform/http/client";
import type { deleteReviewImportContract, runReviewImportContract } from "@/lib/transfer/imports/contract";
import type { ReviewImport } from "@/lib/transfer/imports/schema";
import type { ImportStep } from "@/lib/transfer/imports/values";

type Props = {
  line: ReviewImport;
  clientId: string;
  /** Number of reviews that would be created. */
  newItems: number;
  /** Whether the required columns are known. */
  isMapped: boolean;
  listHref: string;
};

/** What a person can do with an import in its state: check, import, undo, retry or delete it. */
export function ImportActions({ line, clientId, newItems, isMapped, listHref }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const [isUndoOpen, setUndoOpen] = useState(false);
  const query = { client_id: clientId };
  const params = { id: line.id };
  // After changes of columns that are still being saved (`MappingForm`).
  const scope = { id: `import:${line.id}` };
  const run = useMutation({
    scope,
    mutationFn: (step: ImportStep) =>
      call<typeof runReviewImportContract>("POST /portal/api/v1/imports/{id}/run", { params, query, body: { step } }),
    onSettled: () => {
      setUndoOpen(false);
      router.refresh();
    },
  });
  const remove = useMutation({
    scope,
    mutationFn: () => call<typeof deleteReviewImportContract>("DELETE /portal/api/v1/imports/{id}", { params, query }),
    onSuccess: () => router.push(listHref),
  });
  const isBusy = run.isPending || remove.isPending || remove.isSuccess || isInProgress(line);
  const retry = retryStep(line);
  const canRun = line.has_file && isMapped;
  const error = run.error ?? remove.error;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        {line.status === "checked" && newItems > 0 && (
          <Button variant="primary" disabled={isBusy || !canRun} onClick={() => run.mutate("import")}>
            {t(importLabels[line.kind], { n: newItems })}
          </Button>
        )}
        {line.status === "uploaded" && (
          <Button variant="primary" disabled={isBusy || !canRun} onClick={() => run.mutate("check")}>
            {t("imports.check")}
          </Button>
        )}
        {retry && (retry === "undo" || line.has_file) && (
          <Button variant="primary" disabled={isBusy} onClick={() => run.mutate(retry)}>
            {t("common.tryAgain")}
          </Button>
        )}
        {line.can_undo && retry !== "undo" && (
          <Button variant="bad" disabled={isBusy} onClick={() => setUndoOpen(true)}>
            {t("imports.undo")}
          </Button>
        )}
        {isOpen(line) && (
          <Button disabled={isBusy} onClick={() => remove.mutate()}>
            {t("imports.deleteImport")}
          </Button>
        )}
      </div>
      {error && (
        <Notice tone="bad" alert>
          {messageOf(error, t)}
        </Notice>
      )}
      <UndoDialog
        line={line}
        clientId={clientId}
        open={isUndoOpen}
        onOpenChange={setUndoOpen}
        isBusy={run.isPending}
        onConfirm={() => run.mutate("undo")}
      />
    </div>
  );
}
