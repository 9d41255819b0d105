import type { Search } from "@/app/_guard";
import { SettingsPage } from "@/app/portal/(member)/settings/_page";
import { sendingGroups } from "@/components/settings/field-groups";
import { SettingsForm } from "@/components/settings/settings-form";
import { Notice } from "@/components/ui/notice";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { mailProvider } from "@/lib/platform/mail/provider";

export const generateMetadata = () => titleMetadata("navigation.emails");

export default async function SendingSettingsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  return (
    <SettingsPage
      path="/portal/settings/sending"
      searchParams={searchParams}
      title={t("navigation.emails")}
      text={t("settingNames.emailsIntro")}
    >
      {(props) => (
        <>
          {mailProvider()?.name === "smtp" && (
            <div className="mb-6">
              <Notice tone="plain">{t("settings.smtpNotice")}</Notice>
            </div>
          )}
          <SettingsForm {...props} groups={sendingGroups(t, props.settings.contract_send_limit)} />
        </>
      )}
    </SettingsPage>
  );
}
