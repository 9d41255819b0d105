import type { Search } from "@/app/_guard";
import { SettingsPage } from "@/app/portal/(member)/settings/_page";
import { moderationGroups } from "@/components/settings/groups";
import { SettingsForm } from "@/components/settings/settings-form";
import { titled, words } from "@/lib/accounts/sign-in/language-of-request";

export const generateMetadata = () => titled("Moderation");

export default async function ModerationSettingsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await words();
  return (
    <SettingsPage
      here="/portal/settings/moderation"
      searchParams={searchParams}
      title={t("Moderation")}
      text={t("Who decides what is published, and by which rules.")}
    >
      {(props) => <SettingsForm {...props} groups={moderationGroups(t)} />}
    </SettingsPage>
  );
}
