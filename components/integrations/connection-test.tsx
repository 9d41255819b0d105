"use client";

import { Check, X } from "lucide-react";
import { useWords } from "#words";
import { Notice } from "@/components/ui/notice";
import type { Checks } from "@/lib/integrations/schema";
import { messageOf } from "@/lib/platform/http/client";

type Props = { checks: Checks | undefined; pending: boolean; error: unknown };

/** What a test of the connection found, point by point. */
export function ConnectionTest({ checks, pending, error }: Props) {
  const t = useWords();
  return (
    <div aria-live="polite" className="flex flex-col gap-3 text-sm">
      {pending && <p className="text-muted">{t("Asking …")}</p>}
      {error ? <Notice tone="bad">{t(messageOf(error))}</Notice> : null}
      {!pending &&
        checks?.checks.map(({ name, ok, message }) => (
          <div key={name} className="flex gap-3">
            {ok ? (
              <Check aria-label={t("fine")} className="mt-0.5 size-4 shrink-0 text-good" />
            ) : (
              <X aria-label={t("at fault")} className="mt-0.5 size-4 shrink-0 text-bad" />
            )}
            <p className="min-w-0 break-words">
              <span className="font-medium">{t(name)}.</span> {message}
            </p>
          </div>
        ))}
    </div>
  );
}
