import type { Search } from "@/app/_guard";
import { SettingsPage } from "@/app/portal/(member)/settings/_page";
import { questionGroups } from "@/components/settings/groups";
import { SettingsForm } from "@/components/settings/settings-form";
import { titled, translations } from "@/lib/accounts/sign-in/language-of-request";

export const generateMetadata = () => titled("navigation.customQuestions");

export default async function QuestionSettingsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  return (
    <SettingsPage
      here="/portal/settings/questions"
      searchParams={searchParams}
      title={t("navigation.customQuestions")}
      text={t("settingNames.questionsIntro")}
    >
      {(props) => <SettingsForm {...props} groups={questionGroups(t)} />}
    </SettingsPage>
  );
}
