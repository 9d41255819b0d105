import { ScrollText } from "lucide-react";
import { address, found, param, requireMember, type Search } from "@/app/_guard";
import { PageHead } from "@/components/portal/page-head";
import { PersonDesk } from "@/components/privacy/person-desk";
import { RegisterTable } from "@/components/privacy/register-table";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { titled, words } from "@/lib/accounts/sign-in/language-of-request";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { env } from "@/lib/platform/env";
import { listRegister } from "@/lib/privacy/list-register";

export const generateMetadata = () => titled("Personal data");

export default async function PrivacyPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await words();
  const search = await searchParams;
  const { client, clientId } = await requireMember({ here: "/portal/privacy", search, role: "admin" });
  const after = param(search, "after");
  const { data, links } = await found(listRegister(client, { after }, new URL(env().PUBLIC_URL)));
  const next = links.next && (new URL(links.next).searchParams.get("after") ?? undefined);
  const timeZone = timeZoneOf(client);
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <PageHead title={t("Personal data")}>
        {t("See what is stored about a person, hand it to them, or remove it for good.")}
      </PageHead>
      <PersonDesk clientId={client.id} several={clientId !== undefined} timeZone={timeZone} />
      <section aria-labelledby="register" className="mt-10">
        <h2 id="register" className="text-lg font-semibold">
          {t("Register")}
        </h2>
        <p className="mb-3 text-sm text-muted">
          {t("Every removal and every copy that was handed out: when, by whom, how much, and never whose.")}
        </p>
        {data.length > 0 ? (
          <RegisterTable entries={data} timeZone={timeZone} />
        ) : (
          <EmptyState
            icon={<ScrollText aria-hidden="true" />}
            title={after ? t("Nothing older") : t("No requests yet")}
          >
            {after
              ? t("This is where the register begins.")
              : t(
                  "Removals stand here, whether they were asked for on this page or by the API, and files that were downloaded.",
                )}
          </EmptyState>
        )}
        {next && (
          <p className="mt-4 text-center">
            <Link href={address("/portal/privacy", { client_id: clientId, after: next })} className={buttonClass()}>
              {t("Older requests")}
            </Link>
          </p>
        )}
      </section>
    </div>
  );
}
