import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Wordmark } from "@/components/ui/wordmark";

export const metadata: Metadata = { robots: { index: true } };

/** The documentation's header, shared by the API reference and the guides. */
export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <div lang="en" className="flex min-h-dvh flex-col">
      <header className="sticky top-0 z-20 flex h-14 shrink-0 items-center gap-6 border-b bg-surface px-4 sm:px-6">
        <a href="/docs" aria-label="Candor documentation">
          <Wordmark />
        </a>
        <nav aria-label="Documentation" className="flex gap-5 text-sm">
          <a href="/docs" className="text-muted hover:text-ink">
            API reference
          </a>
          <a href="/docs/guides" className="text-muted hover:text-ink">
            Guides
          </a>
        </nav>
      </header>
      {children}
    </div>
  );
}
