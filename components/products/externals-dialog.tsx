"use client";

import { useMutation } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useWords } from "#words";
import { reasonWords } from "@/components/feeds/report-words";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { controlClass, Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import type { importExternalsContract } from "@/lib/externals/contract";
import { MOST_EXTERNAL_BYTES } from "@/lib/externals/values";
import { call, messageOf } from "@/lib/http/client";

/** Takes in a file of totals from other sites, and says row by row what came of it. */
export function ExternalsDialog({ clientId }: { clientId: string }) {
  const t = useWords();
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
        {t("Totals of other sites")}
      </Button>
      <Dialog
        open={open}
        onOpenChange={(wanted) => {
          send.reset();
          setTooLarge(false);
          setOpen(wanted);
        }}
        title={t("Totals of other sites")}
        description={t("How many reviews your products have elsewhere. Totals only: no single review is taken over.")}
      >
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            const file = new FormData(event.currentTarget).get("file");
            if (!(file instanceof File) || file.size === 0) return;
            setTooLarge(file.size > MOST_EXTERNAL_BYTES);
            if (file.size <= MOST_EXTERNAL_BYTES) send.mutate(file);
          }}
        >
          <Field
            id="externals-file"
            label={t("File")}
            hint={t(
              "CSV or JSON with product_id, source, kind (pro or user) and count; where known locale, country, score_dist, url. A count of 0 takes a total out.",
            )}
            error={tooLarge ? t("It is larger than 10 MB. The operator's command takes larger ones.") : undefined}
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
              {t(messageOf(send.error))}
            </Notice>
          )}
          {report && (
            <div role="status" className="text-sm">
              <p className="font-medium">
                {t("{read} rows read: {created} new, {updated} changed, {unchanged} as before, {rejected} left out.", {
                  read: report.read,
                  created: report.created,
                  updated: report.updated,
                  unchanged: report.unchanged,
                  rejected: report.rejected.length,
                })}
              </p>
              {report.rejected.length > 0 && (
                <ul className="mt-2 max-h-40 overflow-y-auto text-muted">
                  {report.rejected.map(({ row, reason }) => (
                    <li key={row}>{t("Row {row}: {reason}", { row, reason: reasonWords(reason, t) })}</li>
                  ))}
                </ul>
              )}
            </div>
          )}
          <div className="flex justify-end gap-2">
            <Button onClick={() => setOpen(false)}>{t("Close")}</Button>
            <Button type="submit" look="primary" disabled={send.isPending}>
              {send.isPending ? t("Reading …") : t("Take them in")}
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
