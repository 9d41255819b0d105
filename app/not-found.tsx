import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

export const metadata = { title: "Page not found" };

export default function NotFound() {
  // No link of the router: this page's script is a part of every page's.
  return (
    <main lang="en" className="grid min-h-dvh place-items-center">
      <EmptyState
        heading="h1"
        title="Page not found"
        action={
          <a href="/portal" className={buttonClass()}>
            Go to portal
          </a>
        }
      >
        Check the URL. The page may have been removed.
      </EmptyState>
    </main>
  );
}
