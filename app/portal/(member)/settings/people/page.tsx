import { requireMember, type Search } from "@/app/_guard";
import { InvitePerson } from "@/components/accounts/invite-person";
import { PeopleTable } from "@/components/accounts/people-table";
import { PageHead } from "@/components/portal/page-head";
import { SettingsPages } from "@/components/portal/settings-pages";
import { EmptyState } from "@/components/ui/empty-state";
import { listGivableClients } from "@/lib/accounts/list-givable-clients";
import { listPeople } from "@/lib/accounts/list-people";
import { titled, translations } from "@/lib/accounts/sign-in/language-of-request";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";

export const generateMetadata = () => titled("navigation.people");

const path = "/portal/settings/people";

export default async function PeoplePage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const search = await searchParams;
  const { actor, client, clientId } = await requireMember({ here: path, search, role: "admin" });
  const [people, clients] = await Promise.all([listPeople(actor, client), listGivableClients(actor, client)]);
  const given = {
    clientId: client.id,
    clients,
    mayGiveAll: actor.clients === "all" || (actor.wholeAccount === true && actor.accountId === client.account_id),
  };
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <SettingsPages here={path} role={actor.role} clientId={clientId} />
      <PageHead title={t("navigation.people")} tools={<InvitePerson {...given} />}>
        {t("team.intro", { name: client.display_name })}
      </PageHead>
      {people.length > 0 ? (
        <PeopleTable {...given} people={people} timeZone={timeZoneOf(client)} self={actor.id} />
      ) : (
        <EmptyState title={t("team.emptyTitle")}>{t("team.emptyHint")}</EmptyState>
      )}
    </div>
  );
}
