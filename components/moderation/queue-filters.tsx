"use client";

import clsx from "clsx";
import { Search, SlidersHorizontal, X } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useTranslations } from "#messages";
import { LanguageSelect, ReasonSelect, SourceSelect } from "@/components/moderation/filter-selects";
import { kindIcons } from "@/components/moderation/kind-icon";
import { kindTitles, statusLabels } from "@/components/moderation/labels";
import { Button } from "@/components/ui/button";
import { Input, Select } from "@/components/ui/field";
import { isPlainClick } from "@/components/ui/is-plain-click";
import { segmentClass, segmentsClass } from "@/components/ui/segments";
import { kindsOf } from "@/lib/moderation/queue/rules";
import type { PendingCounts, QueueFilter } from "@/lib/moderation/queue/schema";
import { ages, assignees, reviewSources } from "@/lib/moderation/queue/values";
import { formatCount } from "@/lib/platform/i18n/format";
import type { MessageKey } from "@/lib/platform/i18n/translator";
import { type DecidedKind, rejectReasons } from "@/lib/reviews/decisions/schema";

type Props = {
  filter: QueueFilter;
  /** the address of this page with another filter */
  href: (filter: QueueFilter) => string;
  onChange: (filter: QueueFilter) => void;
  search: RefObject<HTMLInputElement | null>;
  pendingCounts: PendingCounts | undefined;
};

/** Filters that are typed or come from a link: shown with a button to remove them. */
const textFilters = [
  ["product", "queue.filterProduct", "queue.removeProductFilter"],
  ["brand", "queue.filterBrand", "queue.removeBrandFilter"],
  ["words", "queue.filterText", "queue.removeTextFilter"],
] as const;

const ageLabels: Record<(typeof ages)[number], MessageKey> = {
  day: "queue.olderThanDay",
  week: "queue.olderThanWeek",
  month: "queue.olderThanMonth",
};

const assigneeLabels: Record<(typeof assignees)[number], MessageKey> = {
  me: "queue.assignedToMe",
  none: "queue.unassigned",
};

const tabs = ["pending", "accepted", "rejected", "all"] as const;

/** Active filters beyond kind and status; undefined if there are none. */
export const activeFilterValue = ({ kind: _, status: __, ...rest }: QueueFilter): string | undefined =>
  Object.values(rest).find((value) => value !== undefined);

