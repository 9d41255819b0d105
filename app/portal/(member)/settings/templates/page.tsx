import type { Search } from "@/app/_guard";
import { SettingsPage } from "@/app/portal/(member)/settings/_page";
import { logoField } from "@/components/settings/field-groups";
import { TemplateSettings } from "@/components/settings/template-settings";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { getOwnAccount } from "@/lib/accounts/own-account";
import { defaultGreetings } from "@/lib/invitations/template-blocks/default-greetings";
import { currentBlocks } from "@/lib/invitations/template-blocks/versions";
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
      isWide
    >
      {async (props, client, actor) => {
        const [blocks, person] = await Promise.all([currentBlocks(client), getOwnAccount(actor)]);
        return (
          <TemplateSettings
            {...props}
            settings={{ ...props.settings, blocks }}
            ours={{ html: invitationHtml, text: invitationText }}
            greetings={defaultGreetings()}
            logo={logoField(t)}
            email={person.email ?? client.contact_email ?? ""}
          />
        );
      }}
    </SettingsPage>
  );
}
