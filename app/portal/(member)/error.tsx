"use client";

import { CloudAlert } from "lucide-react";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

/** Shown if a page can't be rendered, for example because the database is unavailable. */
export default function PageError({ reset }: { error: Error; reset: () => void }) {
  const t = useTranslations();
  return (
    <EmptyState
      icon={<CloudAlert aria-hidden="true" />}
      heading="h1"
      title={t("page.errorTitle")}
      action={
        <Button variant="primary" onClick={reset}>
          {t("common.tryAgain")}
        </Button>
      }
    >
      {t("navigation.errorHint")}
    </EmptyState>
  );
}
