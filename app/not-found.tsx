import type { Metadata } from "next";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";

export const generateMetadata = (): Promise<Metadata> => titleMetadata("page.notFoundTitle");

export default async function NotFound() {
  const t = await translations();
  // A plain link: a script of this page would be part of every page.
  return (
    <main className="grid min-h-dvh place-items-center">
      <EmptyState
        heading="h1"
        title={t("page.notFoundTitle")}
        action={
          <a href="/portal" className={buttonClass()}>
            {t("page.goToPortal")}
          </a>
        }
      >
        {t("page.notFoundHint")}
      </EmptyState>
    </main>
  );
}
