"use client";

import { useMutation } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ChangeEvent, useEffect, useRef, useState } from "react";
import { useTranslations } from "#messages";
import { MAX_FILE_BYTES, uploadFile } from "@/components/feeds/upload-file";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { percent } from "@/components/ui/percent";
import { call, messageOf } from "@/lib/platform/http/client";
import type { createReviewImportContract, runReviewImportContract } from "@/lib/transfer/imports/contract";

/**
 * Uploads a file of reviews as soon as it is selected, and opens its import. A file whose columns are known is checked
 * right away.
 */
export function SelectFile({ clientId, importHref }: { clientId: string; importHref: string }) {
  const t = useTranslations();
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const abortController = useRef<AbortController | null>(null);
  const [sent, setSent] = useState(0);
  const [tooLarge, setTooLarge] = useState(false);
  useEffect(() => () => abortController.current?.abort(), []);
  const query = { client_id: clientId };
  const upload = useMutation({
    mutationFn: async (file: File) => {
      abortController.current = new AbortController();
      const { signal } = abortController.current;
      setSent(0);
      const { id, parts } = await uploadFile({ clientId, kind: "reviews", file, signal, onProgress: setSent });
      const { data } = await call<typeof createReviewImportContract>("POST /portal/api/v1/imports", {
        query,
        body: { upload_id: id, parts },
        signal,
      });
      if (data.layout !== "other")
        await call<typeof runReviewImportContract>("POST /portal/api/v1/imports/{id}/run", {
          params: { id: data.id },
          query,
          body: { step: "check" },
          signal,
        }).catch((error) => {
          // The import's page offers the check as well.
          if (signal.aborted) throw error;
        });
      return data;
    },
    onSuccess: (data) => router.push(importHref.replace("{id}", data.id)),
  });
  const select = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = ""; // so that the same file can be selected again after an error
    if (!file) return;
    upload.reset();
    setTooLarge(file.size > MAX_FILE_BYTES);
    if (file.size <= MAX_FILE_BYTES) upload.mutate(file);
  };
  const isBusy = upload.isPending || upload.isSuccess;
  return (
    <div className="flex max-w-full flex-col items-start gap-3">
      <input ref={input} type="file" onChange={select} accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,.gz,.zip" hidden />
      <Button variant="primary" disabled={isBusy} onClick={() => input.current?.click()}>
        <FileUp aria-hidden="true" className="size-4" />
        {t("imports.selectFile")}
      </Button>
      {isBusy && (
        <div className="w-full">
          <progress
            value={sent}
            max={1}
            aria-label={t("imports.uploading", { name: upload.variables?.name ?? "" })}
            className="h-2 w-full"
          />
          <p className="figures text-sm text-muted">
            {sent < 1 ? percent(sent, t.language) : t("imports.stateChecking")}
          </p>
        </div>
      )}
      {(upload.error || tooLarge) && (
        <Notice tone="bad" alert>
          {tooLarge ? t("imports.tooLarge") : messageOf(upload.error, t)}
        </Notice>
      )}
    </div>
  );
}
