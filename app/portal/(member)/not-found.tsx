import { SearchX } from "lucide-react";
import { useTranslations } from "#messages";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";

export default function NotFound() {
  const t = useTranslations();
  return (
    <EmptyState
      icon={<SearchX aria-hidden="true" />}
      heading="h1"
      title={t("page.notFoundTitle")}
      action={
        <Link href="/portal" className={buttonClass()}>
          {t("navigation.backToHome")}
        </Link>
      }
    >
      {t("navigation.notFoundHint")}
    </EmptyState>
  );
}
