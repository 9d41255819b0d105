import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

export const metadata = { title: "Not found" };

export default function NotFound() {
  // No link of the router: this page's script is a part of every page's.
  return (
    <main lang="en" className="grid min-h-dvh place-items-center">
      <EmptyState
        heading="h1"
        title="There is nothing here"
        action={
          <a href="/portal" className={buttonClass()}>
            To the portal
          </a>
        }
      >
        The address may be mistyped, or what was here is gone.
      </EmptyState>
    </main>
  );
}
