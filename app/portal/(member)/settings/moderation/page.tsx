import type { Metadata } from "next";
import type { Search } from "@/app/_guard";
import { SettingsPage } from "@/app/portal/(member)/settings/_page";
import { moderationGroups } from "@/components/settings/groups";
import { SettingsForm } from "@/components/settings/settings-form";

export const metadata: Metadata = { title: "Moderation" };

export default function ModerationSettingsPage({ searchParams }: { searchParams: Promise<Search> }) {
  return (
    <SettingsPage
      here="/portal/settings/moderation"
      searchParams={searchParams}
      title="Moderation"
      text="Who decides what is published, and by which rules."
    >
      {(props) => <SettingsForm {...props} groups={moderationGroups} />}
    </SettingsPage>
  );
}
