"use client";

import { useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { ChevronsUpDown } from "lucide-react";
import { usePathname } from "next/navigation";
import { type ComponentProps, type Ref, useRef, useState } from "react";
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
  narrow?: boolean;
};

/** Selects the store that the pages are about. Stored in a cookie for addresses that name none. */
export function StoreSwitch({ stores, current, href, narrow = false }: Props) {
  const t = useTranslations();
  const path = pathForOtherStore(usePathname());
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const listed = stores.find(({ id }) => id === current);
  const { data: found } = useQuery({
    ...storesOptions(current ?? ""),
    enabled: current !== null && listed === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const store = listed ?? found?.find(({ id }) => id === current);
  const name = store?.display_name ?? current ?? t("navigation.noStores");
  const trigger = { name, narrow };
  if (stores.length > MAX_WITHOUT_SEARCH)
    return (
      <>
        <Trigger
          {...trigger}
          ref={button}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          onKeyDown={(event) => {
            if (event.key !== "ArrowDown") return;
            event.preventDefault();
            setOpen(true);
          }}
        />
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
    <Menu label={t("navigation.stores")} trigger={<Trigger {...trigger} />}>
      <MenuLabel>{t("navigation.store")}</MenuLabel>
      {stores.map((one) => (
        <MenuItem key={one.id} onSelect={() => remember(one.id)}>
          <Link href={href(path, one.id)}>
            <StoreEntry store={one} isCurrent={one.id === current} />
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

type TriggerProps = ComponentProps<"button"> & {
  name: string;
  narrow: boolean;
  ref?: Ref<HTMLButtonElement>;
};

function Trigger({ name, narrow, ...props }: TriggerProps) {
  const t = useTranslations();
  return (
    <button
      type="button"
      aria-label={t("navigation.switchStore", { name })}
      className={clsx(
        "flex h-10 items-center gap-2 rounded-control border border-line bg-raised px-2.5 text-left text-sm font-medium shadow-raised hover:bg-sunken",
        narrow ? "max-w-44 min-w-0" : "shrink-0",
      )}
      {...props}
    >
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
    </button>
  );
}
