import type { ReactNode } from "react";
import { requirePerson, type Search, usualClient } from "@/app/_guard";
import { chooseLanguageAction } from "@/app/portal/_language";
import { OwnDetails } from "@/components/accounts/own-details";
import { OwnDigest } from "@/components/accounts/own-digest";
import { OwnPassword } from "@/components/accounts/own-password";
import { OwnSecondFactor } from "@/components/accounts/own-second-factor";
import { OwnSessions } from "@/components/accounts/own-sessions";
import { roleWords } from "@/components/accounts/words";
import { LanguageSwitch } from "@/components/portal/language-switch";
import { PageHead } from "@/components/portal/page-head";
import { Notice } from "@/components/ui/notice";
import { atClient, hasRole } from "@/lib/accounts/actor";
import { getOwnAccount, listSessions } from "@/lib/accounts/own-account";
import { titled, words } from "@/lib/accounts/sign-in/language-of-request";
import { getClient, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { getDigest } from "@/lib/moderation/digests/set-digest";

export const generateMetadata = () => titled("Your account");

export default async function AccountPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await words();
  const actor = await requirePerson({ here: "/portal/account", search: await searchParams });
  const [account, sessions, usual] = await Promise.all([getOwnAccount(actor), listSessions(actor), usualClient(actor)]);
  const client = usual === null ? null : await getClient(usual);
  const digest = client && (await getDigest(actor, client));
  return (
    <div className="mx-auto max-w-4xl px-4 py-6 lg:px-8">
      <PageHead title={t("Your account")}>
        {t("You sign in as {username}. Your role: {roles}.", {
          username: account.username,
          roles: [
            t(roleWords[actor.role].name),
            ...Object.entries(account.roles).map(([client, role]) =>
              t("at {client}: {role}", { client, role: t(roleWords[role].name) }),
            ),
          ].join("; "),
        })}
      </PageHead>
      <div className="flex flex-col gap-10">
        {account.demo ? (
          <>
            <Notice>{t("This is the demo’s login. Its name and password cannot be changed.")}</Notice>
            <div className="self-start">
              <LanguageSwitch action={chooseLanguageAction} />
            </div>
          </>
        ) : (
          <>
            <Part id="details" title={t("You")}>
              <OwnDetails account={account} />
            </Part>
            {client && hasRole(atClient(actor, client.id).role, "moderator") && (
              <Part
                id="digest"
                title={t("Summary by mail")}
                about={t(
                  "What waits at {name}, what was reported and what has no reply. Nothing comes when nothing waits.",
                  { name: client.display_name },
                )}
              >
                <OwnDigest clientId={client.id} digest={digest} email={account.email} timeZone={timeZoneOf(client)} />
              </Part>
            )}
            <Part
              id="password"
              title={t("Password")}
              about={t("The same user name and password open the API by Basic auth.")}
            >
              <OwnPassword username={account.username} />
            </Part>
            <Part
              id="second-factor"
              title={t("Second factor")}
              about={t(
                "A code of an app on your phone, asked for with the password. Whoever learns the password alone is not let in.",
              )}
            >
              <OwnSecondFactor on={account.second_factor} codesLeft={account.recovery_codes} />
            </Part>
          </>
        )}
        <Part
          id="sessions"
          title={t("Where you are signed in")}
          about={t("A session ends by itself two weeks after its sign-in.")}
        >
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
