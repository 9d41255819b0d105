import { SearchX } from "lucide-react";
import { useWords } from "#words";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";

export default function NotFound() {
  const t = useWords();
  return (
    <EmptyState
      icon={<SearchX aria-hidden="true" />}
      heading="h1"
      title={t("There is nothing here")}
      action={
        <Link href="/portal" className={buttonClass()}>
          {t("Back to Home")}
        </Link>
      }
    >
      {t("It may be gone, belong to another shop, or need another role than yours.")}
    </EmptyState>
  );
}
