import { Package, SearchX } from "lucide-react";
import { address, found, param, requireMember, type Search } from "@/app/_guard";
import { CatalogueTable } from "@/components/catalog/catalogue-table";
import { ExternalsDialog } from "@/components/catalog/externals-dialog";
import { PageHead } from "@/components/portal/page-head";
import { SearchForm } from "@/components/portal/search-form";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { hasRole } from "@/lib/accounts/actor";
import { titled, words } from "@/lib/accounts/sign-in/language-of-request";
import { listCatalogue } from "@/lib/catalog/products/list-catalogue";

export const generateMetadata = () => titled("Products");

const path = "/portal/products";
const states = [
  ["All", undefined],
  ["In the feed", "sold"],
  ["Left the feed", "deleted"],
] as const;

export default async function ProductsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await words();
  const search = await searchParams;
  const { actor, client, clientId } = await requireMember({ here: path, search });
  const q = param(search, "q")?.replaceAll("\0", "").trim().slice(0, 320) || undefined;
  const family = param(search, "family")?.replaceAll("\0", "") || undefined;
  const state = states.find(([, value]) => value === param(search, "state"))?.[1];
  const after = param(search, "after");
  const { products, next } = await found(listCatalogue(client, { q, family, state, after }));
  const link = (query: Record<string, string | undefined>) =>
    address(path, { client_id: clientId, q, family, state, ...query });
  const all = address(path, { client_id: clientId });
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <PageHead
        title={family === undefined ? t("Products") : t("Family {family}", { family })}
        tools={
          <span className="flex flex-wrap gap-2">
            <SearchForm
              action={path}
              name="q"
              label={t("Name, brand, id or GTIN")}
              value={q}
              keep={{ client_id: clientId, state }}
            />
            {hasRole(actor.role, "admin") && <ExternalsDialog clientId={client.id} />}
          </span>
        }
      >
        {family === undefined
          ? t("What your feeds say you sell, with what customers say of it.")
          : t("Variants that share their reviews.")}
      </PageHead>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <nav aria-label={t("Which products")} className="flex rounded-control bg-sunken p-0.5">
          {states.map(([name, value]) => (
            <Link
              key={name}
              href={link({ state: value })}
              aria-current={state === value ? "page" : undefined}
              className="flex h-9 items-center rounded-[0.4rem] px-3 text-sm font-medium text-muted hover:text-ink aria-[current=page]:bg-lifted aria-[current=page]:text-ink aria-[current=page]:shadow-raised lg:h-8"
            >
              {t(name)}
            </Link>
          ))}
        </nav>
        {products.length > 0 && (family !== undefined || q !== undefined) && (
          <Link href={all} className="link text-sm">
            {t("All products")}
          </Link>
        )}
      </div>
      {products.length > 0 ? (
        <CatalogueTable
          products={products}
          href={(id) => address(`${path}/${encodeURIComponent(id)}`, { client_id: clientId })}
        />
      ) : q !== undefined || family !== undefined || state !== undefined || after !== undefined ? (
        <EmptyState
          icon={<SearchX aria-hidden="true" />}
          title={next ? t("Nothing among these products") : t("No product fits")}
          action={
            <Link href={all} className={buttonClass()}>
              {t("Show all products")}
            </Link>
          }
        >
          {next
            ? t("A search looks through twenty thousand products at a time. There are more behind them.")
            : t("The search looks within names, brands and ids, and for a whole family, GTIN or part number.")}
        </EmptyState>
      ) : (
        <EmptyState
          icon={<Package aria-hidden="true" />}
          title={t("No products yet")}
          action={
            <Link href={address("/portal/feeds", { client_id: clientId })} className={buttonClass({ look: "primary" })}>
              {t("Add a feed")}
            </Link>
          }
        >
          {t("The address of your Google Merchant feed is enough: the catalogue then follows your shop by itself.")}
        </EmptyState>
      )}
      {next && (
        <p className="mt-4 text-center">
          <Link href={link({ after: next })} className={buttonClass()}>
            {q === undefined ? t("Next products") : t("Look further")}
          </Link>
        </p>
      )}
    </div>
  );
}
