import type { Metadata } from "next";
import type { Search } from "@/app/_guard";
import { SettingsPage } from "@/app/portal/(member)/settings/_page";
import { formGroups } from "@/components/settings/groups";
import { SettingsForm } from "@/components/settings/settings-form";

export const metadata: Metadata = { title: "Forms" };

export default function FormSettingsPage({ searchParams }: { searchParams: Promise<Search> }) {
  return (
    <SettingsPage
      here="/portal/settings/forms"
      searchParams={searchParams}
      title="Forms"
      text="What customers and visitors are asked."
    >
      {(props) => <SettingsForm {...props} groups={formGroups} />}
    </SettingsPage>
  );
}
