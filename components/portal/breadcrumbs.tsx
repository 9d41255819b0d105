import { ChevronRight } from "lucide-react";
import { useTranslations } from "#messages";
import { ListLink } from "@/components/portal/list-link";

/** `list`: which one, if there are several at this address */
export type Crumb = { name: string; href: string; list?: string };

/** Breadcrumbs. Links to lists restore their last filters. */
export function Breadcrumbs({ trail, current }: { trail: Crumb[]; current: string }) {
  const t = useTranslations();
  return (
    <nav aria-label={t("navigation.breadcrumbs")} className="mb-4 text-sm">
      <ol className="flex min-w-0 items-center gap-1.5">
        {trail.map(({ name, href, list }) => (
          <li key={href} className="flex shrink-0 items-center gap-1.5">
            <ListLink className="link" href={href} list={list}>
              {name}
            </ListLink>
            <ChevronRight aria-hidden="true" className="size-3.5 text-muted" />
          </li>
        ))}
        <li className="min-w-0">
          <span aria-current="page" className="block truncate text-muted">
            {current}
          </span>
        </li>
      </ol>
    </nav>
  );
}
