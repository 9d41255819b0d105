import type { ReactNode } from "react";
import { clientsOf, severalClients, signedIn, usualClient } from "@/app/_guard";
import { signOutAction } from "@/app/portal/sign-in/_actions";
import { Chrome } from "@/components/portal/chrome";
import { Providers } from "@/components/portal/providers";
import { WordsProvider } from "@/components/words/client";
import { spokenIn } from "@/lib/words/of-request";

/** Chrome only. Every page below guards itself. */
export default async function MemberLayout({ children }: { children: ReactNode }) {
  const actor = await signedIn();
  if (!actor) return children;
  return (
    <WordsProvider {...(await spokenIn("common", "chrome"))}>
      <Providers>
        <Chrome
          name={actor.name}
          role={actor.role}
          clients={await clientsOf(actor)}
          usual={await usualClient(actor)}
          several={severalClients(actor)}
          signOut={signOutAction}
        >
          {children}
        </Chrome>
      </Providers>
    </WordsProvider>
  );
}
