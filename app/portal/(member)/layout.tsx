import type { ReactNode } from "react";
import { clientsOf, severalClients, signedIn, usualClient } from "@/app/_guard";
import { signOutAction } from "@/app/portal/sign-in/_actions";
import { Chrome } from "@/components/portal/chrome";
import { MessagesProvider } from "@/components/portal/messages";
import { Person } from "@/components/portal/person";
import { Providers } from "@/components/portal/providers";
import { sectionIcons } from "@/components/portal/section-icons";
import { Wordmark } from "@/components/ui/wordmark";
import { messagesFor } from "@/lib/accounts/sign-in/language-of-request";

/** Chrome only. Every page below guards itself. */
export default async function MemberLayout({ children }: { children: ReactNode }) {
  const actor = await signedIn();
  const messages = await messagesFor("common", "navigation");
  // The pages redirect to the sign-in page.
  if (!actor)
    return (
      <MessagesProvider {...messages}>
        <Person id="">{children}</Person>
      </MessagesProvider>
    );
  return (
    <MessagesProvider {...messages}>
      {/* Sent along with each change (platform/http/client.ts): a tab of somebody who has signed out changes nothing. */}
      <template data-person={actor.id} />
      <Providers person={actor.id}>
        <Chrome
          name={actor.name}
          role={actor.role}
          mark={<Wordmark />}
          icons={sectionIcons()}
          roles={Object.fromEntries(actor.roles ?? [])}
          clients={await clientsOf(actor)}
          usual={await usualClient(actor)}
          several={severalClients(actor)}
          signOut={signOutAction.bind(null, actor.id)}
        >
          {children}
        </Chrome>
      </Providers>
    </MessagesProvider>
  );
}
