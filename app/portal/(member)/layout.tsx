import type { ReactNode } from "react";
import { clientsOf, currentActor, defaultClientId, hasSeveralClients } from "@/app/_guard";
import { hasCompactRows } from "@/app/portal/(member)/_rows";
import { signOutAction } from "@/app/portal/sign-in/_actions";
import { destinations } from "@/components/portal/destinations";
import { KeptLists } from "@/components/portal/list-link";
import { MessagesProvider } from "@/components/portal/messages";
import { PersonProvider } from "@/components/portal/person-provider";
import { PortalLayout } from "@/components/portal/portal-layout";
import { Providers } from "@/components/portal/providers";
import { sectionIcons } from "@/components/portal/section-icons";
import { Wordmark } from "@/components/ui/wordmark";
import { messagesFor, translations } from "@/lib/accounts/language/request-language";

/** Layout only. Every page below has its own guard. */
export default async function MemberLayout({ children }: { children: ReactNode }) {
  const actor = await currentActor();
  const messages = await messagesFor("common", "navigation", "notifications", "search", "testClock");
  // The pages redirect to the sign-in page.
  if (!actor)
    return (
      <MessagesProvider {...messages}>
        <PersonProvider id="">{children}</PersonProvider>
      </MessagesProvider>
    );
  const defaultClient = await defaultClientId(actor);
  return (
    <MessagesProvider {...messages}>
      {/* Sent with each change (platform/http/client.ts): a tab of a signed-out person changes nothing. */}
      <template data-person={actor.id} />
      <Providers person={actor.id}>
        <KeptLists defaultStore={defaultClient}>
          <PortalLayout
            name={actor.name}
            role={actor.role}
            logo={<Wordmark />}
            icons={sectionIcons()}
            roles={Object.fromEntries(actor.roles ?? [])}
            clients={await clientsOf(actor)}
            defaultClient={defaultClient}
            several={hasSeveralClients(actor)}
            destinations={destinations(await translations())}
            signOut={signOutAction.bind(null, actor.id)}
          >
            <div data-rows={(await hasCompactRows()) ? "compact" : undefined} className="contents">
              {children}
            </div>
          </PortalLayout>
        </KeptLists>
      </Providers>
    </MessagesProvider>
  );
}
