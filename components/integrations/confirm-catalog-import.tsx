"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { syncIntegrationContract } from "@/lib/integrations/contract";
import type { Integration } from "@/lib/integrations/schema";
import { call, messageOf } from "@/lib/platform/http/client";

type Props = { kind: Integration["kind"]; clientId: string; running: boolean };

/** Confirms a catalog import that was stopped because it would delete most of the products. */
export function ConfirmCatalogImport({ kind, clientId, running }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const confirm = useMutation({
    mutationFn: () =>
      call<typeof syncIntegrationContract>("POST /portal/api/v1/integrations/{kind}/sync", {
        params: { kind },
        query: { client_id: clientId },
        body: { confirm_deletions: true },
      }),
    onSettled: () => router.refresh(),
  });
  return (
    <div className="mt-3">
      <Notice tone="warn">
        <p>{t("integrations.catalogHeldWarning")}</p>
        <p className="mt-2.5 flex flex-wrap items-center gap-3">
          <Button variant="bad" size="small" disabled={running || confirm.isPending} onClick={() => confirm.mutate()}>
            {t("common.importAndDelete")}
          </Button>
          {confirm.error && (
            <span role="alert" className="text-bad">
              {messageOf(confirm.error, t)}
            </span>
          )}
        </p>
      </Notice>
    </div>
  );
}
