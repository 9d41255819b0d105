"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { Eye, Keyboard, List, PanelLeft, Square } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslations } from "#messages";
import { AssignmentMenu } from "@/components/moderation/assignment-menu";
import { BulkBar } from "@/components/moderation/bulk-bar";
import type { BulkResult } from "@/components/moderation/bulk-conflicts";
import { DecisionBar } from "@/components/moderation/decision-bar";
import type { EmptyStateActions } from "@/components/moderation/empty-queue";
import { ItemArticle } from "@/components/moderation/item-article";
import { itemKey, kindOfPage, kindTitles, queueAddress } from "@/components/moderation/labels";
import { openNoteBox } from "@/components/moderation/notes-slot";
import { pendingCountsOptions, queueOptions } from "@/components/moderation/queries";
import { activeFilterValue, QueueFilters } from "@/components/moderation/queue-filters";
import { QueueList, QueueSkeleton } from "@/components/moderation/queue-list";
import { QueueViews } from "@/components/moderation/queue-views";
import { RelatedContent } from "@/components/moderation/related-content";
import { focusReplyBox } from "@/components/moderation/replies";
import { shortcuts } from "@/components/moderation/shortcuts";
import { useAssignment } from "@/components/moderation/use-assignment";
import { type Decision, useDecisions } from "@/components/moderation/use-decisions";
import { useOpenPage } from "@/components/moderation/use-open-page";
import { usePhotoArticle } from "@/components/moderation/use-photo-article";
import { useSelection } from "@/components/moderation/use-selection";
import { useShortcuts, useShortcutsSetting } from "@/components/moderation/use-shortcuts";
import { useSingleView } from "@/components/moderation/use-single-view";
import { useViewers } from "@/components/moderation/use-viewers";
import { Button, buttonClass } from "@/components/ui/button";
import { Kbd, KeyHint } from "@/components/ui/kbd";
import { LoadError, lazyDialog, lazyPart } from "@/components/ui/lazy-dialog";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { Ago } from "@/components/ui/time";
import { readFilter } from "@/lib/moderation/queue/rules";
import type { PendingCounts, QueueFilter, QueueItem } from "@/lib/moderation/queue/schema";
import { MAX_DECISIONS } from "@/lib/moderation/queue/values";
import { messageOf } from "@/lib/platform/http/client";
import { formatCount, formatList } from "@/lib/platform/i18n/format";
import type { RejectReason } from "@/lib/reviews/decisions/schema";

// Rarely needed when the queue opens.
const BulkConflicts = lazyPart(async () => (await import("@/components/moderation/bulk-conflicts")).BulkConflicts);
const NoResults = lazyPart(async () => (await import("@/components/moderation/no-results")).NoResults);
const EmptyQueue = lazyPart(async () => (await import("@/components/moderation/empty-queue")).EmptyQueue);
const ReasonDialog = lazyDialog(
  async () => (await import("@/components/moderation/reason-dialog")).ReasonDialog,
  ({ items, onClose }) => ({ open: items !== null, close: onClose }),
);
const ShortcutsDialog = lazyDialog(
  async () => (await import("@/components/moderation/shortcuts-dialog")).ShortcutsDialog,
  ({ open, onOpenChange }) => ({ open, close: () => onOpenChange(false) }),
);

type Props = {
  clientId: string;
  /** the store's name, which signs replies */
  shop: string;
  /** whether addresses must contain the client */
  hasSeveralStores: boolean;
  timeZone: string;
  canDecide: boolean;
  /** whether the queue last showed one item at a time */
  single: boolean;
  /** shown under the heading: who else moderates here */
  note?: string;
  /** by kind, what gets the first items if there are none yet */
  steps?: EmptyStateActions;
  /** the reasons that the store rejects for most */
  frequentReasons: RejectReason[];
  /** whether the operator set up a translation service */
  hasTranslationService: boolean;
};

/** The query string without the selected item. */
function withoutItem(query: string | URLSearchParams): string {
  const rest = new URLSearchParams(query.toString());
  rest.delete("item");
  return rest.toString();
}

