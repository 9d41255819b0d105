"use client";

import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import {
  FileText,
  type LucideIcon,
  MessageCircleQuestion,
  Package,
  Settings,
  ShoppingBag,
  Star,
  Store,
  Tag,
  UserRound,
  Zap,
} from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslations } from "#messages";
import type { Destination } from "@/components/portal/destinations";
import { findDestinations, findStores, pathOf, readRecent, saveRecent } from "@/components/portal/search-entries";
import { useSettled } from "@/components/portal/use-settled";
import { withStore } from "@/components/portal/with-store";
import { DialogContent } from "@/components/ui/dialog-content";
import { Stars } from "@/components/ui/stars";
import { useNavigate } from "@/components/ui/unsaved-guard";
import { call, messageOf } from "@/lib/platform/http/client";
import type { Role } from "@/lib/platform/http/contract";
import { MIN_SEARCH_LENGTH } from "@/lib/platform/http/values";
import type { MessageKey } from "@/lib/platform/i18n/translator";
import type { searchContract } from "@/lib/search/contract";
import type { SearchResult } from "@/lib/search/schema";
import { type SearchKind, searchKinds } from "@/lib/search/values";

export type SearchDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** the store to search; null if there is none yet */
  clientId: string | null;
  /** whether addresses must contain the store */
  several: boolean;
  role: Role;
  destinations: Destination[];
  /** the person's stores */
  stores: { id: string; display_name: string }[];
};

const MAX_DESTINATIONS = 6;
const MAX_STORES = 5;

const resultGroups: Record<SearchKind, { title: MessageKey; icon: LucideIcon }> = {
  order: { title: "common.orders", icon: Package },
  customer: { title: "search.customers", icon: UserRound },
  product: { title: "navigation.products", icon: Tag },
  review: { title: "common.reviews", icon: Star },
  seller_review: { title: "common.sellerReviews", icon: ShoppingBag },
  question: { title: "common.questions", icon: MessageCircleQuestion },
};
const destinationGroups: Record<Destination["kind"], { title: MessageKey; icon: LucideIcon }> = {
  page: { title: "navigation.pages", icon: FileText },
  setting: { title: "navigation.settings", icon: Settings },
  action: { title: "search.actions", icon: Zap },
};

const idOf = ({ kind, id }: SearchResult) => `${kind} ${id}`;

