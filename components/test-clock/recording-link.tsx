"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { CopyBox } from "@/components/ui/copy-box";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { call, messageOf } from "@/lib/platform/http/client";
import type { replaceRecordingLinkContract } from "@/lib/test-clock/contract";

/** The link to a recording for people without an account, with a button that replaces it once that is confirmed. */
export function RecordingLink({ clientId, url }: { clientId: string; url: string }) {
  const t = useTranslations();
  const [confirming, setConfirming] = useState(false);
  const replace = useMutation({
    mutationFn: () =>
      call<typeof replaceRecordingLinkContract>("POST /portal/api/v1/test_store/recording_link", {
        query: { client_id: clientId },
      }),
    onSuccess: () => setConfirming(false),
  });
  const confirm = () => {
    // Not after a success: its data is the link that is shown.
    if (replace.isError) replace.reset();
    setConfirming(true);
  };
  return (
    <div className="flex flex-col items-start gap-2">
      <div className="w-full">
        <CopyBox label={t("testClock.share")} text={replace.data?.data.url ?? url} />
      </div>
      <p className="text-sm text-muted">{t("testClock.shareHint")}</p>
      <Button size="small" onClick={confirm}>
        {t("testClock.replaceLink")}
      </Button>
      <p role="status" className="text-sm text-muted">
        {replace.data && t("testClock.linkReplaced")}
      </p>
      <Dialog
        open={confirming}
        onOpenChange={setConfirming}
        title={t("testClock.replaceLinkTitle")}
        description={t("testClock.replaceLinkHint")}
      >
        {replace.error && (
          <Notice tone="bad" alert>
            {messageOf(replace.error, t)}
          </Notice>
        )}
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={() => setConfirming(false)}>{t("common.cancel")}</Button>
          <Button variant="bad" disabled={replace.isPending} onClick={() => replace.mutate()}>
            {t("testClock.replaceLink")}
          </Button>
        </div>
      </Dialog>
    </div>
  );
}
