/** The directives of a Content-Security-Policy. The first one of a name counts. */
type Directives = Map<string, string[]>;

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
  for (const part of policy.split(";")) {
    const [name = "", ...sources] = part.trim().split(/\s+/);
    if (name && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
  }
  const sourcesOf = (...names: string[]) => [...names, "default-src"].map((name) => directives.get(name)).find(Boolean);
  const allows = (...names: string[]) => isListed(sourcesOf(...names), use);
  const scriptSources = sourcesOf("script-src-elem", "script-src");
  return [
    ...(use.scripts.every((script) => allowsScript(scriptSources, script, use)) ? [] : ["script-src"]),
    ...(!use.fetchesJson || allows("connect-src") ? [] : ["connect-src"]),
    ...(!use.showsImages || allows("img-src") ? [] : ["img-src"]),
    ...(!use.framesForms || allows("frame-src", "child-src") ? [] : ["frame-src"]),
    ...(!use.loadsStyles || allows("style-src-elem", "style-src") ? [] : ["style-src"]),
    // Without it, default-src doesn't count.
    ...(!use.submitsForms || isListed(directives.get("form-action"), use) ? [] : ["form-action"]),
  ];
}

function allowsScript(sources: string[] | undefined, script: Use["scripts"][number], use: Use): boolean {
  if (script.nonce !== null && sources?.includes(`'nonce-${script.nonce}'`)) return true;
  // Then hosts have no effect, and what an allowed script adds is allowed.
  return sources?.includes("'strict-dynamic'") ? script.isInline : isListed(sources, use);
}

/** Whether one of the sources matches the origin. Without a directive, everything is allowed. */
function isListed(sources: string[] | undefined, { origin, pageUrl }: Use): boolean {
  if (!sources) return true;
  const { protocol, hostname, port } = new URL(origin);
  return sources.some((source) => {
    if (source === "*") return true;
    if (source.toLowerCase() === "'self'") return new URL(pageUrl).origin === origin;
    if (/^https?:$/i.test(source)) return isScheme(source, protocol);
    // A source with a path allows only that path or folder.
    const [, scheme, host = "", ports, path] = /^(?:(https?):\/\/)?([^/:']+)(?::(\d+|\*))?(\/.*)?$/i.exec(source) ?? [];
    if (!host || (path && path !== "/")) return false;
    const named = host.toLowerCase();
    const matchesHost = named.startsWith("*.") ? hostname.endsWith(named.slice(1)) : hostname === named;
    const matchesPort = ports === "*" || (ports ?? "") === port || (ports === "443" && protocol === "https:" && !port);
    return matchesHost && matchesPort && isScheme(`${scheme ?? new URL(pageUrl).protocol.slice(0, -1)}:`, protocol);
  });
}

/** http in a policy includes https. */
const isScheme = (allowed: string, protocol: string): boolean =>
  allowed.toLowerCase() === protocol || (allowed.toLowerCase() === "http:" && protocol === "https:");
