import type { Metadata } from "next";
import type { Search } from "@/app/_guard";
import { SettingsPage } from "@/app/portal/(member)/settings/_page";
import { sendingGroups } from "@/components/settings/groups";
import { SettingsForm } from "@/components/settings/settings-form";

export const metadata: Metadata = { title: "Mails" };

export default function SendingSettingsPage({ searchParams }: { searchParams: Promise<Search> }) {
  return (
    <SettingsPage
      here="/portal/settings/sending"
      searchParams={searchParams}
      title="Mails"
      text="When invitations go, and from whom they come."
    >
      {(props) => <SettingsForm {...props} groups={sendingGroups(props.settings.contract_send_limit)} />}
    </SettingsPage>
  );
}
