"use client";

import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ChangeEvent, useOptimistic, useTransition } from "react";
import { useTranslations } from "#messages";
import { comparisonLabels, periodLabel, starsLabel } from "@/components/insights/analytics/labels";
import { LanguageSelect, SourceSelect } from "@/components/moderation/filter-selects";
import { Button, buttonClass } from "@/components/ui/button";
import { Input, Select } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { SuggestedInput } from "@/components/ui/suggested-input";
import type { DayRange } from "@/lib/insights/analytics/rules";
import type { AnalyticsQuery } from "@/lib/insights/analytics/schema";
import { comparisons, periods } from "@/lib/insights/analytics/values";

type Props = {
  path: string;
  clientId: string | undefined;
  query: AnalyticsQuery;
  range: DayRange;
  /** of the catalog, to select from */
  brands: string[];
  categories: string[];
  /** the page without filters; null if it has none */
  clearHref: string | null;
};

type Choice = "period" | "compare" | "stars" | "source" | "lang";

/** Choices of scores. */
const stars = ["5", "4", "3", "2", "1", "45", "12"];

/** Period, comparison and filters as a GET form. A choice applies at once, typed text with Enter or the button. */
export function AnalyticsFilters({ path, clientId, query, range, brands, categories, clearHref }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  // A choice shows while its page is loading.
  const [shown, show] = useOptimistic<Partial<Record<Choice, string>>, Record<string, string>>(
    query,
    (before, chosen) => ({ ...before, ...chosen }),
  );
  const apply = (form: HTMLFormElement) => {
    const fields = [...new FormData(form)].map(([name, value]): [string, string] => [name, String(value).trim()]);
    startTransition(() => {
      show(Object.fromEntries(fields));
      router.push(`${path}?${new URLSearchParams(fields.filter(([, value]) => value !== ""))}`);
    });
  };
  const choice = (name: Choice) => ({
    name,
    value: shown[name] ?? "",
    onChange: ({ target }: ChangeEvent<HTMLSelectElement>) => target.form && apply(target.form),
  });
  const chosenStars = shown.stars && !stars.includes(shown.stars) ? [shown.stars, ...stars] : stars;
  return (
    <search>
      <form
        action={path}
        aria-busy={pending}
        className="mb-5 flex flex-wrap items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          apply(event.currentTarget);
        }}
      >
        {clientId !== undefined && <input type="hidden" name="client_id" value={clientId} />}
        <input type="hidden" name="by" value={query.by} />
        <input type="hidden" name="sort" value={query.sort} />
        <input type="hidden" name="dir" value={query.dir} />
        <Select {...choice("period")} aria-label={t("analytics.period")} compact>
          {periods.map((period) => (
            <option key={period} value={period}>
              {periodLabel(period, t)}
            </option>
          ))}
        </Select>
        {query.period === "custom" && (
          <>
            <Input
              key={`from ${range.from}`}
              name="from"
              defaultValue={range.from}
              type="date"
              aria-label={t("common.from")}
              compact
              className="w-36"
            />
            <Input
              key={`to ${range.to}`}
              name="to"
              defaultValue={range.to}
              type="date"
              aria-label={t("common.to")}
              compact
              className="w-36"
            />
          </>
        )}
        <Select {...choice("compare")} aria-label={t("analytics.compare")} compact>
          {comparisons.map((comparison) => (
            <option key={comparison} value={comparison}>
              {t(comparisonLabels[comparison])}
            </option>
          ))}
        </Select>
        <Select {...choice("stars")} aria-label={t("library.stars")} compact>
          <option value="">{t("analytics.anyStars")}</option>
          {chosenStars.map((value) => (
            <option key={value} value={value}>
              {starsLabel(value)}
            </option>
          ))}
        </Select>
        <SourceSelect {...choice("source")} />
        <LanguageSelect {...choice("lang")} />
        {/* Typed fields are new ones if their value in the address changes. */}
        <SuggestedInput
          key={`brand ${query.brand}`}
          name="brand"
          defaultValue={query.brand}
          label={t("library.brand")}
          suggestions={brands}
          maxLength={255}
          className="w-36"
        />
        <SuggestedInput
          key={`category ${query.category}`}
          name="category"
          defaultValue={query.category}
          label={t("library.category")}
          suggestions={categories}
          maxLength={255}
          className="w-36"
        />
        <Input
          key={`product ${query.product}`}
          name="product"
          defaultValue={query.product}
          maxLength={255}
          aria-label={t("common.productId")}
          placeholder={t("common.productId")}
          compact
          className="w-36"
        />
        <Button type="submit" size="small" className="h-9 lg:h-8">
          {t("common.applyFilter")}
        </Button>
        {clearHref !== null && (
          <Link href={clearHref} className={buttonClass({ variant: "quiet", size: "small" })}>
            <X aria-hidden="true" className="size-3.5" />
            {t("queue.clearFilters")}
          </Link>
        )}
      </form>
    </search>
  );
}
