import clsx from "clsx";
import { Link } from "@/components/ui/link";
import { segmentClass, segmentsClass } from "@/components/ui/segments";

type Props = { label: string; links: { name: string; href: string; current: boolean }[] };

export function FilterLinks({ label, links }: Props) {
  return (
    <nav aria-label={label} className={clsx(segmentsClass, "inline-flex max-w-full overflow-x-auto")}>
      {links.map(({ name, href, current }) => (
        <Link
          key={name}
          href={href}
          aria-current={current ? "true" : undefined}
          className={clsx(segmentClass, "shrink-0")}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
