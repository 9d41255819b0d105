"use client";

import { useMutation } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, useRef, useState } from "react";
import { useTranslations } from "#messages";
import { importKindLabels } from "@/components/feeds/labels";
import { MAX_FILE_BYTES, uploadFile } from "@/components/feeds/upload-file";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Select } from "@/components/ui/field";
import { controlClass } from "@/components/ui/field-frame";
import { Notice } from "@/components/ui/notice";
import { percent } from "@/components/ui/percent";
import type { startImportContract } from "@/lib/feeds/contract";
import { type FeedKind, feedKinds } from "@/lib/feeds/values";
import { call, messageOf } from "@/lib/platform/http/client";

type Props = { clientId: string; open: boolean; onOpenChange: (open: boolean) => void; reportHref: string };

/** Uploads a file of products or orders in parts, and opens the report of its import. */
export function UploadDialog({ clientId, open, onOpenChange, reportHref }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const [sent, setSent] = useState(0);
  const [tooLarge, setTooLarge] = useState(false);
  const abortController = useRef<AbortController | null>(null);
  const upload = useMutation({
    mutationFn: async ({ file, kind }: { file: File; kind: FeedKind }) => {
      abortController.current = new AbortController();
      const { signal } = abortController.current;
      const { id, parts } = await uploadFile({ clientId, kind, file, signal, onProgress: setSent });
      return call<typeof startImportContract>("POST /portal/api/v1/feed_uploads/{id}/import", {
        params: { id },
        query: { client_id: clientId },
        body: { parts },
        signal,
      });
    },
    onSuccess: ({ data }) => router.push(reportHref.replace("{id}", data.id)),
  });
  const close = (open: boolean) => {
    if (!open) abortController.current?.abort();
    upload.reset();
    setSent(0);
    onOpenChange(open);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const file = form.get("file");
    if (!(file instanceof File)) return;
    setTooLarge(file.size > MAX_FILE_BYTES);
    if (file.size > 0 && file.size <= MAX_FILE_BYTES) upload.mutate({ file, kind: form.get("kind") as FeedKind });
  };
  const busy = upload.isPending || upload.isSuccess;
  return (
    <Dialog open={open} onOpenChange={close} title={t("feeds.uploadFile")} description={t("feeds.uploadHint")}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field id="upload-kind" label={t("feeds.kind")}>
          {(wiring) => (
            <Select {...wiring} name="kind" disabled={busy}>
              {feedKinds.map((kind) => (
                <option key={kind} value={kind}>
                  {t(importKindLabels[kind])}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field id="upload-file" label={t("common.file")}>
          {(wiring) => (
            <input
              {...wiring}
              type="file"
              name="file"
              required
              disabled={busy}
              accept=".xml,.csv,.tsv,.txt,.json,.gz,.zip,.rss,.atom"
              className={`${controlClass} w-full py-2 file:mr-3 file:cursor-pointer file:rounded-[0.375rem] file:border-0 file:bg-sunken file:px-3 file:py-1 file:text-sm file:font-medium file:text-ink`}
            />
          )}
        </Field>
        {busy && (
          <div>
            <progress value={sent} max={1} aria-label={t("feeds.uploadProgress")} className="h-2 w-full" />
            <p className="figures text-sm text-muted">
              {sent < 1
                ? t("feeds.uploadedPercent", { percent: percent(sent, t.language) })
                : t("feeds.importStarting")}
            </p>
          </div>
        )}
        {(upload.error || tooLarge) && (
          <Notice tone="bad" alert>
            {tooLarge ? t("feeds.errorTooLarge") : messageOf(upload.error, t)}
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={() => close(false)}>{t("common.cancel")}</Button>
          <Button type="submit" variant="primary" disabled={busy}>
            <FileUp aria-hidden="true" className="size-4" />
            {t("feeds.uploadAndImport")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
