import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { env } from "@/lib/platform/env";

/** Set by the server on requests that it passes to Next; replaces any value sent by the visitor. */
export const ADDRESS_HEADER = "x-candor-address";

/**
 * The caller's address: the socket's, unless TRUST_PROXY names trusted hops or networks. `socket` is undefined under
 * plain `next start`, where only Next's own forwarding header is available.
 */
export function ipAddressOf(headers: Headers, socket: string | undefined): string {
  const peer = normal(socket ?? headers.get(ADDRESS_HEADER) ?? headers.get("x-forwarded-for")?.split(",").at(-1) ?? "");
  const trust = env().TRUST_PROXY;
  if (!trust || (socket === undefined && headers.has(ADDRESS_HEADER))) return peer;
  // Nearest first: the socket, then what each proxy appended.
  const chain = [peer, ...(headers.get("x-forwarded-for") ?? "").split(",").map(normal).filter(Boolean).reverse()];
  if ("hops" in trust) return chain[Math.min(trust.hops, chain.length - 1)] ?? peer;
  return chain.find((address) => !isTrusted(address, trust.networks)) ?? chain.at(-1) ?? peer;
}

/**
 * The unit of rate limits: an IPv4 address, or the /64 network of an IPv6 address, since a caller usually controls all
 * of it. `bits`: prefix length for IPv4. Returns anything else unchanged.
 */
export function networkOf(address: string, bits: 24 | 32 = 32): string {
  if (bits === 32 && isIPv4(address)) return address;
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4)
    return bits === 32 ? parsed.toString() : `${parsed.octets.slice(0, 3).join(".")}.0/24`;
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

function isTrusted(address: string, networks: [ipaddr.IPv4 | ipaddr.IPv6, number][]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  return networks.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits));
}

/** Normalizes an address: IPv4 mapped to IPv6 becomes IPv4, ports and brackets are removed. */
function normal(value: string): string {
  if (isIPv4(value)) return value;
  const bare = value
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : bare;
}
