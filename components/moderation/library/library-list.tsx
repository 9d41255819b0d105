"use client";

import { useIsMutating, useQueryClient } from "@tanstack/react-query";
import { BadgeCheck, Camera, Check, Columns3, Gift, MessageSquare, Undo2, X } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslations } from "#messages";
import { BulkConflicts, type BulkResult } from "@/components/moderation/bulk-conflicts";
import { ItemStars } from "@/components/moderation/item-stars";
import {
  excerptOf,
  itemKey,
  itemName,
  itemPath,
  kindTitles,
  languageLabel,
  productOf,
  sourceLabels,
  statusLabels,
  statusTone,
  toStatus,
} from "@/components/moderation/labels";
import { ExportButtons } from "@/components/moderation/library/export-buttons";
import { columnLabel, columns } from "@/components/moderation/library/labels";
import { useColumns } from "@/components/moderation/library/use-columns";
import { invalidateItems, queryKeys } from "@/components/moderation/queries";
import { reasonLabel } from "@/components/moderation/reject-reasons";
import { useDecisions } from "@/components/moderation/use-decisions";
import { useShortcuts, useShortcutsSetting } from "@/components/moderation/use-shortcuts";
import { withStore } from "@/components/portal/with-store";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { lazyDialog } from "@/components/ui/lazy-dialog";
import { Link } from "@/components/ui/link";
import { Menu, MenuCheckbox, MenuLabel } from "@/components/ui/menu";
import { type ColumnSorting, SortableHead } from "@/components/ui/sortable-head";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import type { LibraryFilter } from "@/lib/moderation/library/values";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import { formatDay } from "@/lib/platform/i18n/format";
import type { RejectReason } from "@/lib/reviews/decisions/schema";

const ReasonDialog = lazyDialog(
  async () => (await import("@/components/moderation/reason-dialog")).ReasonDialog,
  ({ items, onClose }) => ({ open: items !== null, close: onClose }),
);
const ReplyDialog = lazyDialog(
  async () => (await import("@/components/moderation/library/reply-dialog")).ReplyDialog,
  ({ items, onClose }) => ({ open: items !== null, close: onClose }),
);

type Props = {
  clientId: string;
  /** the store's name */
  shop: string;
  filter: LibraryFilter;
  items: QueueItem[];
  canDecide: boolean;
  /** the reasons that the store rejects for most */
  frequentReasons: RejectReason[];
  /** in item addresses, if the person has several stores */
  clientParam: string | undefined;
  dateSorting: ColumnSorting;
  /** shown if there are no rows */
  empty: ReactNode;
};

/**
 * A page of the list: rows to select, actions for the selected ones, and columns to choose. Also rendered without rows:
 * the last decision may have emptied the list, and can be undone.
 */
