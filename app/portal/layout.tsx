import { headers } from "next/headers";
import type { ReactNode } from "react";
import { earlyScript } from "@/components/portal/early";

/** Also around the pages in front of the portal: from those one comes into it without a load. */
export default async function PortalLayout({ children }: { children: ReactNode }) {
  const policy = (await headers()).get("content-security-policy");
  return (
    <>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a script of our own, which holds nothing of anybody's */}
      <script nonce={policy?.match(/'nonce-([^']+)'/)?.[1]} dangerouslySetInnerHTML={{ __html: earlyScript }} />
      {children}
    </>
  );
}
