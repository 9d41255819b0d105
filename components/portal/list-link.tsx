"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { type ComponentProps, createContext, type ReactNode, useContext, useEffect, useSyncExternalStore } from "react";
import { keepLists, keptList } from "@/components/portal/kept-lists";
import { usePerson } from "@/components/portal/person-provider";
import { listsAt } from "@/components/portal/sections";
import { withStore } from "@/components/portal/with-store";
import { Link } from "@/components/ui/link";

const StoreContext = createContext("");

/**
 * Keeps the filters of the lists that the person visits, for the links to them. `defaultStore`: the store of pages whose
 * address names none.
 */
export function KeptLists({ defaultStore, children }: { defaultStore: string | null; children: ReactNode }) {
  const person = usePerson();
  const pathname = usePathname();
  const query = useSearchParams();
  const store = query.get("client_id") ?? defaultStore ?? "";
  useEffect(
    () => keepLists(person, store, listsAt(pathname, query), pathname, query),
    [person, store, pathname, query],
  );
  return <StoreContext value={store}>{children}</StoreContext>;
}

type Props = Omit<ComponentProps<typeof Link>, "href"> & {
  /** the list's address without filters, also where there is no script */
  href: string;
  /** the list, if it's one of several at this address */
  list?: string | undefined;
};

/** A link to a list, with the filters that it last had in this tab. On the list itself it leads to all entries. */
export function ListLink({ href, list, ...props }: Props) {
  const key = list ?? href.split("?")[0] ?? href;
  const [person, store] = [usePerson(), useContext(StoreContext)];
  const here = listsAt(usePathname(), useSearchParams());
  const kept = useSyncExternalStore(
    // It changes only when the person goes on to another page.
    () => () => {},
    () => keptList(person, store, key),
    () => undefined,
  );
  const address = here.includes(key) ? undefined : kept;
  return (
    <Link href={address ? withStore(address, href.includes("client_id=") ? store : undefined) : href} {...props} />
  );
}