export function LibraryList({
  clientId,
  shop,
  filter,
  items,
  canDecide,
  frequentReasons,
  clientParam,
  dateSorting,
  empty,
}: Props) {
  const t = useTranslations();
  const router = useRouter();
  const [selectedKeys, setSelectedKeys] = useState<ReadonlySet<string>>(new Set());
  const [shown] = useColumns();
  const [rejecting, setRejecting] = useState<QueueItem[] | null>(null);
  const [replying, setReplying] = useState<QueueItem[] | null>(null);
  const [result, setResult] = useState<BulkResult | null>(null);
  const { decide, undo } = useDecisions(clientId, null, { onUndecided: setResult });
  const [keysOn] = useShortcutsSetting();
  useShortcuts({ undo }, keysOn);
  // The rows come with the page: show what was decided once all decisions, and undone ones, are stored.
  const cache = useQueryClient();
  const deciding = useIsMutating({ mutationKey: queryKeys.decisions(clientId) }) > 0;
  const wasDeciding = useRef(false);
  useEffect(() => {
    if (wasDeciding.current && !deciding) router.refresh();
    wasDeciding.current = deciding;
  }, [deciding, router]);
  const toolbar = useRef<HTMLDivElement>(null);
  const selected = items.filter((item) => selectedKeys.has(itemKey(item)));
  const toggle = (item: QueueItem) => {
    const next = new Set(selectedKeys);
    if (!next.delete(itemKey(item))) next.add(itemKey(item));
    setSelectedKeys(next);
  };
  const clear = () => {
    setSelectedKeys(new Set());
    // The focused button disappears with the selection.
    toolbar.current?.focus();
  };
  const allSelected = items.length > 0 && selected.length === items.length;
  const decideSelected = (accepted: boolean | null) => {
    decide(selected, { accepted });
    clear();
  };
  const has = (column: (typeof columns)[number]) => shown.includes(column);
  const selectAll = () => setSelectedKeys(new Set(items.map(itemKey)));
  const conflicts = result && (
    <div className="mb-3">
      <BulkConflicts clientId={clientId} result={result} onClose={() => setResult(null)} />
    </div>
  );
  if (items.length === 0)
    return (
      <>
        {conflicts}
        {empty}
      </>
    );
  return (
    <>
      <div ref={toolbar} tabIndex={-1} className="mb-2 flex min-h-9 flex-wrap items-center gap-2 outline-none">
        <span role="status" className="figures text-sm font-medium">
          {selected.length > 0 && t("queue.selectedCount", { n: selected.length })}
        </span>
        {selected.length > 0 ? (
          <SelectionActions
            selected={selected}
            canDecide={canDecide}
            busy={deciding}
            onPublish={() => decideSelected(true)}
            onReject={() => setRejecting(selected.filter(({ accepted }) => accepted !== false))}
            onReopen={() => decideSelected(null)}
            onReply={setReplying}
            onClear={clear}
          />
        ) : (
          <>
            <span className="text-sm text-muted">{canDecide && t("library.selectHint")}</span>
            {/* On phones the table has no heading with the checkbox for all. */}
            <Button variant="quiet" size="small" className="h-9 sm:hidden" onClick={selectAll}>
              {t("library.selectPage")}
            </Button>
          </>
        )}
        <span className="ml-auto flex flex-wrap gap-2">
          <ColumnsMenu filter={filter} />
          <ExportButtons clientId={clientId} filter={filter} selected={selected.map(({ id }) => id)} />
        </span>
      </div>
      {conflicts}
      <Table caption={t(kindTitles[filter.kind])} stacks>
        <Heads>
          <Head className="w-10">
            <input
              type="checkbox"
              checked={allSelected}
              ref={(box) => {
                if (box) box.indeterminate = selected.length > 0 && !allSelected;
              }}
              onChange={() => (allSelected ? setSelectedKeys(new Set()) : selectAll())}
              aria-label={t("library.selectPage")}
              className="size-4 align-middle"
            />
          </Head>
          <Head>{filter.kind === "question" ? t("common.question") : t("common.review")}</Head>
          {columns.filter(has).map((column) => (
            <SortableHead key={column} sorting={column === "date" ? dateSorting : undefined}>
              {t(columnLabel(column, filter))}
            </SortableHead>
          ))}
        </Heads>
        <Rows>
          {items.map((item) => (
            <Row key={itemKey(item)}>
              <Cell>
                <label className="-m-2.5 grid size-9 cursor-pointer place-items-center">
                  <input
                    type="checkbox"
                    checked={selectedKeys.has(itemKey(item))}
                    onChange={() => toggle(item)}
                    aria-label={t("queue.selectNamed", { name: itemName(item, t) })}
                    className="size-4"
                  />
                </label>
              </Cell>
              <Cell className="min-w-64">
                <Link href={withStore(itemPath(item), clientParam)} className="group block">
                  <span className="flex flex-wrap items-center gap-x-2">
                    <ItemStars item={item} />
                    <span className="min-w-0 truncate font-medium group-hover:underline">
                      {item.kind === "seller_review" ? (item.title ?? t("queue.sellerReview")) : productOf(item, t)}
                    </span>
                    {item.images.length > 0 && (
                      <span className="flex items-center gap-1 text-xs text-muted">
                        <Camera aria-hidden="true" className="size-3.5" />
                        <span className="sr-only">{t("queue.photos")}: </span>
                        {item.images.length}
                      </span>
                    )}
                  </span>
                  <span className="mt-0.5 line-clamp-2 max-w-xl text-muted in-data-[rows=compact]:line-clamp-1">
                    {excerptOf(item, t)}
                  </span>
                </Link>
              </Cell>
              {has("author") && (
                <Cell label={t("queue.author")} className="max-w-44">
                  <span className="flex items-center gap-1">
                    <span className="truncate">{item.author ?? t("common.anonymous")}</span>
                    {item.verified_buyer && (
                      <BadgeCheck
                        role="img"
                        aria-label={t("queue.verifiedBuyer")}
                        className="size-4 shrink-0 text-good"
                      />
                    )}
                    {item.incentivized && (
                      <Gift role="img" aria-label={t("queue.incentivized")} className="size-4 shrink-0 text-muted" />
                    )}
                  </span>
                </Cell>
              )}
              {has("status") && (
                <Cell label={t("queue.status")} className="whitespace-nowrap">
                  <Badge tone={statusTone[toStatus(item.accepted)]}>{t(statusLabels[toStatus(item.accepted)])}</Badge>
                  {item.accepted === false && item.reject_reason && (
                    <span className="block max-w-44 truncate text-xs text-muted">
                      {reasonLabel(item.reject_reason, t)}
                    </span>
                  )}
                </Cell>
              )}
              {has("date") && (
                <Cell label={t("common.date")} className="figures whitespace-nowrap">
                  {formatDay(item.date, t.language)}
                </Cell>
              )}
              {has("source") && (
                <Cell label={t("queue.source")} className="whitespace-nowrap">
                  {t(sourceLabels[item.source])}
                </Cell>
              )}
              {has("language") && (
                <Cell label={t("common.language")} className="whitespace-nowrap">
                  {item.lang ? languageLabel(item.lang, t.language) : "–"}
                </Cell>
              )}
              {has("reply") && (
                <Cell label={t(columnLabel("reply", filter))} className="whitespace-nowrap">
                  {item.replies > 0 ? t("common.yes") : t("common.no")}
                </Cell>
              )}
            </Row>
          ))}
        </Rows>
      </Table>
      <ReasonDialog
        clientId={clientId}
        items={rejecting}
        frequent={frequentReasons}
        returnFocus={toolbar}
        onClose={() => setRejecting(null)}
        onReject={(rejected, reason) => {
          setRejecting(null);
          decide(rejected, { accepted: false, reason });
          clear();
        }}
      />
      <ReplyDialog
        clientId={clientId}
        shop={shop}
        items={replying}
        returnFocus={toolbar}
        onClose={() => setReplying(null)}
        onSent={() => {
          void invalidateItems(cache, clientId);
          clear();
          router.refresh();
        }}
      />
    </>
  );
}

