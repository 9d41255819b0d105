import clsx from "clsx";
import { Link } from "@/components/ui/link";

type Props = { label: string; links: { name: string; href: string; current: boolean }[] };

export function FilterLinks({ label, links }: Props) {
  return (
    <nav aria-label={label} className="inline-flex max-w-full overflow-x-auto rounded-control bg-sunken p-0.5">
      {links.map(({ name, href, current }) => (
        <Link
          key={name}
          href={href}
          aria-current={current ? "true" : undefined}
          className={clsx(
            "flex h-9 shrink-0 items-center rounded-[0.4rem] px-3 text-sm font-medium lg:h-8",
            current ? "bg-lifted text-ink shadow-raised" : "text-muted hover:text-ink",
          )}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
