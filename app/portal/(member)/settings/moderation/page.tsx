import type { Search } from "@/app/_guard";
import { SettingsPage } from "@/app/portal/(member)/settings/_page";
import { moderationGroups } from "@/components/settings/field-groups";
import { SettingsForm } from "@/components/settings/settings-form";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";

export const generateMetadata = () => titleMetadata("navigation.moderation");

export default async function ModerationSettingsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  return (
    <SettingsPage
      path="/portal/settings/moderation"
      searchParams={searchParams}
      title={t("navigation.moderation")}
      text={t("settingNames.moderationIntro")}
    >
      {(props) => <SettingsForm {...props} groups={moderationGroups(t)} />}
    </SettingsPage>
  );
}
