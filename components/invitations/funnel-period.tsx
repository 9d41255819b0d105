import clsx from "clsx";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";

type Props = {
  clientId: string | undefined;
  from: string;
  to: string;
  product: string | null;
  presets: { name: string; href: string; current: boolean }[];
};

/** Which days, and which product: links for the usual periods, a plain form for any. */
export function FunnelPeriod({ clientId, from, to, product, presets }: Props) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <nav aria-label="Period" className="inline-flex rounded-control bg-sunken p-0.5">
        {presets.map(({ name, href, current }) => (
          <Link
            key={name}
            href={href}
            aria-current={current ? "true" : undefined}
            className={clsx(
              "flex h-9 items-center rounded-[0.4rem] px-3 text-sm font-medium lg:h-8",
              current ? "bg-lifted text-ink shadow-raised" : "text-muted hover:text-ink",
            )}
          >
            {name}
          </Link>
        ))}
      </nav>
      <form action="/portal/invitations" className="flex flex-wrap items-center gap-2 text-sm">
        {clientId !== undefined && <input type="hidden" name="client_id" value={clientId} />}
        <Input compact type="date" name="from" defaultValue={from} aria-label="From" className="w-36" />
        <span className="text-muted">to</span>
        <Input compact type="date" name="to" defaultValue={to} aria-label="To" className="w-36" />
        <Input
          compact
          name="product"
          defaultValue={product ?? ""}
          maxLength={255}
          aria-label="Product id"
          placeholder="Product id"
          className="w-36"
        />
        <Button type="submit">Show</Button>
      </form>
    </div>
  );
}
