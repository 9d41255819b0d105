import type { Search } from "@/app/_guard";
import { SettingsPage } from "@/app/portal/(member)/settings/_page";
import { sendingGroups } from "@/components/settings/groups";
import { SettingsForm } from "@/components/settings/settings-form";
import { Notice } from "@/components/ui/notice";
import { titled, words } from "@/lib/accounts/sign-in/language-of-request";
import { mailProvider } from "@/lib/platform/mail/provider";

export const generateMetadata = () => titled("Mails");

export default async function SendingSettingsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await words();
  return (
    <SettingsPage
      here="/portal/settings/sending"
      searchParams={searchParams}
      title={t("Mails")}
      text={t("When invitations go, and from whom they come.")}
    >
      {(props) => (
        <>
          {mailProvider()?.name === "smtp" && (
            <div className="mb-6">
              <Notice tone="plain">
                {t(
                  "Emails go through a mail server (SMTP), which doesn't report bounces and complaints. Addresses it refuses when sending are on the Failures page.",
                )}
              </Notice>
            </div>
          )}
          <SettingsForm {...props} groups={sendingGroups(t, props.settings.contract_send_limit)} />
        </>
      )}
    </SettingsPage>
  );
}
