import type { Metadata } from "next";
import type { Search } from "@/app/_guard";
import { SettingsPage } from "@/app/portal/(member)/settings/_page";
import { questionGroups } from "@/components/settings/groups";
import { SettingsForm } from "@/components/settings/settings-form";

export const metadata: Metadata = { title: "Own questions" };

export default function QuestionSettingsPage({ searchParams }: { searchParams: Promise<Search> }) {
  return (
    <SettingsPage
      here="/portal/settings/questions"
      searchParams={searchParams}
      title="Own questions"
      text="What only you would ask."
    >
      {(props) => <SettingsForm {...props} groups={questionGroups} />}
    </SettingsPage>
  );
}
