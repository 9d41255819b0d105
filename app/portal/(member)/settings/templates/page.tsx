import type { Metadata } from "next";
import type { Search } from "@/app/_guard";
import { SettingsPage } from "@/app/portal/(member)/settings/_page";
import { TemplateSettings } from "@/components/settings/template-settings";
import { invitationHtml, invitationText } from "@/lib/mail/templates/invitation";

export const metadata: Metadata = { title: "Mail templates" };

export default function TemplateSettingsPage({ searchParams }: { searchParams: Promise<Search> }) {
  return (
    <SettingsPage
      here="/portal/settings/templates"
      searchParams={searchParams}
      title="Mail templates"
      text="How the invitation looks, in every language, before anybody gets it."
    >
      {(props, client) => (
        <TemplateSettings
          {...props}
          ours={{ html: invitationHtml, text: invitationText }}
          email={client.contact_email ?? ""}
        />
      )}
    </SettingsPage>
  );
}
