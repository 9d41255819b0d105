"use client";

import clsx from "clsx";
import { Search, SlidersHorizontal, X } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ChangeEvent, useOptimistic, useState, useTransition } from "react";
import { useTranslations } from "#messages";
import { LanguageSelect, ReasonSelect, SourceSelect } from "@/components/moderation/filter-selects";
import { statusLabels } from "@/components/moderation/labels";
import {
  answerChoice,
  buyerChoice,
  photoChoice,
  replyChoice,
  scoreChangeLabels,
  sortLabels,
} from "@/components/moderation/library/labels";
import { Button, buttonClass } from "@/components/ui/button";
import { Input, Select } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { SuggestedInput } from "@/components/ui/suggested-input";
import {
  appliesTo,
  hasConditions,
  type LibraryFilter,
  libraryQuery,
  librarySorts,
  mayFilterByStars,
  readLibraryFilter,
  scoreChanges,
} from "@/lib/moderation/library/values";
import { moderationStatuses } from "@/lib/reviews/decisions/schema";

type Props = {
  path: string;
  clientId: string | undefined;
  filter: LibraryFilter;
  /** of the catalog, to choose from */
  brands: string[];
  categories: string[];
  periods: { name: string; from: string; to: string }[];
  /** until a review is decided: then only lists of decided ones can be filtered and sorted by stars */
  starsHidden: boolean;
};

const scores = [1, 2, 3, 4, 5] as const;

type TextFilter = "q" | "product" | "brand" | "category" | "from" | "to";

/**
 * The list's filters as a GET form: a filter has an address. A choice applies at once, typed text when its field
 * is left or with Enter.
 */
