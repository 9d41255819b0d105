import type { ReactNode } from "react";
import { defaultClientId, requirePerson, type Search } from "@/app/_guard";
import { setLanguageAction } from "@/app/portal/_language";
import { hasCompactRows } from "@/app/portal/(member)/_rows";
import { setRowsAction } from "@/app/portal/(member)/account/_actions";
import { roleLabels } from "@/components/accounts/labels";
import { OwnDetails } from "@/components/accounts/own-details";
import { OwnDigest } from "@/components/accounts/own-digest";
import { OwnNotifications } from "@/components/accounts/own-notifications";
import { OwnPassword } from "@/components/accounts/own-password";
import { OwnSecondFactor } from "@/components/accounts/own-second-factor";
import { OwnSessions } from "@/components/accounts/own-sessions";
import { RowsSwitch } from "@/components/accounts/rows-switch";
import { LanguageSwitch } from "@/components/portal/language-switch";
import { PageHead } from "@/components/portal/page-head";
import { Notice } from "@/components/ui/notice";
import { actorAtClient, hasRole, withHighestRole } from "@/lib/accounts/actor";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { listNotificationSettings } from "@/lib/accounts/notifications/notification-settings";
import { notificationRoles } from "@/lib/accounts/notifications/values";
import { getOwnAccount, listSessions } from "@/lib/accounts/own-account";
import { getClient, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { getDigest } from "@/lib/moderation/digests/set-digest";

export const generateMetadata = () => titleMetadata("navigation.yourAccount");

export default async function AccountPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const actor = await requirePerson({ path: "/portal/account", search: await searchParams });
  const [account, sessions, clientId, notifications] = await Promise.all([
    getOwnAccount(actor),
    listSessions(actor),
    defaultClientId(actor),
    listNotificationSettings(actor),
  ]);
  const { role } = withHighestRole(actor);
  const client = clientId === null ? null : await getClient(clientId);
  const digest = client && (await getDigest(actor, client));
  return (
    <div className="mx-auto max-w-4xl px-4 py-6 lg:px-8">
      <PageHead title={t("navigation.yourAccount")}>
        {t("myAccount.intro", {
          username: account.username,
          roles: [
            t(roleLabels[actor.role].name),
            ...Object.entries(account.roles).map(([client, role]) =>
              t("myAccount.roleAtStore", { client, role: t(roleLabels[role].name) }),
            ),
          ].join("; "),
        })}
      </PageHead>
      <div className="flex flex-col gap-10">
        {account.demo ? (
          <>
            <Notice>{t("myAccount.demoNotice")}</Notice>
            <Part id="language" title={t("common.language")}>
              <div className="w-fit">
                <LanguageSwitch action={setLanguageAction} />
              </div>
            </Part>
          </>
        ) : (
          <>
            <Part id="details" title={t("myAccount.detailsTitle")}>
              <OwnDetails account={account} />
            </Part>
            {client && hasRole(actorAtClient(actor, client.id).role, "moderator") && (
              <Part
                id="digest"
                title={t("myAccount.summaryTitle")}
                about={t("myAccount.summaryHint", { name: client.display_name })}
              >
                <OwnDigest clientId={client.id} digest={digest} email={account.email} timeZone={timeZoneOf(client)} />
              </Part>
            )}
            <Part id="notifications" title={t("common.notifications")} about={t("myAccount.notificationsHint")}>
              <OwnNotifications
                settings={notifications.filter(({ kind }) => hasRole(role, notificationRoles[kind]))}
                hasEmail={account.email !== null}
              />
            </Part>
            <Part id="password" title={t("common.password")} about={t("myAccount.basicAuthHint")}>
              <OwnPassword username={account.username} />
            </Part>
            <Part id="second-factor" title={t("common.twoFactor")} about={t("myAccount.twoFactorHint")}>
              <OwnSecondFactor
                username={account.username}
                on={account.second_factor}
                codesLeft={account.recovery_codes}
              />
            </Part>
          </>
        )}
        <Part id="rows" title={t("myAccount.rowsTitle")} about={t("myAccount.rowsHint")}>
          <RowsSwitch compact={await hasCompactRows()} action={setRowsAction} />
        </Part>
        <Part id="sessions" title={t("myAccount.sessionsTitle")} about={t("myAccount.sessionsHint")}>
          <OwnSessions sessions={sessions} timeZone={client ? timeZoneOf(client) : "UTC"} />
        </Part>
      </div>
    </div>
  );
}

type PartProps = { id: string; title: string; about?: string; children: ReactNode };

function Part({ id, title, about, children }: PartProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      {about && <p className="text-sm text-muted">{about}</p>}
      <div className="mt-4">{children}</div>
    </section>
  );
}
