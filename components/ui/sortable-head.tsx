import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { Head } from "@/components/ui/table";

/** `current`: the direction in which the list is sorted by it. */
export type ColumnSorting = { current: "ascending" | "descending" | undefined; href: string };

/**
 * A heading by which the table can be sorted; another click reverses it. Phones show no headings of a table that
 * stacks: its filters have the sort there.
 */
export function SortableHead({ sorting, children }: { sorting: ColumnSorting | undefined; children: ReactNode }) {
  if (!sorting) return <Head>{children}</Head>;
  const Arrow = sorting.current === "descending" ? ArrowDown : ArrowUp;
  return (
    <Head aria-sort={sorting.current ?? "none"}>
      <span className="hidden max-sm:in-[.stacks]:inline">{children}</span>
      <Link
        href={sorting.href}
        scroll={false}
        className="inline-flex items-center gap-1 hover:text-ink max-sm:in-[.stacks]:hidden"
      >
        {children}
        {sorting.current && <Arrow aria-hidden="true" className="size-3" />}
      </Link>
    </Head>
  );
}
