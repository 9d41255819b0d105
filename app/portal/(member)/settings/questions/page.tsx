import type { Search } from "@/app/_guard";
import { SettingsPage } from "@/app/portal/(member)/settings/_page";
import { questionGroups } from "@/components/settings/groups";
import { SettingsForm } from "@/components/settings/settings-form";
import { titled, words } from "@/lib/accounts/sign-in/language-of-request";

export const generateMetadata = () => titled("Own questions");

export default async function QuestionSettingsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await words();
  return (
    <SettingsPage
      here="/portal/settings/questions"
      searchParams={searchParams}
      title={t("Own questions")}
      text={t("What only you would ask.")}
    >
      {(props) => <SettingsForm {...props} groups={questionGroups(t)} />}
    </SettingsPage>
  );
}
