/** The directives of a Content-Security-Policy. The first one of a name counts. */
type Directives = Map<string, Set<string>>;

/** Characters that are read of a policy: more than servers accept in headers. */
const MAX_LENGTH = 20_000;

type Use = {
  /** origin that is to be allowed */
  origin: string;
  pageUrl: string;
  /** each script of the page: its nonce, and whether another script adds it */
  scripts: { nonce: string | null; isInline: boolean }[];
  fetchesJson: boolean;
  showsImages: boolean;
  framesForms: boolean;
  submitsForms: boolean;
  loadsStyles: boolean;
};

/** Names of the directives of a page's policy that block what the page loads from `origin`. */
export function blockingDirectives(policy: string, use: Use): string[] {
  const directives: Directives = new Map();
  for (const part of policy.slice(0, MAX_LENGTH).split(";")) {
    const [name = "", ...sources] = part.trim().split(/\s+/);
    if (name && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), new Set(sources));
  }
  const origin = new URL(use.origin);
  const page = new URL(use.pageUrl);
  const sourcesOf = (...names: string[]) => [...names, "default-src"].map((name) => directives.get(name)).find(Boolean);
  const allows = (...names: string[]) => isListed(sourcesOf(...names), origin, page);
  const scriptSources = sourcesOf("script-src-elem", "script-src");
  const allowsHost = isListed(scriptSources, origin, page);
  return [
    ...(use.scripts.every((script) => allowsScript(scriptSources, script, allowsHost)) ? [] : ["script-src"]),
    ...(!use.fetchesJson || allows("connect-src") ? [] : ["connect-src"]),
    ...(!use.showsImages || allows("img-src") ? [] : ["img-src"]),
    ...(!use.framesForms || allows("frame-src", "child-src") ? [] : ["frame-src"]),
    ...(!use.loadsStyles || allows("style-src-elem", "style-src") ? [] : ["style-src"]),
    // Without it, default-src doesn't count.
    ...(!use.submitsForms || isListed(directives.get("form-action"), origin, page) ? [] : ["form-action"]),
  ];
}

function allowsScript(sources: Set<string> | undefined, script: Use["scripts"][number], allowsHost: boolean): boolean {
  if (script.nonce !== null && sources?.has(`'nonce-${script.nonce}'`)) return true;
  // Then hosts have no effect, and what an allowed script adds is allowed.
  return sources?.has("'strict-dynamic'") ? script.isInline : allowsHost;
}

/** Whether one of the sources matches the origin. Without a directive, everything is allowed. */
function isListed(sources: Set<string> | undefined, origin: URL, page: URL): boolean {
  if (!sources) return true;
  const { protocol, hostname, port } = origin;
  return [...sources].some((source) => {
    if (source === "*") return true;
    if (source.toLowerCase() === "'self'") return page.origin === origin.origin;
    if (/^https?:$/i.test(source)) return isScheme(source, protocol);
    // A source with a path allows only that path or folder.
    const [, scheme, host = "", ports, path] = /^(?:(https?):\/\/)?([^/:']+)(?::(\d+|\*))?(\/.*)?$/i.exec(source) ?? [];
    if (!host || (path && path !== "/")) return false;
    const named = host.toLowerCase();
    const matchesHost = named.startsWith("*.") ? hostname.endsWith(named.slice(1)) : hostname === named;
    const matchesPort = ports === "*" || (ports ?? "") === port || (ports === "443" && protocol === "https:" && !port);
    return matchesHost && matchesPort && isScheme(`${scheme ?? page.protocol.slice(0, -1)}:`, protocol);
  });
}

/** http in a policy includes https. */
const isScheme = (allowed: string, protocol: string): boolean =>
  allowed.toLowerCase() === protocol || (allowed.toLowerCase() === "http:" && protocol === "https:");
