import Link from "next/link";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

export const metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <main lang="en" className="grid min-h-dvh place-items-center">
      <EmptyState
        heading="h1"
        title="There is nothing here"
        action={
          <Link href="/portal" className={buttonClass()}>
            To the portal
          </Link>
        }
      >
        The address may be mistyped, or what was here is gone.
      </EmptyState>
    </main>
  );
}
