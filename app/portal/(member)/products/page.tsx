import clsx from "clsx";
import { Package, SearchX } from "lucide-react";
import { orNotFound, param, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { CatalogTable } from "@/components/catalog/catalog-table";
import { ExternalsDialog } from "@/components/catalog/externals-dialog";
import { PageHead } from "@/components/portal/page-head";
import { SearchForm } from "@/components/portal/search-form";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { segmentClass, segmentsClass } from "@/components/ui/segments";
import { hasRole } from "@/lib/accounts/actor";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { listPortalProducts } from "@/lib/catalog/products/list-portal-products";

export const generateMetadata = () => titleMetadata("navigation.products");

const path = "/portal/products";
const states = [
  ["common.all", undefined],
  ["products.active", "sold"],
  ["products.removed", "deleted"],
] as const;

export default async function ProductsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const search = await searchParams;
  const { actor, client, clientId } = await requireMember({ path, search });
  const q = param(search, "q")?.replaceAll("\0", "").trim().slice(0, 320) || undefined;
  const family = param(search, "family")?.replaceAll("\0", "") || undefined;
  const state = states.find(([, value]) => value === param(search, "state"))?.[1];
  const sort = param(search, "sort") === "descending" ? "descending" : undefined;
  const after = param(search, "after");
  const { products, next } = await orNotFound(
    listPortalProducts(client, { q, family, state, after, descending: sort === "descending" }),
  );
  const link = (query: Record<string, string | undefined>) =>
    pathWithQuery(path, { client_id: clientId, q, family, state, sort, ...query });
  const all = pathWithQuery(path, { client_id: clientId });
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <PageHead
        title={family === undefined ? t("navigation.products") : t("products.familyTitle", { family })}
        tools={
          <span className="flex flex-wrap gap-2">
            <SearchForm
              action={path}
              name="q"
              label={t("products.searchLabel")}
              value={q}
              hiddenFields={{ client_id: clientId, state, sort }}
            />
            {hasRole(actor.role, "admin") && <ExternalsDialog clientId={client.id} />}
          </span>
        }
      >
        {family === undefined ? t("products.intro") : t("products.introFamily")}
      </PageHead>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <nav aria-label={t("products.filter")} className={clsx(segmentsClass, "flex")}>
          {states.map(([name, value]) => (
            <Link
              key={name}
              href={link({ state: value })}
              aria-current={state === value ? "page" : undefined}
              className={segmentClass}
            >
              {t(name)}
            </Link>
          ))}
        </nav>
        {products.length > 0 && (family !== undefined || q !== undefined) && (
          <Link href={all} className="link text-sm">
            {t("products.allProducts")}
          </Link>
        )}
      </div>
      {products.length > 0 ? (
        <CatalogTable
          products={products}
          sorting={{
            current: sort ?? "ascending",
            href: link({ sort: sort === undefined ? "descending" : undefined }),
          }}
          href={(id) => pathWithQuery(`${path}/${encodeURIComponent(id)}`, { client_id: clientId })}
        />
      ) : q !== undefined || family !== undefined || state !== undefined || after !== undefined ? (
        <EmptyState
          icon={<SearchX aria-hidden="true" />}
          title={next ? t("products.noResultsSoFar") : t("products.noResultsTitle")}
          action={
            <Link href={all} className={buttonClass()}>
              {t("products.showAll")}
            </Link>
          }
        >
          {next ? t("products.searchMoreHint") : t("products.searchHint")}
        </EmptyState>
      ) : (
        <EmptyState
          icon={<Package aria-hidden="true" />}
          title={t("products.emptyTitle")}
          action={
            <Link
              href={pathWithQuery("/portal/feeds", { client_id: clientId })}
              className={buttonClass({ variant: "primary" })}
            >
              {t("common.addFeed")}
            </Link>
          }
        >
          {t("products.emptyText")}
        </EmptyState>
      )}
      {next && (
        <p className="mt-4 text-center">
          <Link href={link({ after: next })} className={buttonClass()}>
            {q === undefined ? t("products.nextProducts") : t("products.continueSearch")}
          </Link>
        </p>
      )}
    </div>
  );
}
