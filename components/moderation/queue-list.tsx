"use client";

import clsx from "clsx";
import { Camera } from "lucide-react";
import { memo, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslations } from "#messages";
import { initialsOf } from "@/components/moderation/initials";
import { ItemStars } from "@/components/moderation/item-stars";
import { KindIcon } from "@/components/moderation/kind-icon";
import {
  excerptOf,
  itemKey,
  itemName,
  productOf,
  statusLabels,
  statusTone,
  toStatus,
} from "@/components/moderation/labels";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ImageWithFallback } from "@/components/ui/image-with-fallback";
import { isPlainClick } from "@/components/ui/is-plain-click";
import { Skeleton } from "@/components/ui/skeleton";
import { Ago } from "@/components/ui/time";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import { MAX_DECISIONS } from "@/lib/moderation/queue/values";
import type { Finding } from "@/lib/moderation/rules/schema";
import { ruleLabels } from "@/lib/moderation/rules/values";

type Props = {
  items: QueueItem[];
  current: QueueItem | undefined;
  /** whether the list contains different states, so that they are shown */
  mixed: boolean;
  timeZone: string;
  href: (item: QueueItem) => string;
  onSelect: (item: QueueItem) => void;
  list: RefObject<HTMLUListElement | null>;
  /** selection for bulk decisions; undefined for people who may not decide */
  selection?: {
    selected: readonly QueueItem[];
    onToggle: (item: QueueItem) => void;
    onExtend: (item: QueueItem) => void;
    onAll: () => void;
    onNone: () => void;
  };
  more: { has: boolean; loading: boolean; failed: boolean; load: () => void };
};

/** The queue's list, two lines per item. Loads more near its end. */
export function QueueList({ items, current, mixed, timeZone, href, onSelect, list, selection, more }: Props) {
  const t = useTranslations();
  // Stable callbacks: a keystroke then re-renders only the two lines that change instead of two hundred. Replaced in a
  // layout effect, since a click may come before other effects run.
  const latest = useRef({ onSelect, choice: selection });
  useLayoutEffect(() => {
    latest.current = { onSelect, choice: selection };
  });
  const [act] = useState(() => ({
    select: (item: QueueItem) => latest.current.onSelect(item),
    toggle: (item: QueueItem) => latest.current.choice?.onToggle(item),
    extend: (item: QueueItem) => latest.current.choice?.onExtend(item),
  }));
  const chosen = useMemo(() => new Set(selection?.selected), [selection?.selected]);
  return (
    <div>
      {selection && <SelectAll {...selection} items={items} more={more} />}
      <ul ref={list} aria-label={t("common.queue")}>
        {items.map((item) => (
          <QueueRow
            key={itemKey(item)}
            item={item}
            href={href(item)}
            isCurrent={item === current}
            isSelected={selection ? chosen.has(item) : null}
            mixed={mixed}
            timeZone={timeZone}
            act={act}
          />
        ))}
      </ul>
      <More {...more} />
    </div>
  );
}

type RowProps = Pick<Props, "mixed" | "timeZone"> & {
  item: QueueItem;
  href: string;
  isCurrent: boolean;
  /** null if nothing can be selected */
  isSelected: boolean | null;
  act: Record<"select" | "toggle" | "extend", (item: QueueItem) => void>;
};

