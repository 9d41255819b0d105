import { useTranslations } from "#messages";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";

type Props = {
  /** the address of the first page; absent on it */
  first: string | undefined;
  /** the address of the next page; null on the last one */
  next: string | null;
};

/** Links to the other pages of a list. */
export function PageLinks({ first, next }: Props) {
  const t = useTranslations();
  if (!first && !next) return null;
  return (
    <nav aria-label={t("library.pages")} className="mt-4 flex justify-center gap-2">
      {first && (
        <Link href={first} className={buttonClass()}>
          {t("library.firstPage")}
        </Link>
      )}
      {next && (
        <Link href={next} className={buttonClass()}>
          {t("library.nextPage")}
        </Link>
      )}
    </nav>
  );
}
