import { ExternalLink } from "lucide-react";
import { cache, type ReactNode } from "react";
import { decodeSegment, orNotFound, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { ProductImage } from "@/components/catalog/product-image";
import { ScoreBars } from "@/components/catalog/score-bars";
import { Breadcrumbs } from "@/components/portal/breadcrumbs";
import { PageHead } from "@/components/portal/page-head";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { countTicks } from "@/components/ui/chart-ticks";
import { CopyButton } from "@/components/ui/copy-text";
import { formatAverage } from "@/components/ui/format-average";
import { Link } from "@/components/ui/link";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import { TimeChart } from "@/components/ui/time-chart";
import { namedMetadata, translations } from "@/lib/accounts/language/request-language";
import { getProductPage } from "@/lib/catalog/products/get-product-page";
import { formatCount, formatDay, formatMonth } from "@/lib/platform/i18n/format";

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> };

const loadProductPage = cache(getProductPage);

export const generateMetadata = ({ params, searchParams }: Props) =>
  namedMetadata("navigation.products", async () => {
    const { client } = await requireMember({ path: "/portal/products", search: await searchParams });
    return (await loadProductPage(client, decodeSegment((await params).id))).product.name;
  });

const card = "rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5";

export default async function ProductPage({ params, searchParams }: Props) {
  const t = await translations();
  const id = decodeSegment((await params).id);
  const path = `/portal/products/${encodeURIComponent(id)}`;
  const { client, clientId } = await requireMember({ path, search: await searchParams });
  const page = await orNotFound(loadProductPage(client, id));
  const { product, own, family, variants, totals, months, since } = page;
  const link = (path: string, query: Record<string, string> = {}) =>
    pathWithQuery(path, { client_id: clientId, ...query });
  const isInFamily = product.family_id !== product.id || variants.length > 1;
  const hasFamilyRating = isInFamily && family.your_review_count > 0;
  // Without other sites it's the average of the reviews.
  const hasOverallRating = own.score !== null && totals.length > 0;
  const decimal = (value: number | null | undefined): string => (value == null ? "" : formatAverage(value, t.language));
  const columns = months.map(({ month }) => ({ name: formatMonth(month, t.language), day: `${month}-01` }));
  const monthsWithReviews = months.filter(({ count }) => count > 0);
  const copyable = (id: string, label: string) => (
    <>
      {id} <CopyButton text={id} label={label} />
    </>
  );
  const facts: [string, ReactNode][] = [
    [t("common.id"), copyable(product.id, t("common.productId"))],
    [t("products.family"), isInFamily ? copyable(product.family_id, t("products.family")) : null],
    [t("products.brand"), product.brand],
    [t("products.category"), product.category],
    ["GTIN", product.gtin14s.join(", ") || null],
    [t("products.partNumber"), product.mpn],
    [t("products.tags"), product.tags.join(", ") || null],
    ...Object.entries(product.properties).slice(0, 12),
  ];
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <Breadcrumbs
        trail={[{ name: t("navigation.products"), href: link("/portal/products") }]}
        current={product.name}
      />
      <PageHead
        title={product.name}
        tools={
          <span className="flex flex-wrap gap-2">
            <Link href={link("/portal/library", { product: product.family_id })} className={buttonClass()}>
              {isInFamily ? t("products.viewFamilyReviews") : t("products.viewReviews")}
            </Link>
            <Link href={link("/portal/invitations", { product: product.id })} className={buttonClass()}>
              {t("products.viewInvitations")}
            </Link>
          </span>
        }
      />
      <div className="flex flex-col gap-6">
        <section aria-label={t("products.details")} className={`${card} flex flex-wrap gap-5`}>
          <ProductImage src={product.image_url} large />
          <dl className="grid min-w-0 flex-1 basis-64 grid-cols-[auto_1fr] content-start gap-x-5 gap-y-1 text-sm">
            {facts.map(
              ([name, value]) =>
                value !== null && (
                  <div key={name} className="contents">
                    <dt className="text-muted">{name}</dt>
                    <dd className="break-words">{value}</dd>
                  </div>
                ),
            )}
          </dl>
          <span className="flex flex-col items-end gap-2">
            {product.deleted && <Badge tone="warn">{t("products.removed")}</Badge>}
            {product.url && (
              <a href={product.url} rel="noreferrer" className="link inline-flex items-center gap-1.5 text-sm">
                {t("products.viewInStore")}
                <ExternalLink aria-hidden="true" className="size-3.5" />
              </a>
            )}
          </span>
        </section>
        <div className="grid gap-6 lg:grid-cols-2">
          <section aria-labelledby="rating" className={card}>
            <h2 id="rating" className="font-semibold">
              {t("products.reviewsTitle")}
            </h2>
            {own.your_review_count > 0 ? (
              <>
                <p className="mt-3 mb-4 flex flex-wrap items-end gap-x-4 gap-y-1">
                  <span className="figures text-3xl font-semibold">{decimal(own.your_avg_score)}</span>
                  <span className="figures pb-1 text-sm text-muted">
                    {t("products.ratingBasis", {
                      n: own.your_review_count,
                    })}
                  </span>
                </p>
                <ScoreBars dist={own.your_score_dist} />
              </>
            ) : (
              <p className="mt-2 text-sm text-muted">{t("products.noReviews")}</p>
            )}
            {(hasOverallRating || hasFamilyRating) && (
              <p className="mt-4 border-t border-line pt-3 text-sm text-muted">
                {hasOverallRating &&
                  t.rich("products.overallRating", {
                    score: (
                      <span className="figures font-medium text-ink">
                        {t("products.scoreOfTen", { score: own.score ?? 0 })}
                      </span>
                    ),
                  })}{" "}
                {hasFamilyRating &&
                  t.rich("products.familyRating", {
                    reviews: (
                      <span className="figures font-medium text-ink">
                        {t("products.reviewsAverage", {
                          n: family.your_review_count,
                          average: decimal(family.your_avg_score),
                        })}
                      </span>
                    ),
                  })}
              </p>
            )}
          </section>
          <section aria-labelledby="months" className={card}>
            <h2 id="months" className="mb-3 font-semibold">
              {t("products.lastTwoYears")}
            </h2>
            {since !== null && (
              <p className="mb-3 text-sm text-muted">
                {t("products.moreThanCounted", {
                  day: formatDay(since, t.language),
                })}
              </p>
            )}
            {monthsWithReviews.length > 0 ? (
              <div className="flex flex-col gap-5">
                <div>
                  <p className="mb-2 text-sm text-muted">{t("products.reviewsPerMonth")}</p>
                  <TimeChart
                    label={t("products.reviewsPerMonth")}
                    kind="bars"
                    columns={columns}
                    columnsName={t("charts.month")}
                    series={[
                      {
                        name: t("products.reviewsPerMonth"),
                        tone: "muted",
                        values: months.map(({ count }) => count),
                        texts: months.map(({ count }) => formatCount(count, t.language)),
                      },
                    ]}
                    ticks={countTicks(Math.max(...months.map(({ count }) => count))).map((value) => ({
                      value,
                      text: formatCount(value, t.language),
                    }))}
                    fileName="reviews.csv"
                  />
                </div>
                <div>
                  <p className="mb-2 text-sm text-muted">{t("products.averagePerMonth")}</p>
                  <TimeChart
                    label={t("products.averageByMonth")}
                    kind="lines"
                    columns={columns}
                    columnsName={t("charts.month")}
                    series={[
                      {
                        name: t("products.averageByMonth"),
                        tone: "accent",
                        values: months.map(({ average }) => average),
                        texts: months.map(({ average }) => decimal(average) || "–"),
                      },
                    ]}
                    ticks={[1, 3, 5].map((value) => ({ value, text: decimal(value) }))}
                    fileName="ratings.csv"
                  />
                </div>
              </div>
            ) : (
              <p className="text-sm text-muted">{t("products.noReviewsInPeriod")}</p>
            )}
          </section>
        </div>
        {variants.length > 1 && (
          <section aria-labelledby="variants">
            <h2 id="variants" className="mb-2 font-semibold">
              {t("products.familyHeading", { family: product.family_id })}
            </h2>
            <Table caption={t("products.variants")}>
              <Heads>
                <Head>{t("products.variant")}</Head>
                <Head className="text-right">{t("common.reviews")}</Head>
                <Head className="text-right">{t("products.average")}</Head>
              </Heads>
              <Rows>
                {variants.map((variant) => (
                  <Row key={variant.id}>
                    <Cell>
                      {variant.id === product.id ? (
                        <span className="font-medium">{t("products.thisProduct", { name: variant.name })}</span>
                      ) : (
                        <Link
                          className="font-medium hover:underline"
                          href={link(`/portal/products/${encodeURIComponent(variant.id)}`)}
                        >
                          {variant.name}
                        </Link>
                      )}
                      <span className="block text-muted">
                        {variant.deleted ? t("products.variantRemoved", { id: variant.id }) : variant.id}
                      </span>
                    </Cell>
                    <Cell className="figures text-right">{variant.count.toLocaleString(t.language)}</Cell>
                    <Cell className="figures text-right">
                      {variant.count > 0 ? decimal(variant.sum / variant.count) : ""}
                    </Cell>
                  </Row>
                ))}
              </Rows>
            </Table>
            {page.moreVariants && (
              <p className="mt-2 text-sm">
                <Link className="link" href={link("/portal/products", { family: product.family_id })}>
                  {t("products.viewFamily")}
                </Link>
              </p>
            )}
          </section>
        )}
        {totals.length > 0 && (
          <section aria-labelledby="totals">
            <h2 id="totals" className="mb-2 font-semibold">
              {t("products.externalRatings")}
            </h2>
            <Table caption={t("common.externalRatings")}>
              <Heads>
                <Head>{t("products.site")}</Head>
                <Head>{t("products.reviewers")}</Head>
                <Head>{t("products.localeCountry")}</Head>
                <Head className="text-right">{t("common.reviews")}</Head>
                <Head className="text-right">{t("products.starDistribution")}</Head>
              </Heads>
              <Rows>
                {totals.map((total) => (
                  <Row key={`${total.kind} ${total.source} ${total.locale} ${total.country}`}>
                    <Cell>
                      {total.url ? (
                        <a className="link" href={total.url} rel="noreferrer">
                          {total.source}
                        </a>
                      ) : (
                        total.source
                      )}
                    </Cell>
                    <Cell>{total.kind === "pro" ? t("products.experts") : t("products.customers")}</Cell>
                    <Cell className="text-muted">
                      {[total.locale, total.country].filter(Boolean).join(", ") || t("products.all")}
                    </Cell>
                    <Cell className="figures text-right">{total.count.toLocaleString(t.language)}</Cell>
                    <Cell className="figures text-right text-muted">
                      {total.score_dist.some((count) => count > 0)
                        ? total.score_dist.join(" · ")
                        : t("products.unknown")}
                    </Cell>
                  </Row>
                ))}
              </Rows>
            </Table>
          </section>
        )}
      </div>
    </div>
  );
}
