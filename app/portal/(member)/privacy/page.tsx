import { ScrollText } from "lucide-react";
import { orNotFound, param, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { PageHead } from "@/components/portal/page-head";
import { PersonSearch } from "@/components/privacy/person-search";
import { RegisterTable } from "@/components/privacy/register-table";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { env } from "@/lib/platform/env";
import { listRegister } from "@/lib/privacy/list-register";

export const generateMetadata = () => titleMetadata("navigation.personalData");

export default async function PrivacyPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const search = await searchParams;
  const { client, clientId } = await requireMember({ path: "/portal/privacy", search, role: "admin" });
  const after = param(search, "after");
  const { data, links } = await orNotFound(listRegister(client, { after }, new URL(env().PUBLIC_URL)));
  const next = links.next && (new URL(links.next).searchParams.get("after") ?? undefined);
  const timeZone = timeZoneOf(client);
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <PageHead title={t("navigation.personalData")}>{t("privacy.intro")}</PageHead>
      <PersonSearch clientId={client.id} several={clientId !== undefined} timeZone={timeZone} />
      <section aria-labelledby="register" className="mt-10">
        <h2 id="register" className="text-lg font-semibold">
          {t("privacy.log")}
        </h2>
        <p className="mb-3 text-sm text-muted">{t("privacy.logIntro")}</p>
        {data.length > 0 ? (
          <RegisterTable entries={data} timeZone={timeZone} />
        ) : (
          <EmptyState
            icon={<ScrollText aria-hidden="true" />}
            title={after ? t("privacy.noOlder") : t("privacy.emptyTitle")}
          >
            {after ? t("privacy.logStart") : t("privacy.emptyText")}
          </EmptyState>
        )}
        {next && (
          <p className="mt-4 text-center">
            <Link
              href={pathWithQuery("/portal/privacy", { client_id: clientId, after: next })}
              className={buttonClass()}
            >
              {t("privacy.olderRequests")}
            </Link>
          </p>
        )}
      </section>
    </div>
  );
}
