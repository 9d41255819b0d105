"use client";

import clsx from "clsx";
import { Search, SlidersHorizontal, X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState, useTransition } from "react";
import { useTranslations } from "#messages";
import { languageLabel, languages, languagesByName, sourceLabels, statusLabels } from "@/components/moderation/labels";
import {
  answerChoice,
  buyerChoice,
  photoChoice,
  replyChoice,
  scoreChangeLabels,
  sortLabels,
} from "@/components/moderation/library/labels";
import { reasonLabel } from "@/components/moderation/reject-reasons";
import { Button, buttonClass } from "@/components/ui/button";
import { Input, Select } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import {
  appliesTo,
  hasConditions,
  type LibraryFilter,
  libraryQuery,
  librarySorts,
  readLibraryFilter,
  scoreChanges,
} from "@/lib/moderation/library/values";
import { reviewSources } from "@/lib/moderation/queue/values";
import { moderationStatuses, rejectReasons } from "@/lib/reviews/decisions/schema";

type Props = {
  path: string;
  clientId: string | undefined;
  filter: LibraryFilter;
  /** brands of the catalog, to choose from */
  brands: string[];
};

const scores = [1, 2, 3, 4, 5] as const;

/** The filter in the form's fields, as in an address. */
function filterOf(fields: HTMLFormElement): URLSearchParams {
  const data = new FormData(fields);
  return libraryQuery(readLibraryFilter((name) => data.getAll(name).join("").trim() || null));
}

/**
 * The list's filters as a GET form: a filter has an address. A choice applies at once, typed text when its field
 * is left or with Enter.
 */
export function LibraryFilters({ path, clientId, filter, brands }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const form = useRef<HTMLFormElement>(null);
  const current = libraryQuery(filter).toString();
  // The fields keep their own values, and focus, while they are the filter; a view, a link or Back render new ones.
  const [version, setVersion] = useState(0);
  const requested = useRef(current);
  useEffect(() => {
    const isOwn = requested.current === current;
    requested.current = current;
    // After a choice here, more may have been typed meanwhile.
    if (!isOwn && form.current && filterOf(form.current).toString() !== current) setVersion((before) => before + 1);
  }, [current]);
  // On phones most filters are behind a button.
  const [open, setOpen] = useState(false);
  const { kind } = filter;
  const applies = (name: keyof LibraryFilter) => appliesTo(kind, name);
  // Another navigation may have taken the place of the requested one.
  useEffect(() => {
    if (!pending) requested.current = current;
  }, [pending, current]);
  const apply = (fields: HTMLFormElement) => {
    const query = filterOf(fields);
    // Leaving a field after a choice in it: that choice is on its way.
    if (query.toString() === requested.current) return;
    requested.current = query.toString();
    if (clientId) query.set("client_id", clientId);
    startTransition(() => router.push(`${path}?${query}`));
  };
  const yesOrNo = (name: "photos" | "verified" | "reply", choice: typeof photoChoice, label: string) => (
    <Select name={name} defaultValue={filter[name] ?? ""} aria-label={label} compact>
      <option value="">{t(choice.any)}</option>
      <option value="1">{t(choice["1"])}</option>
      <option value="0">{t(choice["0"])}</option>
    </Select>
  );
  return (
    <search>
      <form
        key={version}
        ref={form}
        action={path}
        aria-busy={pending}
        className="mb-4 flex flex-wrap items-center gap-2"
        onChange={(event) => {
          const { type } = event.target as unknown as HTMLInputElement;
          if (type === "select-one" || type === "checkbox") apply(event.currentTarget);
        }}
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
            name="q"
            defaultValue={filter.q}
            maxLength={320}
            aria-label={t("library.searchLabel")}
            placeholder={t("library.searchPlaceholder")}
            compact
            className="w-full pl-8"
          />
        </div>
        <Select name="status" defaultValue={filter.status ?? ""} aria-label={t("queue.status")} compact>
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
                    defaultChecked={filter.stars?.includes(String(score)) ?? false}
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
              name="product"
              defaultValue={filter.product}
              maxLength={255}
              aria-label={t("library.product")}
              placeholder={t("library.product")}
              compact
              className="w-36"
            />
          )}
          {applies("brand") && (
            <>
              <Input
                name="brand"
                list="library-brands"
                defaultValue={filter.brand}
                maxLength={255}
                aria-label={t("library.brand")}
                placeholder={t("library.brand")}
                compact
                className="w-32"
              />
              <datalist id="library-brands">
                {brands.map((brand) => (
                  <option key={brand} value={brand} />
                ))}
              </datalist>
            </>
          )}
          <label htmlFor="library-from" className="flex items-center gap-1.5 text-sm text-muted">
            {t("common.from")}
            <Input
              id="library-from"
              type="date"
              name="from"
              defaultValue={filter.from}
              compact
              className="w-36 text-ink"
            />
          </label>
          <label htmlFor="library-to" className="flex items-center gap-1.5 text-sm text-muted">
            {t("common.to")}
            <Input id="library-to" type="date" name="to" defaultValue={filter.to} compact className="w-36 text-ink" />
          </label>
          <Select name="source" defaultValue={filter.source ?? ""} aria-label={t("queue.source")} compact>
            <option value="">{t("queue.anySource")}</option>
            {reviewSources.map((source) => (
              <option key={source} value={source}>
                {t(sourceLabels[source])}
              </option>
            ))}
          </Select>
          <Select
            name="lang"
            defaultValue={filter.lang ?? ""}
            aria-label={t("common.language")}
            compact
            className="max-w-36"
          >
            <option value="">{t("queue.anyLanguage")}</option>
            {filter.lang && !languages.includes(filter.lang) && (
              <option value={filter.lang}>{languageLabel(filter.lang, t.language)}</option>
            )}
            {languagesByName(t.language).map((code) => (
              <option key={code} value={code}>
                {languageLabel(code, t.language)}
              </option>
            ))}
          </Select>
          {yesOrNo("photos", photoChoice, t("queue.photos"))}
          {applies("verified") && yesOrNo("verified", buyerChoice, t("library.buyer"))}
          {kind === "question"
            ? yesOrNo("reply", answerChoice, t("common.answer"))
            : yesOrNo("reply", replyChoice, t("library.reply"))}
          {applies("score_change") && (
            <Select
              name="score_change"
              defaultValue={filter.score_change ?? ""}
              aria-label={t("library.scoreChange")}
              compact
            >
              <option value="">{t("library.scoreChangeAny")}</option>
              {scoreChanges.map((change) => (
                <option key={change} value={change}>
                  {t(scoreChangeLabels[change])}
                </option>
              ))}
            </Select>
          )}
          {(filter.status === "rejected" || filter.reason) && (
            <Select
              name="reason"
              defaultValue={filter.reason ?? ""}
              aria-label={t("queue.reason")}
              compact
              className="max-w-44"
            >
              <option value="">{t("queue.anyReason")}</option>
              {rejectReasons.map((reason) => (
                <option key={reason} value={reason}>
                  {reasonLabel(reason, t)}
                </option>
              ))}
            </Select>
          )}
          <Select name="sort" defaultValue={filter.sort} aria-label={t("library.sort")} compact>
            {librarySorts
              .filter((sort) => kind !== "question" || sort === "newest" || sort === "oldest")
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