type ActionsProps = {
  selected: QueueItem[];
  canDecide: boolean;
  /** while decisions are stored, the rows may show former states */
  busy: boolean;
  onPublish: () => void;
  onReject: () => void;
  onReopen: () => void;
  onReply: (items: QueueItem[]) => void;
  onClear: () => void;
};

/** What can be done with the selected rows; each action says how many it would change. */
function SelectionActions({
  selected,
  canDecide,
  busy,
  onPublish,
  onReject,
  onReopen,
  onReply,
  onClear,
}: ActionsProps) {
  const t = useTranslations();
  const changed = (accepted: boolean | null) => selected.filter((item) => item.accepted !== accepted).length;
  // A reply to an item that isn't published yet would only be saved.
  const unreplied = selected.filter(({ kind, replies, accepted }) => kind !== "question" && replies === 0 && accepted);
  return (
    <fieldset className="contents">
      <legend className="sr-only">{t("queue.selectedItems")}</legend>
      {canDecide && changed(true) > 0 && (
        <Button size="small" className="h-9" disabled={busy} onClick={onPublish}>
          <Check aria-hidden="true" className="size-4" />
          {t("queue.approveCount", { n: changed(true) })}
        </Button>
      )}
      {canDecide && changed(false) > 0 && (
        <Button size="small" variant="bad" className="h-9" disabled={busy} onClick={onReject}>
          <X aria-hidden="true" className="size-4" />
          {t("queue.rejectCount", { n: changed(false) })}
        </Button>
      )}
      {canDecide && changed(null) > 0 && (
        <Button size="small" className="h-9" disabled={busy} onClick={onReopen}>
          <Undo2 aria-hidden="true" className="size-4" />
          {t("queue.moveToPending")}
        </Button>
      )}
      {canDecide && unreplied.length > 0 && (
        <Button size="small" className="h-9" onClick={() => onReply(unreplied)}>
          <MessageSquare aria-hidden="true" className="size-4" />
          {t("library.replyCount", { n: unreplied.length })}
        </Button>
      )}
      <Button variant="quiet" size="small" className="h-9" onClick={onClear}>
        {t("queue.clearSelection")}
      </Button>
    </fieldset>
  );
}

function ColumnsMenu({ filter }: { filter: LibraryFilter }) {
  const t = useTranslations();
  const [shown, toggle] = useColumns();
  return (
    <Menu
      label={t("library.columns")}
      trigger={
        <Button size="small" className="h-9 max-sm:hidden">
          <Columns3 aria-hidden="true" className="size-4" />
          {t("library.columns")}
        </Button>
      }
    >
      <MenuLabel>{t("library.columns")}</MenuLabel>
      {columns.map((column) => (
        <MenuCheckbox key={column} checked={shown.includes(column)} onChange={() => toggle(column)}>
          {t(columnLabel(column, filter))}
        </MenuCheckbox>
      ))}
    </Menu>
  );
}
