import type { Search } from "@/app/_guard";
import { SettingsPage } from "@/app/portal/(member)/settings/_page";
import { shopGroups } from "@/components/settings/groups";
import { SettingsForm } from "@/components/settings/settings-form";
import { titled, words } from "@/lib/accounts/sign-in/language-of-request";

export const generateMetadata = () => titled("Settings");

export default async function ShopSettingsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await words();
  return (
    <SettingsPage
      here="/portal/settings"
      searchParams={searchParams}
      title={t("Shop")}
      text={t("Who you are, for your customers.")}
    >
      {(props) => <SettingsForm {...props} groups={shopGroups(t, Intl.supportedValuesOf("timeZone"))} />}
    </SettingsPage>
  );
}
