import { Users } from "lucide-react";
import { requireMember, type Search } from "@/app/_guard";
import { InvitePerson } from "@/components/accounts/invite-person";
import { PeopleTable } from "@/components/accounts/people-table";
import { PageHead } from "@/components/portal/page-head";
import { SettingsPages } from "@/components/portal/settings-pages";
import { EmptyState } from "@/components/ui/empty-state";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { listAssignableClients } from "@/lib/accounts/list-assignable-clients";
import { listPeople } from "@/lib/accounts/list-people";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";

export const generateMetadata = () => titleMetadata("navigation.people");

const path = "/portal/settings/people";

export default async function PeoplePage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const search = await searchParams;
  const { actor, client, clientId } = await requireMember({ path, search, role: "admin" });
  const [people, clients] = await Promise.all([listPeople(actor, client), listAssignableClients(actor, client)]);
  const inviteProps = {
    clientId: client.id,
    clients,
    mayGiveAll: actor.clients === "all" || (actor.hasAccountAccess === true && actor.accountId === client.account_id),
  };
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <SettingsPages currentPath={path} role={actor.role} clientId={clientId} />
      <PageHead title={t("navigation.people")} tools={<InvitePerson {...inviteProps} />}>
        {t("team.intro", { name: client.display_name })}
      </PageHead>
      {people.length > 0 ? (
        <PeopleTable {...inviteProps} people={people} timeZone={timeZoneOf(client)} self={actor.id} />
      ) : (
        <EmptyState icon={<Users aria-hidden="true" />} title={t("team.emptyTitle")}>
          {t("team.emptyHint")}
        </EmptyState>
      )}
    </div>
  );
}
