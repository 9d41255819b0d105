import { KeyRound } from "lucide-react";
import { requireMember, type Search } from "@/app/_guard";
import { KeysTable } from "@/components/accounts/keys-table";
import { NewKey } from "@/components/accounts/new-key";
import { PageHead } from "@/components/portal/page-head";
import { SettingsPages } from "@/components/portal/settings-pages";
import { CopyText } from "@/components/ui/copy-text";
import { EmptyState } from "@/components/ui/empty-state";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { listAssignableClients } from "@/lib/accounts/list-assignable-clients";
import { listClientKeys } from "@/lib/accounts/list-client-keys";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { env } from "@/lib/platform/env";

export const generateMetadata = () => titleMetadata("navigation.apiKeys");

const path = "/portal/settings/keys";

export default async function KeysPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const search = await searchParams;
  const { actor, client, clientId } = await requireMember({ path, search, role: "admin" });
  const [keys, clients] = await Promise.all([listClientKeys(actor, client), listAssignableClients(actor, client)]);
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <SettingsPages currentPath={path} role={actor.role} clientId={clientId} />
      <PageHead
        title={t("navigation.apiKeys")}
        tools={<NewKey clientId={client.id} clients={clients} publicUrl={env().PUBLIC_URL} />}
      >
        {t("apiKeys.intro", {
          name: client.display_name,
        })}
      </PageHead>
      {keys.length > 0 ? (
        <KeysTable clientId={client.id} keys={keys} clients={clients} timeZone={timeZoneOf(client)} />
      ) : (
        <EmptyState icon={<KeyRound aria-hidden="true" />} title={t("apiKeys.emptyTitle")}>
          {t("apiKeys.emptyHint")}
        </EmptyState>
      )}
      <section aria-labelledby="public-key" className="mt-10 max-w-xl">
        <h2 id="public-key" className="text-lg font-semibold">
          {t("apiKeys.publicKey")}
        </h2>
        <p className="mb-3 text-sm text-muted">{t("apiKeys.publicKeyHint")}</p>
        <CopyText text={client.public_key} label={t("apiKeys.publicKeyCopy")} />
      </section>
    </div>
  );
}
