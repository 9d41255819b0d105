import type { Search } from "@/app/_guard";
import { SettingsPage } from "@/app/portal/(member)/settings/_page";
import { shopGroups } from "@/components/settings/field-groups";
import { SettingsForm } from "@/components/settings/settings-form";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";

export const generateMetadata = () => titleMetadata("navigation.settings");

export default async function ShopSettingsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  return (
    <SettingsPage
      path="/portal/settings"
      searchParams={searchParams}
      title={t("navigation.store")}
      text={t("settingNames.storeIntro")}
    >
      {(props) => <SettingsForm {...props} groups={shopGroups(t, Intl.supportedValuesOf("timeZone"))} />}
    </SettingsPage>
  );
}