export function LibraryFilters({ path, clientId, filter: current, brands, categories, periods, starsHidden }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  // A choice shows while its page is loading; then, or if another page comes instead, the address's filter does.
  const [filter, showFilter] = useOptimistic(current);
  // Typed, and not applied yet.
  const [draft, setDraft] = useState<Partial<Record<TextFilter, string>>>({});
  // On phones most filters are behind a button.
  const [open, setOpen] = useState(false);
  const { kind } = filter;
  const days = filter.from || filter.to ? `${filter.from ?? ""}/${filter.to ?? ""}` : "";
  const period = periods.find(({ from, to }) => days === `${from}/${to}`);
  const hasStars = kind !== "question" && (!starsHidden || mayFilterByStars(filter));
  const applies = (name: keyof LibraryFilter) =>
    appliesTo(kind, name) && (hasStars || (name !== "stars" && name !== "score_change"));
  const apply = (fields: HTMLFormElement | null, days: { from?: string; to?: string } = {}) => {
    if (!fields) return;
    const data = new FormData(fields);
    for (const [name, value] of Object.entries(days)) data.set(name, value);
    const next = readLibraryFilter((name) => data.getAll(name).join("").trim() || null);
    const query = libraryQuery(next);
    setDraft({});
    if (query.toString() === libraryQuery(filter).toString()) return;
    if (clientId) query.set("client_id", clientId);
    startTransition(() => {
      showFilter(next);
      router.push(`${path}?${query}`);
    });
  };
  const text = (name: TextFilter) => ({
    name,
    value: draft[name] ?? filter[name] ?? "",
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) =>
      setDraft((before) => ({ ...before, [name]: target.value })),
  });
  const applyChoice = ({ target }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => apply(target.form);
  const choice = (name: Exclude<keyof LibraryFilter, TextFilter>) => ({
    name,
    value: filter[name] ?? "",
    onChange: applyChoice,
  });
  const yesOrNo = (name: "photos" | "verified" | "reply", labels: typeof photoChoice, label: string) => (
    <Select {...choice(name)} aria-label={label} compact>
      <option value="">{t(labels.any)}</option>
      <option value="1">{t(labels["1"])}</option>
      <option value="0">{t(labels["0"])}</option>
    </Select>
  );
  return (
    <search>
      <form
        action={path}
        aria-busy={pending}
        className="mb-4 flex flex-wrap items-center gap-2"
        // A date is typed in parts, and a brand may be picked from the list: both apply when they are left.
        onBlur={(event) => apply(event.currentTarget)}
        onSubmit={(event) => {
          event.preventDefault();
          apply(event.currentTarget);
        }}
      >
        {clientId !== undefined && <input type="hidden" name="client_id" value={clientId} />}
        {kind !== "review" && <input type="hidden" name="kind" value={kind} />}
        <div className="relative min-w-60 flex-1 sm:max-w-80">
          <Search
            aria-hidden="true"
            className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-muted lg:top-2"
          />
          <Input
            type="search"
            {...text("q")}
            maxLength={320}
            aria-label={t("library.searchLabel")}
            placeholder={t("library.searchPlaceholder")}
            compact
            className="w-full pl-8"
          />
        </div>
        <Select {...choice("status")} aria-label={t("queue.status")} compact>
          <option value="">{t("library.anyStatus")}</option>
          {moderationStatuses.map((status) => (
            <option key={status} value={status}>
              {t(statusLabels[status])}
            </option>
          ))}
        </Select>
        <Button
          size="small"
          className="h-9 lg:hidden"
          aria-expanded={open}
          aria-controls="library-filters"
          onClick={() => setOpen(!open)}
        >
          <SlidersHorizontal aria-hidden="true" className="size-4" />
          {t("common.filters")}
        </Button>
        <div
          id="library-filters"
          className={clsx("flex flex-wrap items-center gap-2 lg:contents", !open && "max-lg:hidden")}
        >
          {applies("stars") && (
            <fieldset className="flex h-9 items-center rounded-control border border-edge bg-raised lg:h-8">
              <legend className="sr-only">{t("library.stars")}</legend>
              {scores.map((score) => (
                <label
                  key={score}
                  className="flex h-full min-w-9 cursor-pointer items-center justify-center gap-0.5 border-line px-2 text-sm not-first-of-type:border-l has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent has-focus-visible:outline-2"
                >
                  <input
                    type="checkbox"
                    name="stars"
                    value={score}
                    checked={filter.stars?.includes(String(score)) ?? false}
                    onChange={applyChoice}
                    aria-label={t("common.scoreOfStars", { score, of: 5 })}
                    className="sr-only"
                  />
                  <span aria-hidden="true">{score}★</span>
                </label>
              ))}
            </fieldset>
          )}
          {applies("product") && (
            <Input
              {...text("product")}
              maxLength={255}
              aria-label={t("common.productId")}
              placeholder={t("common.productId")}
              compact
              className="w-36"
            />
          )}
          {applies("brand") && (
            <SuggestedInput
              {...text("brand")}
              label={t("library.brand")}
              suggestions={brands}
              maxLength={255}
              className="w-32"
            />
          )}
          {applies("category") && (
            <SuggestedInput
              {...text("category")}
              label={t("library.category")}
              suggestions={categories}
              maxLength={255}
              className="w-32"
            />
          )}
          <Select
            aria-label={t("library.period")}
            value={days && !period ? "custom" : days}
            onChange={({ target }) => {
              const [from = "", to = ""] = target.value.split("/");
              apply(target.form, { from, to });
            }}
            compact
          >
            <option value="">{t("library.anyDate")}</option>
            {days && !period && <option value="custom">{t("library.customDates")}</option>}
            {periods.map(({ name, from, to }) => (
              <option key={name} value={`${from}/${to}`}>
                {name}
              </option>
            ))}
          </Select>
          <label htmlFor="library-from" className="flex items-center gap-1.5 text-sm text-muted">
            {t("common.from")}
            <Input id="library-from" type="date" {...text("from")} compact className="w-36 text-ink" />
          </label>
          <label htmlFor="library-to" className="flex items-center gap-1.5 text-sm text-muted">
            {t("common.to")}
            <Input id="library-to" type="date" {...text("to")} compact className="w-36 text-ink" />
          </label>
          <SourceSelect {...choice("source")} />
          <LanguageSelect {...choice("lang")} />
          {yesOrNo("photos", photoChoice, t("queue.photos"))}
          {applies("verified") && yesOrNo("verified", buyerChoice, t("library.buyer"))}
          {kind === "question"
            ? yesOrNo("reply", answerChoice, t("common.answer"))
            : yesOrNo("reply", replyChoice, t("library.reply"))}
          {applies("score_change") && (
            <Select {...choice("score_change")} aria-label={t("library.scoreChange")} compact>
              <option value="">{t("library.scoreChangeAny")}</option>
              {scoreChanges.map((change) => (
                <option key={change} value={change}>
                  {t(scoreChangeLabels[change])}
                </option>
              ))}
            </Select>
          )}
          {(filter.status === "rejected" || filter.reason) && <ReasonSelect {...choice("reason")} />}
          <Select {...choice("sort")} aria-label={t("library.sort")} compact>
            {librarySorts
              .filter((sort) => hasStars || sort === "newest" || sort === "oldest")
              .map((sort) => (
                <option key={sort} value={sort}>
                  {t(sortLabels[sort])}
                </option>
              ))}
          </Select>
          <Button type="submit" size="small" className="h-9 lg:h-8">
            {t("common.applyFilter")}
          </Button>
        </div>
        {hasConditions(filter) && (
          <Link
            href={`${path}?${new URLSearchParams({ ...(clientId && { client_id: clientId }), ...(kind !== "review" && { kind }) })}`}
            className={buttonClass({ variant: "quiet", size: "small" })}
          >
            <X aria-hidden="true" className="size-3.5" />
            {t("queue.clearFilters")}
          </Link>
        )}
      </form>
    </search>
  );
}
