"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import type { runFeedContract, startImportContract } from "@/lib/feeds/contract";
import type { ImportDetails } from "@/lib/feeds/schema";
import { call, messageOf } from "@/lib/platform/http/client";

type Props = {
  confirm: NonNullable<ImportDetails["confirm"]>;
  clientId: string;
  feedsHref: string;
  reportHref: string;
};

/** Confirms an import that was rejected because it would delete most of the catalog. */
export function ConfirmDeletions({ confirm, clientId, feedsHref, reportHref }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const query = { client_id: clientId };
  const retryImport = useMutation({
    mutationFn: async () => {
      if ("feed_id" in confirm) {
        await call<typeof runFeedContract>("POST /portal/api/v1/feeds/{id}/run", {
          params: { id: confirm.feed_id },
          query,
          body: { confirm_deletions: true },
        });
        return feedsHref;
      }
      const body = { parts: confirm.parts, confirm_deletions: true };
      const { data } = await call<typeof startImportContract>("POST /portal/api/v1/feed_uploads/{id}/import", {
        params: { id: confirm.upload_id },
        query,
        body,
      });
      return reportHref.replace("{id}", data.id);
    },
    onSuccess: (href) => router.push(href),
  });
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3">
      <Button
        variant="bad"
        size="small"
        onClick={() => retryImport.mutate()}
        disabled={retryImport.isPending || retryImport.isSuccess}
      >
        {t("common.importAndDelete")}
      </Button>
      <span role={retryImport.error ? "alert" : undefined} className="text-sm text-bad">
        {retryImport.error && messageOf(retryImport.error, t)}
      </span>
    </div>
  );
}