/** The list's filters. All of them are in the address, so a view is a link. */
export function QueueFilters({ filter, href, onChange, search, pendingCounts }: Props) {
  const t = useTranslations();
  // Phones show the item first; the filters are behind a button.
  const [open, setOpen] = useState(false);
  const { kind, status: _, q: __, ...switches } = filter;
  const set = Object.values(switches).filter(Boolean).length;
  const firstActiveValue = activeFilterValue(filter);
  // Only published items can be reported or lack a public reply.
  const ofPublished = (on: boolean) => (on ? "accepted" : filter.status) as QueueFilter["status"];
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Kinds filter={filter} href={href} onChange={onChange} pendingCounts={pendingCounts} />
      <nav
        aria-label={t("queue.status")}
        className={clsx(segmentsClass, "flex max-lg:w-full max-lg:*:flex-1 max-lg:*:justify-center")}
      >
        {tabs.map((status) => (
          <a
            key={status}
            href={href(statusFilter(filter, status))}
            aria-current={filter.status === status ? "page" : undefined}
            onClick={(event) => {
              if (!isPlainClick(event)) return;
              event.preventDefault();
              onChange(statusFilter(filter, status));
            }}
            className={segmentClass}
          >
            {status === "all" ? t("common.all") : t(statusLabels[status])}
          </a>
        ))}
      </nav>
      <search className="min-w-0 flex-1 lg:max-w-80 lg:min-w-72">
        <form
          className="relative"
          onSubmit={(event) => {
            event.preventDefault();
            const q = search.current?.value.trim() || undefined;
            // A search for an order should find its review in any status.
            onChange({ ...filter, q, status: q ? "all" : filter.status });
            search.current?.blur();
          }}
        >
          <Search
            aria-hidden="true"
            className="pointer-events-none absolute top-2.5 left-2.5 lg:top-2 size-4 text-muted"
          />
          <Input
            ref={search}
            key={filter.q}
            type="search"
            name="q"
            defaultValue={filter.q}
            maxLength={320}
            aria-label={t("queue.searchLabel")}
            placeholder={t("queue.searchPlaceholder")}
            compact
            className="w-full pl-8"
          />
        </form>
      </search>
      <Button
        size="small"
        className="h-9 lg:hidden"
        aria-expanded={open}
        aria-controls="queue-filters"
        onClick={() => setOpen(!open)}
      >
        <SlidersHorizontal aria-hidden="true" className="size-4" />
        {t("common.filters")}
        {set > 0 && <span className="figures">({set})</span>}
      </Button>
      <div id="queue-filters" className={clsx("flex flex-wrap items-center gap-2", !open && "max-lg:hidden")}>
        {/* A photo's source and language are those of its review. */}
        {kind !== "photo" && (
          <>
            <SourceSelect
              value={filter.source ?? ""}
              onChange={({ target }) =>
                onChange({ ...filter, source: reviewSources.find((source) => source === target.value) })
              }
            />
            <LanguageSelect
              value={filter.lang ?? ""}
              onChange={({ target }) => onChange({ ...filter, lang: target.value || undefined })}
            />
          </>
        )}
        {kind !== "question" && kind !== "answer" && kind !== "photo" && (
          <Toggle
            label={t("queue.verifiedBuyer")}
            on={filter.verified === "1"}
            onChange={(on) => onChange({ ...filter, verified: on ? "1" : undefined })}
          />
        )}
        {kind !== "answer" && kind !== "photo" && (
          <Toggle
            label={t("queue.withPhoto")}
            on={filter.photo === "1"}
            onChange={(on) => onChange({ ...filter, photo: on ? "1" : undefined })}
          />
        )}
        {kind !== "answer" && kind !== "photo" && (
          <Toggle
            label={kind === "question" ? t("queue.unanswered") : t("queue.noReply")}
            count={kind === "question" ? pendingCounts?.unanswered : undefined}
            on={filter.unreplied === "1"}
            onChange={(on) =>
              onChange({
                ...filter,
                unreplied: on ? "1" : undefined,
                status: ofPublished(on),
                assigned: on ? undefined : filter.assigned,
              })
            }
          />
        )}
        {(kind === undefined || kind === "review") && (
          <Toggle
            label={t("queue.reported")}
            count={pendingCounts?.reported}
            on={filter.reported === "1"}
            onChange={(on) =>
              onChange({
                ...filter,
                reported: on ? "1" : undefined,
                status: ofPublished(on),
                assigned: on ? undefined : filter.assigned,
              })
            }
          />
        )}
        {kind !== "seller_review" && kind !== "answer" && kind !== "photo" && (
          <Toggle
            label={t("queue.unverified")}
            on={filter.unverified === "1"}
            onChange={(on) =>
              onChange({ ...filter, unverified: on ? "1" : undefined, status: on ? "pending" : filter.status })
            }
          />
        )}
        <Select
          aria-label={t("queue.age")}
          value={filter.age ?? ""}
          onChange={({ target }) => onChange({ ...filter, age: ages.find((age) => age === target.value) })}
          compact
        >
          <option value="">{t("queue.anyAge")}</option>
          {ages.map((age) => (
            <option key={age} value={age}>
              {t(ageLabels[age])}
            </option>
          ))}
        </Select>
        {/* Only pending items are assigned. */}
        {filter.status === "pending" && (
          <Select
            aria-label={t("queue.assignment")}
            value={filter.assigned ?? ""}
            onChange={({ target }) =>
              onChange({ ...filter, assigned: assignees.find((assignee) => assignee === target.value) })
            }
            compact
          >
            <option value="">{t("queue.anyAssignment")}</option>
            {assignees.map((assignee) => (
              <option key={assignee} value={assignee}>
                {t(assigneeLabels[assignee])}
              </option>
            ))}
          </Select>
        )}
        {filter.status === "rejected" && (
          <ReasonSelect
            value={filter.reason ?? ""}
            onChange={({ target }) =>
              onChange({ ...filter, reason: rejectReasons.find((reason) => reason === target.value) })
            }
          />
        )}
        {kind !== "question" && kind !== "answer" && kind !== "photo" && (
          <Toggle
            label={t("queue.withText")}
            on={filter.text === "1"}
            onChange={(on) => onChange({ ...filter, text: on ? "1" : undefined })}
          />
        )}
        {textFilters.map(([name, label, off]) => {
          const value = filter[name];
          return (
            value && (
              <Button
                key={name}
                size="small"
                aria-label={`${t(label, { value })}. ${t(off, { value })}`}
                onClick={() => onChange({ ...filter, [name]: undefined })}
              >
                <span className="max-w-48 truncate">{t(label, { value })}</span>
                <X aria-hidden="true" className="size-3.5" />
              </Button>
            )
          );
        })}
        {firstActiveValue !== undefined && (
          <Button variant="quiet" size="small" onClick={() => onChange({ kind, status: filter.status })}>
            <X aria-hidden="true" className="size-3.5" />
            {t("queue.clearFilters")}
          </Button>
        )}
      </div>
    </div>
  );
}

