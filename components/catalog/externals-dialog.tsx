"use client";

import { useMutation } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "#messages";
import { rejectReasonLabel } from "@/components/feeds/report-labels";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { controlClass } from "@/components/ui/field-frame";
import { Notice } from "@/components/ui/notice";
import type { importExternalsContract } from "@/lib/feeds/external-ratings/contract";
import { MAX_EXTERNAL_BYTES } from "@/lib/feeds/external-ratings/values";
import { call, messageOf } from "@/lib/platform/http/client";

/** Imports a file of external ratings and shows the result of each row. */
export function ExternalsDialog({ clientId }: { clientId: string }) {
  const t = useTranslations();
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [tooLarge, setTooLarge] = useState(false);
  const send = useMutation({
    mutationFn: (file: File) =>
      call<typeof importExternalsContract>("POST /portal/api/v1/externals", {
        query: { client_id: clientId },
        body: { file },
      }),
    onSuccess: () => router.refresh(),
  });
  const report = send.data?.data;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <FileUp aria-hidden="true" className="size-4" />
        {t("products.importRatings")}
      </Button>
      <Dialog
        open={open}
        onOpenChange={(wanted) => {
          send.reset();
          setTooLarge(false);
          setOpen(wanted);
        }}
        title={t("products.importRatings")}
        description={t("products.importIntro")}
      >
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            const file = new FormData(event.currentTarget).get("file");
            if (!(file instanceof File) || file.size === 0) return;
            setTooLarge(file.size > MAX_EXTERNAL_BYTES);
            if (file.size <= MAX_EXTERNAL_BYTES) send.mutate(file);
          }}
        >
          <Field
            id="externals-file"
            label={t("common.file")}
            hint={t("products.importFileHint")}
            error={tooLarge ? t("products.errorTooLarge") : undefined}
          >
            {(wiring) => (
              <input
                {...wiring}
                type="file"
                name="file"
                required
                onChange={() => setTooLarge(false)}
                className={`${controlClass} w-full py-2`}
              />
            )}
          </Field>
          {send.error && (
            <Notice tone="bad" alert>
              {messageOf(send.error, t)}
            </Notice>
          )}
          {report && (
            <div role="status" className="text-sm">
              <p className="font-medium">
                {t("products.importResult", {
                  n: report.read,
                  created: report.created,
                  updated: report.updated,
                  unchanged: report.unchanged,
                  rejected: report.rejected.length,
                })}
              </p>
              {report.rejected.length > 0 && (
                <ul className="mt-2 max-h-40 overflow-y-auto text-muted">
                  {report.rejected.map(({ row, reason }) => (
                    <li key={row}>{t("products.importRowError", { row, reason: rejectReasonLabel(reason, t) })}</li>
                  ))}
                </ul>
              )}
            </div>
          )}
          <div className="flex justify-end gap-2">
            <Button onClick={() => setOpen(false)}>{t("common.close")}</Button>
            <Button type="submit" variant="primary" disabled={send.isPending}>
              {send.isPending ? t("products.importing") : t("products.import")}
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
