/** Whether a host is one of the domains, or below one. */
export function isOfDomains(host: string, domains: readonly string[]): boolean {
  const given = host.toLowerCase().replace(/\.$/, "");
  return domains.some((domain) => given === domain.toLowerCase() || given.endsWith(`.${domain.toLowerCase()}`));
}