type ToggleProps = {
  label: string;
  /** number of pending items */
  count?: number;
  on: boolean;
  onChange: (on: boolean) => void;
};

function Toggle({ label, count = 0, on, onChange }: ToggleProps) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={() => onChange(!on)}
      className="h-9 rounded-control border border-edge lg:h-8 bg-raised px-2.5 text-sm aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
    >
      {label}
      {count > 0 && <span className="figures ml-1.5 font-medium text-warn">{count}</span>}
    </button>
  );
}

const kindTabs: (DecidedKind | undefined)[] = [undefined, "review", "seller_review", "question", "photo"];

/** The kinds, each with its number of pending items. Answers are listed only if some are pending. */
function Kinds({ filter, href, onChange, pendingCounts }: Omit<Props, "search">) {
  const t = useTranslations();
  const nav = useRef<HTMLElement>(null);
  // On phones the kinds scroll sideways: the current one must be visible.
  useEffect(() => {
    const selectedKind = filter.kind ?? "all";
    nav.current?.querySelector(`[data-kind="${selectedKind}"]`)?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [filter.kind]);
  const shown = pendingCounts?.kinds.answer || filter.kind === "answer" ? [...kindTabs, "answer" as const] : kindTabs;
  return (
    <nav ref={nav} aria-label={t("queue.type")} className="-mx-1 flex w-full gap-1 overflow-x-auto px-1 pb-0.5">
      {shown.map((kind) => {
        const kindFilterValue = kindFilter(filter, kind);
        const Icon = kind && kindIcons[kind];
        const count = pendingCounts && (kind ? pendingCounts.kinds[kind] : pendingCounts.count);
        return (
          <a
            key={kind ?? "all"}
            data-kind={kind ?? "all"}
            href={href(kindFilterValue)}
            aria-current={filter.kind === kind ? "page" : undefined}
            onClick={(event) => {
              if (!isPlainClick(event)) return;
              event.preventDefault();
              onChange(kindFilterValue);
            }}
            className="flex h-9 shrink-0 items-center gap-1.5 rounded-full border border-transparent px-3 text-sm font-medium text-muted hover:bg-sunken hover:text-ink aria-[current=page]:border-line aria-[current=page]:bg-lifted aria-[current=page]:text-ink aria-[current=page]:shadow-raised lg:h-8"
          >
            {Icon && <Icon aria-hidden="true" className="size-3.5" />}
            {kind ? t(kindTitles[kind]) : t("common.everything")}
            {count !== undefined && count > 0 && (
              <span className="figures text-xs text-muted">
                {formatCount(count, t.language, kind === undefined && pendingCounts?.more)}
              </span>
            )}
          </a>
        );
      })}
    </nav>
  );
}

/** The filter for another kind, without filters that don't apply to it. */
function kindFilter(filter: QueueFilter, kind: DecidedKind | undefined): QueueFilter {
  const nextFilter = { ...filter, kind };
  return kindsOf(nextFilter).length > 0 ? nextFilter : { kind, status: filter.status };
}

/** The filter for another status: only rejected items have a reason, and only pending ones are assigned. */
const statusFilter = (filter: QueueFilter, status: QueueFilter["status"]): QueueFilter => ({
  ...filter,
  status,
  reason: status === "rejected" || status === "all" ? filter.reason : undefined,
  assigned: status === "pending" ? filter.assigned : undefined,
});
