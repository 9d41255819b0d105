import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { FilterLinks } from "@/components/ui/filter-links";

type Props = {
  clientId: string | undefined;
  from: string;
  to: string;
  product: string | null;
  presets: { name: string; href: string; current: boolean }[];
};

/** Selects period and product: links for common periods, a plain form for others. */
export function FunnelPeriod({ clientId, from, to, product, presets }: Props) {
  const t = useTranslations();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <FilterLinks label={t("analytics.period")} links={presets} />
      <form action="/portal/invitations" className="flex flex-wrap items-center gap-2 text-sm">
        {clientId !== undefined && <input type="hidden" name="client_id" value={clientId} />}
        <Input compact type="date" name="from" defaultValue={from} aria-label={t("common.from")} className="w-36" />
        <span className="text-muted">{t("invitations.dateTo")}</span>
        <Input compact type="date" name="to" defaultValue={to} aria-label={t("common.to")} className="w-36" />
        <Input
          compact
          name="product"
          defaultValue={product ?? ""}
          maxLength={255}
          aria-label={t("common.productId")}
          placeholder={t("common.productId")}
          className="w-36"
        />
        <Button type="submit">{t("common.applyFilter")}</Button>
      </form>
    </div>
  );
}
