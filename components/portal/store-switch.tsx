"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronsUpDown } from "lucide-react";
import { usePathname } from "next/navigation";
import { useRef, useState } from "react";
import { useTranslations } from "#messages";
import { pathForOtherStore } from "@/components/portal/sections";
import { StoreEntry } from "@/components/portal/store-entry";
import type { StoreMenuProps } from "@/components/portal/store-menu";
import { type Store, storesOptions } from "@/components/portal/stores-query";
import { lazyDialog } from "@/components/ui/lazy-dialog";
import { Link } from "@/components/ui/link";
import { Menu, MenuItem, MenuLabel } from "@/components/ui/menu";

/** A menu of more stores has a search. */
const MAX_WITHOUT_SEARCH = 7;

const StoreMenu = lazyDialog<StoreMenuProps>(
  async () => (await import("./store-menu")).StoreMenu,
  ({ open, onOpenChange }) => ({ open, close: () => onOpenChange(false) }),
);

type Props = {
  /** the person's stores; of operators with very many, the first ones */
  stores: Store[];
  current: string | null;
  /** the address of a page for another store */
  href: (path: string, store: string) => string;
};

/** Selects the store that the pages are about. Stored in a cookie for addresses that name none. */
export function StoreSwitch({ stores, current, href }: Props) {
  const t = useTranslations();
  const path = pathForOtherStore(usePathname());
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const isCurrent = ({ id }: Store) => id === current;
  const listed = stores.find(isCurrent);
  const { data } = useQuery({ ...storesOptions(current ?? ""), enabled: current !== null && !listed });
  const store = listed ?? data?.find(isCurrent);
  const name = store?.display_name ?? current ?? t("navigation.noStores");
  const isMenu = stores.length <= MAX_WITHOUT_SEARCH;
  const trigger = (
    <button
      ref={button}
      type="button"
      aria-label={t("navigation.switchStore", { name })}
      {...(isMenu ? {} : { "aria-haspopup": "dialog", "aria-expanded": open, onClick: () => setOpen(!open) })}
      className="flex h-10 items-center gap-2 rounded-control border border-line bg-raised px-2.5 text-left text-sm font-medium shadow-raised hover:bg-sunken max-lg:max-w-44 max-lg:min-w-0 lg:shrink-0"
    >
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
    </button>
  );
  if (!isMenu)
    return (
      <>
        {trigger}
        <StoreMenu
          open={open}
          onOpenChange={setOpen}
          button={button}
          stores={stores}
          current={current}
          href={(id) => href(path, id)}
          onSelect={remember}
        />
      </>
    );
  return (
    <Menu label={t("navigation.stores")} trigger={trigger}>
      <MenuLabel>{t("navigation.store")}</MenuLabel>
      {stores.map((one) => (
        <MenuItem key={one.id} onSelect={() => remember(one.id)}>
          <Link href={href(path, one.id)}>
            <StoreEntry store={one} isCurrent={isCurrent(one)} />
          </Link>
        </MenuItem>
      ))}
    </Menu>
  );
}

function remember(id: string) {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `candor-client=${encodeURIComponent(id)}; path=/portal; max-age=31536000; samesite=lax`;
}
