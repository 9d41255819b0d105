"use client";

import { CloudAlert } from "lucide-react";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

/** What a page shows when it could not be made: the database is away, for example. */
export default function PageError({ reset }: { error: Error; reset: () => void }) {
  const t = useTranslations();
  return (
    <EmptyState
      icon={<CloudAlert aria-hidden="true" />}
      heading="h1"
      title={t("page.errorTitle")}
      action={
        <Button look="primary" onClick={reset}>
          {t("common.tryAgain")}
        </Button>
      }
    >
      {t("navigation.errorHint")}
    </EmptyState>
  );
}
