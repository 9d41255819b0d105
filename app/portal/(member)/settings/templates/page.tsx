import type { Search } from "@/app/_guard";
import { SettingsPage } from "@/app/portal/(member)/settings/_page";
import { TemplateSettings } from "@/components/settings/template-settings";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { invitationHtml, invitationText } from "@/lib/platform/mail/templates/invitation";

export const generateMetadata = () => titleMetadata("settingNames.emailTemplates");

export default async function TemplateSettingsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  return (
    <SettingsPage
      path="/portal/settings/templates"
      searchParams={searchParams}
      title={t("settingNames.emailTemplates")}
      text={t("settingNames.templatesIntro")}
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
