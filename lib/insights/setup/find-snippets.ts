import { scriptClientOf } from "@/lib/insights/script-client";

/** A widget's script on a page. `productId` is null if the script doesn't name one. */
export type FoundSnippet = { clientId: string; productId: string | null };

// Limits for pages that aren't a store's page.
const MAX_SCRIPTS = 2_000;
const MAX_TAG = 4_000;

/** The widget scripts that a page's HTML loads from these origins, without those in comments. */
export function findSnippets(html: string, pageUrl: string, origins: string[]): FoundSnippet[] {
  const found: FoundSnippet[] = [];
  const text = withoutComments(html);
  let scripts = 0;
  for (const { 0: start, index } of text.matchAll(/<script/gi)) {
    scripts += 1;
    if (scripts > MAX_SCRIPTS) break;
    const attributes = attributesOf(text.slice(index + start.length, index + MAX_TAG));
    const clientId = clientOf(attributes.get("src"), pageUrl, origins);
    if (clientId !== null) found.push({ clientId, productId: attributes.get("data-product-id") ?? null });
  }
  return found;
}

/** The store in the URL of a widget's script. The scheme doesn't matter: pages also write `//host/…`. */
function clientOf(src: string | undefined, pageUrl: string, origins: string[]): string | null {
  if (!src || !URL.canParse(src, pageUrl)) return null;
  const url = new URL(src, pageUrl);
  const id = scriptClientOf(url.pathname);
  if (id === null || !origins.some((origin) => new URL(origin).host === url.host)) return null;
  try {
    return decodeURIComponent(id);
  } catch {
    return null; // invalid percent-encoding, so not from a snippet
  }
}

/** A comment ends at the next `-->`, or with the page. */
function withoutComments(html: string): string {
  let text = "";
  let at = 0;
  for (;;) {
    const start = html.indexOf("<!--", at);
    if (start < 0) return text + html.slice(at);
    text += html.slice(at, start);
    const end = html.indexOf("-->", start + 4);
    if (end < 0) return text;
    at = end + 3;
  }
}

/** The attributes of a tag, up to its end. The first one of a name counts. */
function attributesOf(tag: string): Map<string, string> {
  const attributes = new Map<string, string>();
  const pattern = /\s*(>|[^\s=>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/gy;
  for (let match = pattern.exec(tag); match && match[1] !== ">"; match = pattern.exec(tag)) {
    const name = (match[1] ?? "").toLowerCase();
    if (!attributes.has(name)) attributes.set(name, decoded(match[2] ?? match[3] ?? match[4] ?? ""));
  }
  return attributes;
}

const entities: Record<string, string> = { amp: "&", quot: '"', apos: "'", lt: "<", gt: ">" };

const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|(amp|quot|apos|lt|gt));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[name.toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
