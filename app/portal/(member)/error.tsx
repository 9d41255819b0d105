"use client";

import { CloudAlert } from "lucide-react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

/** What a page shows when it could not be made: the database is away, for example. */
export default function PageError({ reset }: { error: Error; reset: () => void }) {
  const t = useWords();
  return (
    <EmptyState
      icon={<CloudAlert aria-hidden="true" />}
      heading="h1"
      title={t("This page could not be loaded")}
      action={
        <Button look="primary" onClick={reset}>
          {t("Try again")}
        </Button>
      }
    >
      {t("Nothing was changed. If it stays this way, the server's log says why.")}
    </EmptyState>
  );
}
