"use client";

import { Check, X } from "lucide-react";
import { useTranslations } from "#messages";
import { Notice } from "@/components/ui/notice";
import type { Checks } from "@/lib/integrations/schema";
import { messageOf } from "@/lib/platform/http/client";
import { textFor } from "@/lib/platform/i18n/text-for";
import type { MessageKey } from "@/lib/platform/i18n/translator";

type Props = { checks: Checks | undefined; pending: boolean; error: unknown };

/** The checks of a connection test and their results. */
export function ConnectionTest({ checks, pending, error }: Props) {
  const t = useTranslations();
  return (
    <div aria-live="polite" className="flex flex-col gap-3 text-sm">
      {pending && <p className="text-muted">{t("integrations.testing")}</p>}
      {error ? <Notice tone="bad">{messageOf(error, t)}</Notice> : null}
      {!pending &&
        checks?.checks.map(({ name, ok, message }) => (
          <div key={name} className="flex gap-3">
            {ok ? (
              <Check aria-label={t("integrations.checkPassed")} className="mt-0.5 size-4 shrink-0 text-good" />
            ) : (
              <X aria-label={t("integrations.checkFailed")} className="mt-0.5 size-4 shrink-0 text-bad" />
            )}
            <p className="min-w-0 break-words">
              <span className="font-medium">{textFor(checkNames, name, t) ?? name}.</span> {message}
            </p>
          </div>
        ))}
    </div>
  );
}

/** Labels of connection checks, by their names in the API. */
const checkNames: Record<string, MessageKey> = {
  Articles: "integrations.articles",
  Connection: "integrations.connection",
  Contacts: "integrations.contacts",
  Credentials: "integrations.credentials",
  Filters: "common.filters",
  "Interaction schema": "integrations.interactionSchema",
  Orders: "common.orders",
  Products: "navigation.products",
  Profile: "integrations.profile",
  "Receipt items": "integrations.receiptItems",
  Receipts: "integrations.receipts",
  Shipments: "integrations.shipments",
  "Sign-in": "integrations.signInCheck",
  Stores: "integrations.stores",
  Tables: "integrations.tables",
};