/** Finds a store's records, and pages, settings and actions by name. Loaded by {@link import("./search").Search}. */
export function SearchDialog(props: SearchDialogProps) {
  const { open, onOpenChange, clientId, several, role } = props;
  const t = useTranslations();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const q = typed.trim();
  const settled = useSettled(q);
  const isLongEnough = q.length >= MIN_SEARCH_LENGTH;
  const query = useQuery({
    queryKey: ["search", clientId, settled],
    queryFn: async ({ signal }) =>
      (
        await call<typeof searchContract>("GET /portal/api/v1/search", {
          query: { client_id: clientId ?? "", q: settled },
          signal,
        })
      ).data,
    enabled: open && clientId !== null && settled.length >= MIN_SEARCH_LENGTH,
    // Until the next results, those of the former words stay visible, if they are of this store.
    placeholderData: (previous, query) => (query?.queryKey[1] === clientId ? previous : undefined),
  });
  const results = isLongEnough ? (query.data ?? []) : [];
  const found = findDestinations(props.destinations, role, q, MAX_DESTINATIONS);
  const stores = several ? findStores(props.stores, q, MAX_STORES) : [];
  const recent = q === "" && clientId !== null ? readRecent(clientId) : [];
  const isSettled = settled === q && !query.isFetching && !query.isPlaceholderData;
  const isEmpty =
    isLongEnough && isSettled && !query.error && results.length === 0 && found.length === 0 && stores.length === 0;

  // The first result is selected once it's one of these words: Enter must not open a result of former ones.
  const [selected, setSelected] = useState("");
  const first = isSettled && results[0] ? idOf(results[0]) : null;
  useEffect(() => {
    if (first !== null) setSelected(first);
  }, [first]);

  const go = (path: string, store = clientId) => {
    onOpenChange(false);
    setTyped("");
    navigate(withStore(path, several && store !== null ? store : undefined));
  };
  const openResult = (result: SearchResult) => {
    if (clientId !== null) saveRecent(clientId, result);
    go(pathOf(result));
  };
  const entry = (result: SearchResult) => (
    <Entry
      key={idOf(result)}
      id={idOf(result)}
      icon={resultGroups[result.kind].icon}
      disabled={q !== "" && !isSettled}
      onSelect={() => openResult(result)}
    >
      <Result result={result} />
    </Entry>
  );

  return (
    <DialogContent open={open} onOpenChange={onOpenChange} title={t("common.search")} initialFocus={input}>
      <Command
        shouldFilter={false}
        label={t("common.search")}
        loop
        vimBindings={false}
        value={selected}
        onValueChange={setSelected}
      >
        <Command.Input
          ref={input}
          value={typed}
          onValueChange={setTyped}
          placeholder={t("search.placeholder")}
          maxLength={200}
          className="h-11 w-full rounded-control border border-line bg-raised px-3 text-base shadow-raised outline-none placeholder:text-muted focus-visible:border-accent"
        />
        <Command.List label={t("search.results")} className="mt-2 max-h-[60dvh] overflow-y-auto sm:max-h-96">
          {recent.length > 0 && <Group title={t("search.recent")}>{recent.map(entry)}</Group>}
          {searchKinds.map((kind) => {
            const ofKind = results.filter((result) => result.kind === kind);
            return (
              ofKind.length > 0 && (
                <Group key={kind} title={t(resultGroups[kind].title)}>
                  {ofKind.map(entry)}
                </Group>
              )
            );
          })}
          {(["page", "setting", "action"] as const).map((kind) => {
            const ofKind = found.filter((destination) => destination.kind === kind);
            return (
              ofKind.length > 0 && (
                <Group key={kind} title={t(destinationGroups[kind].title)}>
                  {ofKind.map(({ name, path }) => (
                    <Entry
                      key={`${name} ${path}`}
                      id={`${kind} ${name} ${path}`}
                      icon={destinationGroups[kind].icon}
                      onSelect={() => go(path)}
                    >
                      {name}
                    </Entry>
                  ))}
                </Group>
              )
            );
          })}
          {isLongEnough && clientId !== null && (
            <Entry
              id="all reviews"
              icon={Star}
              disabled={!isSettled}
              onSelect={() => go(`/portal/library?q=${encodeURIComponent(q)}`)}
            >
              {t("search.allReviews", { q })}
            </Entry>
          )}
          {stores.length > 0 && (
            <Group title={t("navigation.stores")}>
              {stores.map(({ id, display_name }) => (
                <Entry key={id} id={`store ${id}`} icon={Store} onSelect={() => go("/portal", id)}>
                  <span className="block truncate">{display_name}</span>
                  {display_name !== id && <span className="block truncate text-muted">{id}</span>}
                </Entry>
              ))}
            </Group>
          )}
        </Command.List>
        <div role="status" className="text-sm text-muted">
          {isEmpty && <p className="px-2 py-4 text-center">{t("search.noResults", { q })}</p>}
          {!isLongEnough && recent.length === 0 && found.length === 0 && stores.length === 0 && (
            <p className="px-2 py-4 text-center">{t("search.hint")}</p>
          )}
          {query.error && isLongEnough && <p className="px-2 py-3 text-bad">{messageOf(query.error, t)}</p>}
        </div>
      </Command>
    </DialogContent>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={title}
      className="py-1 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  );
}

type EntryProps = { id: string; icon: LucideIcon; disabled?: boolean; onSelect: () => void; children: ReactNode };

function Entry({ id, icon: Icon, disabled = false, onSelect, children }: EntryProps) {
  return (
    <Command.Item
      value={id}
      disabled={disabled}
      onSelect={onSelect}
      className="flex min-h-10 cursor-default items-center gap-2.5 rounded-control px-2 py-1.5 text-sm data-[selected=true]:bg-sunken"
    >
      <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" />
      <span className="min-w-0 flex-1">{children}</span>
    </Command.Item>
  );
}

function Result({ result: { id, title, detail, text, score } }: { result: SearchResult }) {
  return (
    <>
      <span className="flex items-center gap-2">
        {score !== null && <Stars score={score} />}
        <span className="truncate">{title ?? text ?? id}</span>
      </span>
      {(detail || (title && text)) && (
        <span className="block truncate text-muted">{[detail, title && text].filter(Boolean).join(" · ")}</span>
      )}
    </>
  );
}
