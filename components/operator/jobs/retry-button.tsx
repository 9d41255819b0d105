"use client";

import { useMutation } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { call, messageOf } from "@/lib/platform/http/client";
import type { retryRunContract } from "@/lib/platform/jobs/contract";

/** Queues a failed run again; completed steps keep their results. */
export function RetryButton({ id, name }: { id: string; name: string }) {
  const t = useTranslations();
  const router = useRouter();
  const retry = useMutation({
    mutationFn: () => call<typeof retryRunContract>("POST /portal/api/v1/jobs/{id}/retry", { params: { id } }),
    onSettled: () => router.refresh(),
  });
  return (
    <span className="mt-2 block">
      <Button
        size="small"
        onClick={() => retry.mutate()}
        disabled={retry.isPending}
        aria-label={t("operations.runAgainNamed", { name })}
      >
        <RotateCcw aria-hidden="true" className="size-3.5" />
        {t("operations.runAgain")}
      </Button>
      {retry.error && (
        <span role="alert" className="mt-1 block text-xs text-bad">
          {messageOf(retry.error, t)}
        </span>
      )}
    </span>
  );
}
