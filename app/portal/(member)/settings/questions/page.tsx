import type { Search } from "@/app/_guard";
import { SettingsPage } from "@/app/portal/(member)/settings/_page";
import { questionGroups } from "@/components/settings/field-groups";
import { SettingsForm } from "@/components/settings/settings-form";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";

export const generateMetadata = () => titleMetadata("navigation.customQuestions");

export default async function QuestionSettingsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  return (
    <SettingsPage
      path="/portal/settings/questions"
      searchParams={searchParams}
      title={t("navigation.customQuestions")}
      text={t("settingNames.questionsIntro")}
    >
      {(props) => <SettingsForm {...props} groups={questionGroups(t)} />}
    </SettingsPage>
  );
}
