"use client";

import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { useState } from "react";
import { useTranslations } from "#messages";
import { findStores } from "@/components/portal/search-entries";
import { StoreEntry } from "@/components/portal/store-entry";
import { type Store, storesOptions } from "@/components/portal/stores-query";
import { useSettled } from "@/components/portal/use-settled";
import { Link } from "@/components/ui/link";
import { Popover, type PopoverState } from "@/components/ui/popover";
import { MAX_LISTED_STORES } from "@/lib/accounts/values";
import { messageOf } from "@/lib/platform/http/client";

export type StoreMenuProps = PopoverState & {
  stores: Store[];
  current: string | null;
  href: (id: string) => string;
  onSelect: (id: string) => void;
};

/** The menu of many stores, with a search. Loaded by {@link import("./store-switch").StoreSwitch}. */
export function StoreMenu({ open, onOpenChange, button, ...props }: StoreMenuProps) {
  const t = useTranslations();
  return (
    <Popover
      open={open}
      onOpenChange={onOpenChange}
      button={button}
      name={{ "aria-label": t("navigation.stores") }}
      className="w-72"
    >
      <StoreSearch {...props} onClose={() => onOpenChange(false)} />
    </Popover>
  );
}

type SearchProps = Pick<StoreMenuProps, "stores" | "current" | "href" | "onSelect"> & { onClose: () => void };

function StoreSearch({ stores, current, href, onSelect, onClose }: SearchProps) {
  const t = useTranslations();
  const [typed, setTyped] = useState("");
  const [selected, setSelected] = useState((stores.find(({ id }) => id === current) ?? stores[0])?.id ?? "");
  const q = typed.trim();
  const settled = useSettled(q);
  const query = useQuery({ ...storesOptions(settled), enabled: settled !== "" });
  const isSettled = settled === q && !query.isLoading;
  // Stores loaded with the page are shown immediately. The server knows all of them, and finds words in the middle of names.
  const near = q === "" ? stores : findStores(stores, q, stores.length);
  const others = q !== "" && isSettled ? (query.data ?? []) : [];
  const all = [...near, ...others.filter(({ id }) => !near.some((one) => one.id === id))];
  const shown = [...all.filter(({ id }) => id === q), ...all.filter(({ id }) => id !== q)];
  return (
    <Command
      shouldFilter={false}
      label={t("navigation.findStore")}
      loop
      vimBindings={false}
      value={selected}
      onValueChange={setSelected}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
        // A click on the link, so that a form with unsaved changes asks first.
        event.preventDefault();
        event.currentTarget.querySelector<HTMLElement>("[role=option][aria-selected=true]")?.click();
      }}
      className="flex min-h-0 flex-col"
    >
      <Command.Input
        value={typed}
        onValueChange={setTyped}
        placeholder={t("navigation.findStore")}
        maxLength={200}
        className="h-10 w-full shrink-0 rounded-[0.375rem] border border-line bg-raised px-2.5 text-base outline-none placeholder:text-muted focus-visible:border-accent lg:text-sm"
      />
      <Command.List label={t("navigation.stores")} className="mt-1 max-h-96 min-h-0 overflow-y-auto">
        {shown.map((store) => (
          <Command.Item
            key={store.id}
            value={store.id}
            asChild
            onSelect={() => {
              onSelect(store.id);
              onClose();
            }}
          >
            <Link
              href={href(store.id)}
              tabIndex={-1}
              className="flex items-center gap-2 rounded-[0.375rem] px-2.5 py-2 text-sm outline-none data-[selected=true]:bg-sunken"
            >
              <StoreEntry store={store} isCurrent={store.id === current} />
            </Link>
          </Command.Item>
        ))}
      </Command.List>
      <div role="status" className="text-sm text-muted">
        {query.error && settled === q ? (
          <p className="px-2.5 py-2 text-bad">{messageOf(query.error, t)}</p>
        ) : shown.length === 0 && isSettled ? (
          <p className="px-2.5 py-3 text-center">{t("search.noResults", { q })}</p>
        ) : (
          q === "" && stores.length === MAX_LISTED_STORES && <p className="px-2.5 py-2">{t("navigation.moreStores")}</p>
        )}
      </div>
    </Command>
  );
}
