import type { Search } from "@/app/_guard";
import { SettingsPage } from "@/app/portal/(member)/settings/_page";
import { formGroups } from "@/components/settings/field-groups";
import { SettingsForm } from "@/components/settings/settings-form";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";

export const generateMetadata = () => titleMetadata("navigation.forms");

export default async function FormSettingsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  return (
    <SettingsPage
      path="/portal/settings/forms"
      searchParams={searchParams}
      title={t("navigation.forms")}
      text={t("settingNames.formsIntro")}
    >
      {(props) => <SettingsForm {...props} groups={formGroups(t)} />}
    </SettingsPage>
  );
}
