import { SearchX } from "lucide-react";
import { orNotFound, param, pathWithQuery, requirePerson, type Search } from "@/app/_guard";
import { AccountCard } from "@/components/accounts/account-card";
import { NewAccount } from "@/components/accounts/new-account";
import { PageHead } from "@/components/portal/page-head";
import { SearchForm } from "@/components/portal/search-form";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { listAccounts } from "@/lib/accounts/list-accounts";

export const generateMetadata = () => titleMetadata("navigation.accounts");

const path = "/portal/accounts";

export default async function AccountsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const search = await searchParams;
  await requirePerson({ path: path, search, role: "operator" });
  const q = param(search, "q")?.replaceAll("\0", "").trim().slice(0, 320) || undefined;
  const { accounts, next } = await orNotFound(listAccounts({ q, after: param(search, "after") }));
  const client_id = param(search, "client_id");
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <PageHead
        title={t("navigation.accounts")}
        tools={
          <SearchForm action={path} name="q" label={t("accounts.searchLabel")} value={q} hiddenFields={{ client_id }} />
        }
      >
        {t("accounts.intro")}
      </PageHead>
      <div className="mb-6">
        <NewAccount />
      </div>
      <div className="flex flex-col gap-8">
        {accounts.map((account) => (
          <AccountCard key={account.id} account={account} />
        ))}
      </div>
      {accounts.length === 0 && (
        <EmptyState
          icon={<SearchX aria-hidden="true" />}
          title={
            next ? t("accounts.noMatchesSoFar") : q === undefined ? t("accounts.emptyTitle") : t("accounts.noMatches")
          }
          action={
            q !== undefined && (
              <Link href={pathWithQuery(path, { client_id })} className={buttonClass()}>
                {t("accounts.showAll")}
              </Link>
            )
          }
        >
          {next ? t("accounts.searchPartialHint") : t("accounts.emptyHint")}
        </EmptyState>
      )}
      {next && (
        <p className="mt-6 text-center">
          <Link href={pathWithQuery(path, { client_id, q, after: next })} className={buttonClass()}>
            {q === undefined ? t("accounts.more") : t("products.continueSearch")}
          </Link>
        </p>
      )}
    </div>
  );
}
