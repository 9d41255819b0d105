import type { Metadata } from "next";
import type { Search } from "@/app/_guard";
import { SettingsPage } from "@/app/portal/(member)/settings/_page";
import { shopGroups } from "@/components/settings/groups";
import { SettingsForm } from "@/components/settings/settings-form";

export const metadata: Metadata = { title: "Settings" };

export default function ShopSettingsPage({ searchParams }: { searchParams: Promise<Search> }) {
  return (
    <SettingsPage
      here="/portal/settings"
      searchParams={searchParams}
      title="Shop"
      text="Who you are, for your customers."
    >
      {(props) => <SettingsForm {...props} groups={shopGroups(Intl.supportedValuesOf("timeZone"))} />}
    </SettingsPage>
  );
}
