import { SearchX } from "lucide-react";
import Link from "next/link";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

export default function NotFound() {
  return (
    <EmptyState
      icon={<SearchX aria-hidden="true" />}
      heading="h1"
      title="There is nothing here"
      action={
        <Link href="/portal" className={buttonClass()}>
          Back to Home
        </Link>
      }
    >
      It may be gone, belong to another client, or need another role than yours.
    </EmptyState>
  );
}
