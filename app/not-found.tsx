import type { Metadata } from "next";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { titled, translations } from "@/lib/accounts/sign-in/language-of-request";

export const generateMetadata = (): Promise<Metadata> => titled("page.notFoundTitle");

export default async function NotFound() {
  const t = await translations();
  // A plain link: this page's script is part of every page.
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
