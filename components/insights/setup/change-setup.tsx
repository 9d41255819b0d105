"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import type { changeSetupContract } from "@/lib/insights/setup/contract";
import type { SetupChange } from "@/lib/insights/setup/schema";
import type { SkippableStep } from "@/lib/insights/setup/values";
import { call, messageOf } from "@/lib/platform/http/client";

/** Saves a change of the first steps and shows the page again. */
export function useChangeSetup(clientId: string) {
  const router = useRouter();
  return useMutation({
    mutationFn: (body: SetupChange) =>
      call<typeof changeSetupContract>("PUT /portal/api/v1/setup", { query: { client_id: clientId }, body }),
    onSuccess: () => router.refresh(),
  });
}

type ButtonProps = { clientId: string; change: SetupChange; label?: string; text: string };

function ChangeButton({ clientId, change, label, text }: ButtonProps) {
  const t = useTranslations();
  const save = useChangeSetup(clientId);
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        aria-label={label}
        disabled={save.isPending}
        onClick={() => save.mutate(change)}
      >
        {text}
      </Button>
      {save.error && (
        <span role="alert" className="text-sm text-bad">
          {messageOf(save.error, t)}
        </span>
      )}
    </>
  );
}

type SkipProps = { clientId: string; step: SkippableStep; title: string; skipped: boolean };

/** Skips a step, or shows a skipped one again. */
export function SkipStep({ clientId, step, title, skipped }: SkipProps) {
  const t = useTranslations();
  return skipped ? (
    <ChangeButton
      clientId={clientId}
      change={{ unskip: step }}
      label={t("setup.unskipStep", { step: title })}
      text={t("setup.unskip")}
    />
  ) : (
    <ChangeButton
      clientId={clientId}
      change={{ skip: step }}
      label={t("setup.skipStep", { step: title })}
      text={t("setup.skip")}
    />
  );
}

/** Leaves the steps out of the home page, or shows them there again. */
export function DismissSetup({ clientId, dismissed }: { clientId: string; dismissed: boolean }) {
  const t = useTranslations();
  return (
    <ChangeButton
      clientId={clientId}
      change={{ dismissed: !dismissed }}
      text={dismissed ? t("setup.show") : t("setup.hide")}
    />
  );
}