const QueueRow = memo(({ item, href, isCurrent, isSelected, mixed, timeZone, act }: RowProps) => {
  const t = useTranslations();
  return (
    <li
      className={clsx(
        // Lines outside the viewport aren't rendered.
        "flex border-b border-l-2 border-b-line [contain-intrinsic-size:auto_3.7rem] [content-visibility:auto]",
        isCurrent ? "border-l-accent bg-accent-soft" : "border-l-transparent",
      )}
    >
      {isSelected !== null && (
        <label className="flex w-10 shrink-0 cursor-pointer items-start justify-center pt-3">
          <input
            type="checkbox"
            className="size-4"
            aria-label={t("queue.selectNamed", { name: itemName(item, t) })}
            checked={isSelected}
            // Only the click event knows whether Shift was held.
            onClick={(event) => (event.shiftKey ? act.extend(item) : act.toggle(item))}
            onChange={() => {}}
          />
        </label>
      )}
      <a
        href={href}
        data-item={item.id}
        aria-current={isCurrent ? "true" : undefined}
        onClick={(event) => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          act.select(item);
        }}
        className={clsx(
          "block min-w-0 flex-1 py-2.5 pr-4 -outline-offset-2",
          isSelected === null ? "pl-4" : "pl-1",
          !isCurrent && "hover:bg-sunken/60",
        )}
      >
        {item.kind === "photo" && item.images[0] && (
          <ImageWithFallback
            src={item.images[0].icon}
            alt=""
            loading="lazy"
            className="float-left mr-3 size-10 rounded-control border border-line bg-sunken object-cover"
          />
        )}
        <span className="flex items-center gap-2 text-sm">
          {item.kind !== "review" && <KindIcon kind={item.kind} className="size-4 shrink-0 text-muted" />}
          {item.kind !== "photo" && <ItemStars item={item} />}
          <span className="min-w-0 flex-1 truncate font-medium">{productOf(item, t)}</span>
          {item.kind !== "photo" && item.images.length > 0 && (
            <Camera aria-label={t("queue.withPhoto")} role="img" className="size-3.5 shrink-0 text-muted" />
          )}
          {mixed && (
            <Badge tone={statusTone[toStatus(item.accepted)]}>{t(statusLabels[toStatus(item.accepted)])}</Badge>
          )}
          <Ago at={item.received_at} timeZone={timeZone} className="shrink-0 text-xs text-muted" />
        </span>
        <span className="mt-0.5 flex items-center gap-2 text-sm text-muted">
          <span className="min-w-0 flex-1 truncate">
            <span className="text-ink">{item.author ?? t("common.anonymous")}</span>
            {" · "}
            {excerptOf(item, t)}
          </span>
          {item.assigned && (
            <span title={t("queue.assignedTo", { name: item.assigned.name })}>
              <span
                aria-hidden="true"
                className="rounded-full border border-line bg-sunken px-1.5 py-0.5 text-xs font-medium text-ink"
              >
                {initialsOf(item.assigned.name)}
              </span>
              <span className="sr-only">{t("queue.assignedTo", { name: item.assigned.name })}</span>
            </span>
          )}
          {item.appeal && <Badge tone="warn">{t("queue.appeal")}</Badge>}
          {item.reports > 0 && <Badge tone="bad">{t("queue.reportCount", { n: item.reports })}</Badge>}
          {item.kind === "question" && item.accepted && item.replies === 0 && (
            <Badge tone="warn">{t("queue.unanswered")}</Badge>
          )}
          {item.accepted === null && <FindingsBadge findings={item.findings} />}
        </span>
      </a>
    </li>
  );
});
QueueRow.displayName = "QueueRow";

type Choice = NonNullable<Props["selection"]>;

/** Selects all items in the list, up to the limit of a bulk decision. */
function SelectAll({ items, selected, onAll, onNone, more }: Choice & Pick<Props, "items" | "more">) {
  const t = useTranslations();
  const all = selected.length > 0 && (selected.length >= items.length || selected.length >= MAX_DECISIONS);
  const some = selected.length > 0 && !all;
  return (
    <label className="flex cursor-pointer items-center border-b border-line text-xs text-muted">
      <span className="flex h-9 w-10 shrink-0 items-center justify-center">
        <input
          ref={(box) => {
            if (box) box.indeterminate = some;
          }}
          type="checkbox"
          className="size-4"
          checked={all}
          onChange={all ? onNone : onAll}
        />
      </span>
      {more.has ? t("queue.selectAllUpTo", { most: MAX_DECISIONS }) : t("queue.selectAll", { all: items.length })}
    </label>
  );
}

/** Why an item is pending: the first finding, and the number of others. */
function FindingsBadge({ findings }: { findings: readonly Finding[] }) {
  const t = useTranslations();
  const [first, ...others] = [...new Set(findings.map(({ rule }) => rule))];
  if (!first) return null;
  return (
    <Badge tone={findings.some(({ suggested }) => suggested === "reject") ? "bad" : "warn"}>
      {t(ruleLabels[first])}
      {others.length > 0 && ` +${others.length}`}
    </Badge>
  );
}

function More({ has, loading, failed, load }: Props["more"]) {
  const t = useTranslations();
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = end.current;
    if (!element || !has || loading || failed) return;
    const observer = new IntersectionObserver(([seen]) => seen?.isIntersecting && load(), { rootMargin: "400px" });
    observer.observe(element);
    return () => observer.disconnect();
  }, [has, loading, failed, load]);
  if (!has) return null;
  return (
    <div ref={end} className="p-4 text-center">
      {loading ? (
        <QueueSkeleton rows={2} />
      ) : (
        <Button size="small" onClick={load}>
          {failed ? t("queue.errorLoadingMore") : t("queue.loadMore")}
        </Button>
      )}
    </div>
  );
}

/** Placeholder while the list loads, with its rows in the same places. */
export function QueueSkeleton({ rows = 8, selectable = false }: { rows?: number; selectable?: boolean }) {
  const t = useTranslations();
  return (
    <div role="status" aria-label={t("queue.loadingQueue")}>
      {selectable && <div className="box-content h-9 border-b border-line" />}
      {Array.from({ length: rows }, (_, index) => index).map((index) => (
        <div key={index} className="flex flex-col gap-1.5 border-b border-line px-4 py-3">
          <Skeleton className="h-4 w-3/4" />
          <Skeleton className="h-4 w-full" />
        </div>
      ))}
    </div>
  );
}
