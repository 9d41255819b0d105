"use client";

import { useTranslations } from "#messages";

/** Shown if a page outside the portal, or the portal's layout, can't be rendered. */
export default function PageError({ reset }: { error: Error; reset: () => void }) {
  const t = useTranslations();
  return (
    <main className="grid min-h-dvh place-items-center px-6 text-center">
      {/* A failed page has no title of its own. */}
      <title>{t("page.errorTitle")}</title>
      <div className="flex max-w-md flex-col items-center gap-3">
        <h1 className="text-lg font-semibold">{t("page.errorTitle")}</h1>
        <p className="text-muted">{t("page.errorHint")}</p>
        <button
          type="button"
          className="mt-2 h-10 rounded-control bg-accent px-4 text-sm font-medium text-on-solid hover:brightness-110"
          onClick={reset}
        >
          {t("page.tryAgain")}
        </button>
      </div>
    </main>
  );
}
