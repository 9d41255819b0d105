"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
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
  const router = useRouter();
  const [confirming, setConfirming] = useState(false);
  const [newUrl, setNewUrl] = useState<string | null>(null);
  const replace = useMutation({
    mutationFn: () =>
      call<typeof replaceRecordingLinkContract>("POST /portal/api/v1/test_store/recording_link", {
        query: { client_id: clientId },
      }),
    onSuccess: ({ data }) => {
      setNewUrl(data.url);
      setConfirming(false);
      // The browser's Back button would return to the page with the earlier link.
      router.refresh();
    },
    // Without a connection it fails at once: a dialog that stays open while it runs could not be closed.
    networkMode: "always",
  });
  const confirm = () => {
    replace.reset();
    setConfirming(true);
  };
  // Only the dialog shows whether replacing failed.
  const close = () => {
    if (!replace.isPending) setConfirming(false);
  };
  return (
    <div className="flex flex-col items-start gap-2">
      <div className="w-full">
        <CopyBox label={t("testClock.share")} text={newUrl ?? url} />
      </div>
      <p className="text-sm text-muted">{t("testClock.shareHint")}</p>
      <Button size="small" onClick={confirm}>
        {t("testClock.replaceLink")}
      </Button>
      <p role="status" className="text-sm text-muted">
        {replace.isSuccess && t("testClock.linkReplaced")}
      </p>
      <Dialog
        open={confirming}
        onOpenChange={close}
        title={t("testClock.replaceLinkTitle")}
        description={t("testClock.replaceLinkHint")}
      >
        {replace.error && (
          <Notice tone="bad" alert>
            {messageOf(replace.error, t)}
          </Notice>
        )}
        <div className="mt-4 flex justify-end gap-2">
          <Button disabled={replace.isPending} onClick={close}>
            {t("common.cancel")}
          </Button>
          <Button variant="bad" disabled={replace.isPending} onClick={() => replace.mutate()}>
            {t("testClock.replaceLink")}
          </Button>
        </div>
      </Dialog>
    </div>
  );
}
