import { headers } from "next/headers";
import type { ReactNode } from "react";
import { clientsOf, severalClients, signedIn, usualClient } from "@/app/_guard";
import { signOutAction } from "@/app/portal/sign-in/_actions";
import { Chrome } from "@/components/portal/chrome";
import { earlyScript } from "@/components/portal/early";
import { Providers } from "@/components/portal/providers";
import { sectionIcons } from "@/components/portal/section-icons";
import { WordsProvider } from "@/components/words/client";
import { spokenIn } from "@/lib/words/of-request";

/** Chrome only. Every page below guards itself. */
export default async function MemberLayout({ children }: { children: ReactNode }) {
  const actor = await signedIn();
  if (!actor) return children;
  const policy = (await headers()).get("content-security-policy");
  return (
    <WordsProvider {...(await spokenIn("common", "chrome"))}>
      <Providers>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a script of our own, which holds nothing of anybody's */}
        <script nonce={policy?.match(/'nonce-([^']+)'/)?.[1]} dangerouslySetInnerHTML={{ __html: earlyScript }} />
        <Chrome
          name={actor.name}
          role={actor.role}
          icons={sectionIcons()}
          roles={Object.fromEntries(actor.roles ?? [])}
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
