import { pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { DismissSetup } from "@/components/insights/setup/change-setup";
import { SetupProgress } from "@/components/insights/setup/setup-card";
import { SetupList } from "@/components/insights/setup/setup-list";
import { PageHead } from "@/components/portal/page-head";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { getOwnAccount } from "@/lib/accounts/own-account";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { widgetOriginOf } from "@/lib/accounts/stores/rules";
import { getSetup } from "@/lib/insights/setup/get-setup";
import { env } from "@/lib/platform/env";

export const generateMetadata = () => titleMetadata("navigation.gettingStarted");

const path = "/portal/setup";

export default async function SetupPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const { actor, client, clientId } = await requireMember({ path, search: await searchParams, role: "admin" });
  const [setup, own] = await Promise.all([getSetup(actor, client), getOwnAccount(actor)]);
  const isComplete = setup.finished === setup.steps.length;
  return (
    <div className="mx-auto max-w-4xl px-4 py-6 lg:px-8">
      <PageHead
        title={t("navigation.gettingStarted")}
        tools={!isComplete && <DismissSetup clientId={client.id} dismissed={setup.dismissed} />}
      >
        {isComplete ? t("setup.allDone") : t("setup.intro")}
      </PageHead>
      <div className="mb-6">
        <SetupProgress setup={setup} />
      </div>
      <SetupList
        setup={setup}
        clientId={client.id}
        origin={widgetOriginOf(client.config, env().PUBLIC_URL)}
        timeZone={timeZoneOf(client)}
        email={own.email ?? ""}
        link={(to) => pathWithQuery(to, { client_id: clientId })}
      />
    </div>
  );
}