/** The moderation queue: list on the left, the full item on the right, one key per decision. */
export function Queue({
  clientId,
  shop,
  hasSeveralStores,
  timeZone,
  canDecide,
  single: wasSingle,
  note,
  steps,
  frequentReasons,
  hasTranslationService,
}: Props) {
  const t = useTranslations();
  const params = useSearchParams();
  const page = usePathname();
  const filter = useMemo(
    () => readFilter((name) => (name === "kind" ? kindOfPage(page) : undefined) ?? params.get(name)),
    [page, params],
  );
  const href = useCallback(
    (nextFilter: QueueFilter, item?: string) =>
      queueAddress(nextFilter, { item, client_id: hasSeveralStores ? clientId : undefined }),
    [clientId, hasSeveralStores],
  );

  const query = useInfiniteQuery(queueOptions(clientId, filter));
  const pendingCounts = useQuery(pendingCountsOptions(clientId)).data;
  const items = useMemo(() => query.data?.pages.flatMap(({ data }) => data) ?? [], [query.data]);

  const [selected, setSelected] = useState<string | null>(params.get("item"));
  const [rejecting, setRejecting] = useState<readonly QueueItem[] | null>(null);
  const [bulkResult, setBulkResult] = useState<BulkResult | null>(null);
  const [shortcutsOpen, setShortcutsOpen] = useState(false);
  const [listShown, setListShown] = useState(false);
  const [single, setSingle] = useSingleView(wasSingle);
  const list = useRef<HTMLUListElement>(null);
  const detail = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);

  const found = items.findIndex(({ id }) => id === selected);
  // If the selected item left the list, select the one that took its place.
  const place = useRef(0);
  if (found >= 0) place.current = found;
  const index = found < 0 ? Math.max(0, Math.min(selected === null ? 0 : place.current, items.length - 1)) : found;
  const current = items[index];

  // The address follows the selection with a delay, because browsers limit how often it may change. Skipped if the
  // address has other filters: those were just selected and are about to load. The history state is passed on unchanged
  // so that the router ignores the change: otherwise it would cancel a page that is loading.
  useEffect(() => {
    const timer = setTimeout(() => {
      const targetHref = href(filter, selected ?? undefined);
      const { pathname, search } = window.location;
      if (pathname !== page || withoutItem(search) !== withoutItem(params)) return;
      if (`${pathname}${search}` !== targetHref) window.history.replaceState(window.history.state, "", targetHref);
    }, 400);
    return () => clearTimeout(timer);
  }, [filter, href, page, params, selected]);

  // A rare filter may return an empty page that has a next one. Near the end, fetch the next page ahead.
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const load = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError && index > items.length - 6) load();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, index, items.length, load]);

  /** Selects an item. Moves focus along if it was in the list, so that keyboard users don't lose their place. */
  const select = useCallback((id: string | null) => {
    setSelected(id);
    detail.current?.scrollTo({ top: 0 });
    const inList = list.current?.contains(document.activeElement) || document.activeElement === document.body;
    requestAnimationFrame(() => {
      const link = list.current?.querySelector<HTMLElement>(`[data-item="${CSS.escape(id ?? "")}"]`);
      link?.scrollIntoView({ block: "nearest" });
      if (inList) link?.focus({ preventScroll: true });
    });
  }, []);
  const step = (by: number) => {
    const next = items[index + by];
    if (next) select(next.id);
  };

  const { chosen, choose, toggle, extend, clear } = useSelection(items);
  const { decide, undo } = useDecisions(clientId, filter, {
    onUndone: (item) => select(item.id),
    onUndecided: setBulkResult,
  });
  const { assign, toggle: toggleAssignment } = useAssignment(clientId);
  const decideAndAdvance = (given: readonly QueueItem[], decision: Decision) => {
    const decided = new Set(given.map(itemKey));
    const rest = (item: QueueItem) => !decided.has(itemKey(item));
    setRejecting(null);
    setBulkResult(null);
    decide(given, decision);
    clear();
    select((items.slice(index).find(rest) ?? items.slice(0, index).findLast(rest))?.id ?? null);
  };
  /** Selects as many as a bulk decision permits, from the start of the list. */
  const selectAll = async () => {
    let data = query.data;
    let hasMore = hasNextPage;
    while (hasMore && (data?.pages.flatMap((loaded) => loaded.data).length ?? 0) < MAX_DECISIONS) {
      const next = await fetchNextPage();
      if (next.isError) break;
      ({ data, hasNextPage: hasMore } = next);
    }
    choose((data?.pages.flatMap((loaded) => loaded.data) ?? []).slice(0, MAX_DECISIONS));
  };

  const otherViewers = useViewers(clientId, current, canDecide);
  const [keysOn] = useShortcutsSetting();
  const act = (work: (item: QueueItem) => void) => () => {
    if (current && canDecide) work(current);
  };
  const photoArticle = usePhotoArticle(items);
  /** Photos aren't decided unseen: what shows them may still be loading, or be gone after an upgrade. */
  const canSee = (decided: readonly QueueItem[]) =>
    photoArticle === "loaded" || decided.every(({ kind }) => kind !== "photo");
  /** Decides the selected items, or the current one; skips items already in that state. */
  const actOnAll = (accepted: boolean | null, work: (items: readonly QueueItem[]) => void) =>
    act((item) => {
      const decided = chosen.length > 0 ? chosen : [item];
      const itemsToChange = decided.filter((one) => one.accepted !== accepted);
      if (itemsToChange.length > 0 && canSee(decided)) work(itemsToChange);
    });
  const accept = actOnAll(true, (itemsToChange) => decideAndAdvance(itemsToChange, { accepted: true }));
  const reject = actOnAll(false, setRejecting);
  const reopen = actOnAll(null, (itemsToChange) => decideAndAdvance(itemsToChange, { accepted: null }));
  const bulkBar = (
    <>
      {/* Unless the article beside it shows the same. */}
      {photoArticle === "failed" && !canSee(chosen) && (listShown || current?.kind !== "photo") && <LoadError />}
      <BulkBar
        selected={chosen}
        disabled={!canSee(chosen)}
        keys={keysOn}
        onAccept={accept}
        onReject={reject}
        onReopen={reopen}
        onClear={clear}
      />
    </>
  );
  const openPage = useOpenPage(hasSeveralStores ? clientId : undefined);
  useShortcuts(
    {
      next: () => step(1),
      previous: () => step(-1),
      accept,
      reject,
      reopen,
      reply: act(focusReplyBox),
      assign: act(toggleAssignment),
      writeNote: act(openNoteBox),
      showPhoto: () => detail.current?.querySelector<HTMLElement>("[data-photo]")?.click(),
      select: act(toggle),
      selectRange: act(extend),
      clearSelection: clear,
      undo,
      changeLayout: () => setSingle(!single),
      openPage,
      search: () => {
        // The search is beside the list, which is hidden in the single view.
        flushSync(() => setSingle(false));
        search.current?.focus();
      },
    },
    keysOn,
  );
  useShortcuts({ help: () => setShortcutsOpen(true) });

  const changeFilter = (nextFilter: QueueFilter) => {
    setSelected(null);
    clear();
    setBulkResult(null);
    place.current = 0;
    window.history.pushState(null, "", href(nextFilter));
  };

  const pendingSince = filter.kind === undefined ? pendingCounts?.oldest_at : null;

  return (
    <div className="flex min-h-full flex-col lg:h-full">
      <header className="flex flex-col gap-3 border-b border-line px-4 py-4 lg:px-6">
        <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <h1 className="text-xl font-semibold">{filter.kind ? t(kindTitles[filter.kind]) : t("common.queue")}</h1>
          {pendingCounts && (
            <p className="text-sm text-muted">
              {pendingCountOf(pendingCounts, filter) === 0
                ? t("queue.nonePending")
                : t.rich(pendingSince ? "queue.pendingSince" : "queue.pendingCount", {
                    what: (
                      <span className="figures font-medium text-ink">
                        {formatCount(
                          pendingCountOf(pendingCounts, filter),
                          t.language,
                          pendingCounts.more && filter.kind === undefined,
                        )}
                      </span>
                    ),
                    ago: pendingSince && <Ago at={pendingSince} timeZone={timeZone} />,
                  })}
            </p>
          )}
          <QueueViews clientId={clientId} filter={filter} href={href} onChange={changeFilter} />
          <button
            type="button"
            aria-pressed={single}
            onClick={() => setSingle(!single)}
            className={clsx(buttonClass({ variant: "quiet", size: "small" }), "ml-auto max-lg:hidden")}
          >
            {single ? (
              <PanelLeft aria-hidden="true" className="size-4" />
            ) : (
              <Square aria-hidden="true" className="size-4" />
            )}
            {single ? t("queue.showList") : t("queue.oneAtATime")}
            {keysOn && <Kbd>{shortcuts.changeLayout.shown}</Kbd>}
          </button>
          <button
            type="button"
            onClick={() => setShortcutsOpen(true)}
            className={clsx(buttonClass({ variant: "quiet", size: "small" }), "max-lg:hidden")}
          >
            <Keyboard aria-hidden="true" className="size-4" />
            {t("common.shortcuts")} <Kbd>{shortcuts.help.shown}</Kbd>
          </button>
        </div>
        {note && <p className={clsx("text-sm text-muted", single && "lg:hidden")}>{note}</p>}
        <div className={single ? "lg:hidden" : undefined}>
          <QueueFilters
            filter={filter}
            href={href}
            onChange={changeFilter}
            search={search}
            pendingCounts={pendingCounts}
          />
        </div>
      </header>
      {bulkResult && <BulkConflicts clientId={clientId} result={bulkResult} onClose={() => setBulkResult(null)} />}

      {query.isPending ? (
        <Loading selectable={canDecide} />
      ) : query.isError && items.length === 0 ? (
        <div className="px-4 py-5 lg:px-6">
          <Notice tone="bad" alert>
            <span className="mr-3">{t("queue.errorLoadingQueue", { message: messageOf(query.error, t) })}</span>
            <Button size="small" onClick={() => void query.refetch()}>
              {t("common.tryAgain")}
            </Button>
          </Notice>
        </div>
      ) : !current ? (
        hasNextPage && !isFetchNextPageError ? (
          <Loading selectable={canDecide} />
        ) : activeFilterValue(filter) === undefined ? (
          <EmptyQueue filter={filter} href={href} steps={steps} />
        ) : (
          <NoResults filter={filter} onChange={changeFilter} />
        )
      ) : (
        <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
          <div
            className={clsx(
              "relative shrink-0 border-line lg:w-88 lg:overflow-y-auto lg:border-r xl:w-100",
              single ? "lg:hidden" : "lg:block",
              !listShown && "hidden",
              // The bar below must not cover the end of the list.
              chosen.length > 0 && "max-lg:pb-32",
            )}
          >
            <QueueList
              items={items}
              current={current}
              mixed={filter.status === "all"}
              timeZone={timeZone}
              href={({ id }) => href(filter, id)}
              onSelect={({ id }) => {
                select(id);
                setListShown(false);
              }}
              list={list}
              selection={
                canDecide
                  ? {
                      selected: chosen,
                      onToggle: toggle,
                      onExtend: extend,
                      onAll: () => void selectAll(),
                      onNone: clear,
                    }
                  : undefined
              }
              more={{ has: hasNextPage, loading: isFetchingNextPage, failed: isFetchNextPageError, load }}
            />
          </div>
          <section
            aria-label={t("queue.selectedItem")}
            className={clsx("flex min-w-0 flex-1 flex-col bg-raised lg:min-h-0", listShown && "hidden lg:flex")}
          >
            <div
              ref={detail}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard
              tabIndex={0}
              className="relative min-h-0 flex-1 px-4 pt-5 pb-32 -outline-offset-2 lg:overflow-y-auto lg:px-8 lg:py-7"
            >
              <div className="mx-auto max-w-3xl">
                {/* In the single view it has the full height; its context is below. */}
                <div
                  className={single ? "lg:flex lg:min-h-[calc(100dvh-13rem)] lg:flex-col lg:justify-center" : undefined}
                >
                  <ItemArticle
                    clientId={clientId}
                    canDecide={canDecide}
                    item={current}
                    timeZone={timeZone}
                    assignment={
                      canDecide &&
                      current.accepted === null && (
                        <AssignmentMenu clientId={clientId} item={current} keysOn={keysOn} onAssign={assign} />
                      )
                    }
                    hasTranslationService={hasTranslationService}
                    large={single}
                  />
                </div>
                <hr className="my-7 border-line" />
                <RelatedContent
                  clientId={clientId}
                  shop={shop}
                  item={current}
                  next={items[index + 1]}
                  timeZone={timeZone}
                  canDecide={canDecide}
                  keysOn={keysOn}
                />
              </div>
            </div>
            {/* What doesn't fit side by side in languages with long words wraps. */}
            <div className="fixed inset-x-0 bottom-0 z-20 flex flex-col gap-2 border-t border-line bg-raised px-4 py-3 lg:static lg:flex-row lg:flex-wrap lg:items-center lg:gap-x-4 lg:px-8">
              <div className="flex max-w-full min-w-0 flex-wrap items-center gap-2 text-sm text-muted lg:order-2 lg:ml-auto">
                {otherViewers.length > 0 && (
                  <span role="status" className="flex min-w-0 items-center gap-1.5 text-warn">
                    <Eye aria-hidden="true" className="size-4 shrink-0" />
                    <span className="truncate">
                      {t("queue.alsoViewing", {
                        names: formatList(otherViewers, t.language),
                        n: otherViewers.length,
                      })}
                    </span>
                  </span>
                )}
                <span className="figures shrink-0" aria-hidden="true">
                  {t("queue.position", { at: index + 1, all: formatCount(items.length, t.language, hasNextPage) })}
                </span>
                <Button variant="quiet" size="small" onClick={() => step(-1)} disabled={index === 0}>
                  {t("queue.previous")}
                  {keysOn && <KeyHint>{shortcuts.previous.shown}</KeyHint>}
                </Button>
                <Button variant="quiet" size="small" onClick={() => step(1)} disabled={index >= items.length - 1}>
                  {t("queue.next")}
                  {keysOn && <KeyHint>{shortcuts.next.shown}</KeyHint>}
                </Button>
                <Button variant="quiet" size="small" className="ml-auto lg:hidden" onClick={() => setListShown(true)}>
                  <List aria-hidden="true" className="size-4" />
                  {t("queue.backToList")}
                </Button>
              </div>
              {chosen.length > 0
                ? bulkBar
                : canDecide && (
                    <DecisionBar
                      item={current}
                      disabled={!canSee([current])}
                      keys={keysOn}
                      onAccept={accept}
                      onReject={reject}
                      onReopen={reopen}
                    />
                  )}
            </div>
          </section>
          {listShown && chosen.length > 0 && (
            <div className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-raised px-4 py-3 lg:hidden">
              {bulkBar}
            </div>
          )}
        </div>
      )}
      <ReasonDialog
        clientId={clientId}
        items={rejecting}
        frequent={frequentReasons}
        onClose={() => setRejecting(null)}
        onReject={(rejectedItems, reason) => decideAndAdvance(rejectedItems, { accepted: false, reason })}
      />
      <ShortcutsDialog open={shortcutsOpen} onOpenChange={setShortcutsOpen} />
    </div>
  );
}

/** Number of pending items of the filter's kind. */
const pendingCountOf = (counts: PendingCounts, { kind }: QueueFilter): number =>
  kind ? counts.kinds[kind] : counts.count;

/** Placeholder for list and item. */
const Loading = ({ selectable }: { selectable: boolean }) => (
  <div className="flex flex-1 overflow-hidden">
    <div className="w-full shrink-0 border-line lg:w-88 lg:border-r xl:w-100">
      <QueueSkeleton selectable={selectable} />
    </div>
    <div className="hidden flex-1 bg-raised px-8 py-7 lg:block">
      <div className="mx-auto flex max-w-3xl flex-col gap-4">
        <Skeleton className="h-5 w-40" />
        <Skeleton className="h-7 w-2/3" />
        <Skeleton className="h-28 w-full" />
      </div>
    </div>
  </div>
);
