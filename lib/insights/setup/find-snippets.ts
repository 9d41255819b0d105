import { readHtml } from "@/lib/insights/read-html";
import { readPath } from "@/lib/insights/served-paths";

/** A widget's script on a page. `productId` is null if the script doesn't name one. */
export type FoundSnippet = { clientId: string; productId: string | null };

/** The widget scripts that a page's HTML loads from these origins, without those in comments. */
export function findSnippets(html: string, pageUrl: string, origins: string[]): FoundSnippet[] {
  const hosts = origins.map((origin) => new URL(origin).host);
  const found: FoundSnippet[] = [];
  readHtml(html, {
    onElement(name, { src, "data-product-id": productId = null }) {
      // The scheme doesn't matter: pages also write `//host/…`.
      if (name !== "script" || !src || !URL.canParse(src, pageUrl)) return;
      const { host, pathname } = new URL(src, pageUrl);
      const served = hosts.includes(host) ? readPath(pathname) : null;
      if (served?.use === "script" && served.clientId !== null) found.push({ clientId: served.clientId, productId });
    },
  });
  return found;
}
