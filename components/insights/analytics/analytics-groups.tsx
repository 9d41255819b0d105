import clsx from "clsx";
import { ArrowDown, ArrowUp, Download } from "lucide-react";
import { useTranslations } from "#messages";
import { nameOfKey } from "@/components/insights/analytics/format";
import { averageText, ChangeText } from "@/components/insights/change";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { segmentClass, segmentsClass } from "@/components/ui/segments";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import type {
  Analytics,
  AnalyticsFilter,
  AnalyticsQuery,
  Dimension,
  KeyFigures,
} from "@/lib/insights/analytics/schema";
import { dimensions, MIN_COMPARED_REVIEWS, type sorts } from "@/lib/insights/analytics/values";
import { formatCount } from "@/lib/platform/i18n/format";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";

type Props = {
  analytics: Pick<Analytics, "rows" | "moreRows" | "compared">;
  query: AnalyticsQuery;
  /** the page with some parameters changed */
  href: (changed: Partial<AnalyticsQuery>) => string;
  /** the list of these reviews, with a further filter */
  listHref: (filter: AnalyticsFilter & { status?: string }) => string;
  csvHref: string;
};

type Sort = (typeof sorts)[number];

/** The tabs that group reviews. */
const dimensionLabels: Record<Dimension, MessageKey> = {
  product: "navigation.products",
  family: "analytics.families",
  brand: "analytics.brands",
  category: "analytics.categories",
  language: "analytics.languages",
  source: "analytics.sources",
  rating: "analytics.byRating",
};

/** The first column of the groups. */
const columnLabels: Record<Dimension, MessageKey> = {
  product: "common.product",
  family: "products.family",
  brand: "products.brand",
  category: "products.category",
  language: "common.language",
  source: "queue.source",
  rating: "analytics.rating",
};

const tableLabels: Record<Dimension, MessageKey> = {
  product: "analytics.reviewsByProduct",
  family: "analytics.reviewsByFamily",
  brand: "analytics.reviewsByBrand",
  category: "analytics.reviewsByCategory",
  language: "analytics.reviewsByLanguage",
  source: "analytics.reviewsBySource",
  rating: "analytics.reviewsByRating",
};

/** The filter that a group's reviews have; null: none has. */
const filterOf = (by: AnalyticsQuery["by"], key: string | null): AnalyticsFilter | null => {
  if (key === null) return null;
  if (by === "language") return { lang: key };
  if (by === "rating") return { stars: key };
  return { [by === "family" ? "product" : by]: key };
};

/** Names of languages and sources are only known here, so the database sorts these groups by code. */
function inOrder(rows: KeyFigures[], { by, sort, dir }: AnalyticsQuery, t: Translate): KeyFigures[] {
  if (sort !== "name" || (by !== "language" && by !== "source")) return rows;
  const name = ({ key }: KeyFigures) => nameOfKey(by, key, null, t);
  return rows.toSorted((a, b) => name(a).localeCompare(name(b), t.language) * (dir === "asc" ? 1 : -1));
}

/** Reviews by product, brand and so on: each group leads to its figures, each number to its reviews. */
export function AnalyticsGroups({ analytics: { rows, moreRows, compared }, query, href, listHref, csvHref }: Props) {
  const t = useTranslations();
  const { by } = query;
  const columns: [Sort, MessageKey][] = [
    ["received", "queue.received"],
    ["published", "queue.published"],
    ["rejected", "common.rejected"],
    ["pending", "common.pending"],
    ["average", "products.average"],
    ...(compared ? [["change", "analytics.change"] satisfies [Sort, MessageKey]] : []),
  ];
  const head = (sort: Sort, label: MessageKey) => {
    const isSorted = query.sort === sort;
    const first = sort === "name" ? "asc" : "desc";
    const Arrow = query.dir === "desc" ? ArrowDown : ArrowUp;
    return (
      <Head
        key={sort}
        aria-sort={isSorted ? (query.dir === "desc" ? "descending" : "ascending") : "none"}
        className={sort === "name" ? "" : "text-right"}
      >
        <Link
          href={href({ sort, dir: isSorted ? (query.dir === "desc" ? "asc" : "desc") : first })}
          scroll={false}
          className="inline-flex items-center gap-1 hover:text-ink"
        >
          {t(label)}
          {isSorted && <Arrow aria-hidden="true" className="size-3" />}
        </Link>
      </Head>
    );
  };
  const count = (row: KeyFigures, value: number, status?: string) => {
    const filter = filterOf(by, row.key);
    const text = formatCount(value, t.language);
    if (filter === null || value === 0) return text;
    return (
      <Link className="link" href={listHref({ ...filter, ...(status && { status }) })}>
        {text}
      </Link>
    );
  };
  return (
    <div>
      <h2 className="sr-only">{t(tableLabels[by])}</h2>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <nav aria-label={t("analytics.groupBy")} className={clsx(segmentsClass, "flex flex-wrap")}>
          {dimensions.map((dimension) => (
            <Link
              key={dimension}
              href={href({ by: dimension })}
              scroll={false}
              aria-current={by === dimension ? "page" : undefined}
              className={segmentClass}
            >
              {t(dimensionLabels[dimension])}
            </Link>
          ))}
        </nav>
        <a href={csvHref} download className={buttonClass({ size: "small" })}>
          <Download aria-hidden="true" className="size-3.5" />
          {t("common.exportCsv")}
        </a>
      </div>
      <Table caption={t(tableLabels[by])} stacks>
        <Heads>
          {head("name", columnLabels[by])}
          {columns.map(([sort, label]) => head(sort, label))}
        </Heads>
        <Rows>
          {inOrder(rows, query, t).map((row, index) => {
            const filter = filterOf(by, row.key);
            const name = nameOfKey(by, row.key, row.name, t);
            return (
              <Row key={row.key ?? `none ${index}`}>
                <Cell className="min-w-40">
                  {filter === null ? (
                    <span className="font-medium">{name}</span>
                  ) : (
                    <Link className="font-medium hover:underline" href={href(filter)}>
                      {name}
                    </Link>
                  )}
                  {(by === "product" || by === "family") && row.key !== null && row.name !== null && (
                    <span className="block text-muted">{row.key}</span>
                  )}
                </Cell>
                <Cell label={t("queue.received")} className="figures text-right">
                  {count(row, row.received)}
                </Cell>
                <Cell label={t("queue.published")} className="figures text-right">
                  {count(row, row.published, "accepted")}
                </Cell>
                <Cell label={t("common.rejected")} className="figures text-right">
                  {count(row, row.rejected, "rejected")}
                </Cell>
                <Cell label={t("common.pending")} className="figures text-right">
                  {count(row, row.pending, "pending")}
                </Cell>
                <Cell label={t("products.average")} className="figures text-right">
                  {row.average === null ? "–" : averageText(row.average, t)}
                </Cell>
                {compared && (
                  <Cell label={t("analytics.change")} className="text-right [&_span]:justify-end">
                    {row.average_before === null ? (
                      <span className="text-muted">–</span>
                    ) : (
                      <ChangeText value={row.average} before={row.average_before} kind="average" better="up" />
                    )}
                  </Cell>
                )}
              </Row>
            );
          })}
        </Rows>
      </Table>
      {moreRows && <p className="mt-2 text-sm text-muted">{t("analytics.firstHundred")}</p>}
      {compared && (
        <p className="mt-2 text-sm text-muted">{t("analytics.changeHint", { count: MIN_COMPARED_REVIEWS })}</p>
      )}
    </div>
  );
}
