import type { ReactNode } from "react";
import { clientsOf, severalClients, signedIn, usualClient } from "@/app/_guard";
import { signOutAction } from "@/app/portal/sign-in/_actions";
import { Chrome } from "@/components/portal/chrome";
import { Person } from "@/components/portal/person";
import { Providers } from "@/components/portal/providers";
import { sectionIcons } from "@/components/portal/section-icons";
import { WordsProvider } from "@/components/portal/words/client";
import { Leaving } from "@/components/ui/leave";
import { Wordmark } from "@/components/ui/wordmark";
import { spokenIn, words } from "@/lib/accounts/sign-in/language-of-request";

/** Chrome only. Every page below guards itself. */
export default async function MemberLayout({ children }: { children: ReactNode }) {
  const actor = await signedIn();
  // The pages lead to the door.
  if (!actor)
    return (
      <Person id="">
        <Leaving>{children}</Leaving>
      </Person>
    );
  const t = await words();
  return (
    <WordsProvider {...(await spokenIn("common", "chrome"))}>
      {/* For what was done before its script had come, and came to nothing: see components/portal/early.ts; and for whom. */}
      <template
        data-person={actor.id}
        data-lost=""
        data-pressed={t("Not done: {what}. It was pressed before its part of the page was ready.")}
        data-typed={t("Not kept: “{what}”. It was typed before its box was ready.")}
      />
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
    </WordsProvider>
  );
}
