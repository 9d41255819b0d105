"use client";

import { X } from "lucide-react";
import Form from "next/form";
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
  fields: AnalyticsQuery;
  range: DayRange;
  /** of the catalog, to choose from */
  brands: string[];
  categories: string[];
  /** where no filter applies */
  clearHref: string | null;
};

/** Choices of scores. */
const stars = ["5", "4", "3", "2", "1", "45", "12"];

/** Period, comparison and filters as a GET form. A choice applies at once, typed text with Enter or the button. */
export function AnalyticsFilters({ path, clientId, fields, range, brands, categories, clearHref }: Props) {
  const t = useTranslations();
  const submit = (select: HTMLSelectElement) => select.form?.requestSubmit();
  const isCustom = fields.period === "custom";
  const chosenStars = fields.stars && !stars.includes(fields.stars) ? [fields.stars, ...stars] : stars;
  return (
    <search>
      {/* Each address has its own form, so the fields show its filter. */}
      <Form key={JSON.stringify(fields)} action={path} className="mb-5 flex flex-wrap items-center gap-2">
        {clientId !== undefined && <input type="hidden" name="client_id" value={clientId} />}
        <input type="hidden" name="by" value={fields.by} />
        <input type="hidden" name="sort" value={fields.sort} />
        <input type="hidden" name="dir" value={fields.dir} />
        <Select
          name="period"
          defaultValue={fields.period}
          aria-label={t("analytics.period")}
          onChange={(event) => submit(event.target)}
          compact
        >
          {periods.map((period) => (
            <option key={period} value={period}>
              {periodLabel(period, t)}
            </option>
          ))}
        </Select>
        {isCustom && (
          <>
            <Input
              type="date"
              name="from"
              defaultValue={range.from}
              aria-label={t("common.from")}
              compact
              className="w-36"
            />
            <Input type="date" name="to" defaultValue={range.to} aria-label={t("common.to")} compact className="w-36" />
          </>
        )}
        <Select
          name="compare"
          defaultValue={fields.compare}
          aria-label={t("analytics.compare")}
          onChange={(event) => submit(event.target)}
          compact
        >
          {comparisons.map((comparison) => (
            <option key={comparison} value={comparison}>
              {t(comparisonLabels[comparison])}
            </option>
          ))}
        </Select>
        <Select
          name="stars"
          defaultValue={fields.stars ?? ""}
          aria-label={t("library.stars")}
          onChange={(event) => submit(event.target)}
          compact
        >
          <option value="">{t("analytics.anyStars")}</option>
          {chosenStars.map((value) => (
            <option key={value} value={value}>
              {starsLabel(value)}
            </option>
          ))}
        </Select>
        <SourceSelect name="source" defaultValue={fields.source ?? ""} onChange={(event) => submit(event.target)} />
        <LanguageSelect name="lang" defaultValue={fields.lang ?? ""} onChange={(event) => submit(event.target)} />
        <SuggestedInput
          name="brand"
          defaultValue={fields.brand}
          label={t("library.brand")}
          suggestions={brands}
          maxLength={255}
          className="w-36"
        />
        <SuggestedInput
          name="category"
          defaultValue={fields.category}
          label={t("library.category")}
          suggestions={categories}
          maxLength={255}
          className="w-36"
        />
        <Input
          name="product"
          defaultValue={fields.product}
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
      </Form>
    </search>
  );
}
