import { useTranslations } from "#messages";
import { notInvitedLabels } from "@/components/orders/orders-table";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/field";
import { FilterLinks } from "@/components/ui/filter-links";
import {
  type FilterReason,
  filterReasons,
  type InvitationFilter,
  SOON_DAYS,
  type SoonSort,
} from "@/lib/invitations/values";
import type { OrderSort } from "@/lib/orders/values";
import type { MessageKey } from "@/lib/platform/i18n/translator";

/** The list's filter and sort, as its address has them. */
export type OrdersQuery = {
  invitation: InvitationFilter | undefined;
  reason: FilterReason | undefined;
  sort: OrderSort | SoonSort;
};

type Props = {
  action: string;
  clientId: string | undefined;
  query: OrdersQuery;
  /** a search's results have one order */
  isSearch: boolean;
  href: (changed: Partial<OrdersQuery>) => string;
};

const sortLabels: Record<OrderSort | SoonSort, MessageKey> = {
  newest: "orders.sortNewest",
  oldest: "orders.sortOldest",
  number: "orders.sortNumber",
  number_desc: "orders.sortNumberDesc",
  soonest: "orders.sortSoonest",
  latest: "orders.sortLatest",
};

/** Filters of the orders by their invitations. On phones also the sort, which elsewhere is in the headings. */
export function OrderFilters({ action, clientId, query, isSearch, href }: Props) {
  const t = useTranslations();
  const { invitation, reason, sort } = query;
  const filters: [InvitationFilter | undefined, string][] = [
    [undefined, t("common.all")],
    ["soon", t("orders.filterSoon", { n: SOON_DAYS })],
    ["none", t("orders.filterNone")],
  ];
  const sorts: (OrderSort | SoonSort)[] =
    invitation === "soon" ? ["soonest", "latest"] : ["newest", "oldest", "number", "number_desc"];
  return (
    <div className="mb-4 flex flex-wrap items-center gap-3">
      <FilterLinks
        label={t("orders.filter")}
        links={filters.map(([value, name]) => ({
          name,
          href: href({ invitation: value, reason: undefined }),
          current: invitation === value,
        }))}
      />
      {invitation === "none" && (
        <form action={action} className="flex max-w-full items-center gap-2">
          {clientId !== undefined && <input type="hidden" name="client_id" value={clientId} />}
          <input type="hidden" name="invitation" value="none" />
          <Select
            compact
            key={reason}
            className="min-w-0"
            name="reason"
            aria-label={t("orders.filterReason")}
            defaultValue={reason ?? ""}
          >
            <option value="">{t("orders.anyReason")}</option>
            {filterReasons.map((value) => (
              <option key={value} value={value}>
                {t(notInvitedLabels[value])}
              </option>
            ))}
          </Select>
          <Button type="submit" size="small">
            {t("common.applyFilter")}
          </Button>
        </form>
      )}
      {!isSearch && (
        <div className="w-full sm:hidden">
          <FilterLinks
            label={t("orders.sort")}
            links={sorts.map((value) => ({
              name: t(sortLabels[value]),
              href: href({ sort: value }),
              current: sort === value,
            }))}
          />
        </div>
      )}
    </div>
  );
}
