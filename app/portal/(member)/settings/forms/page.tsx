import type { Search } from "@/app/_guard";
import { SettingsPage } from "@/app/portal/(member)/settings/_page";
import { formGroups } from "@/components/settings/groups";
import { SettingsForm } from "@/components/settings/settings-form";
import { titled, words } from "@/lib/accounts/sign-in/language-of-request";

export const generateMetadata = () => titled("Forms");

export default async function FormSettingsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await words();
  return (
    <SettingsPage
      here="/portal/settings/forms"
      searchParams={searchParams}
      title={t("Forms")}
      text={t("What customers and visitors are asked.")}
    >
      {(props) => <SettingsForm {...props} groups={formGroups(t)} />}
    </SettingsPage>
  );
}
