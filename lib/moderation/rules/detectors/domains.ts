import { domainToASCII } from "node:url";

/** Returns a check whether a host is one of these domains or a subdomain, ignoring case and encoding. */
export function domainMatcher(domains: readonly string[]): (host: string) => boolean {
  const known = new Set(domains.map(canonical));
  return (host) => {
    const labels = canonical(host).split(".");
    return labels.some((_, at) => known.has(labels.slice(at).join(".")));
  };
}

const canonical = (host: string): string => (domainToASCII(host) || host.toLowerCase()).replace(/\.$/, "");
