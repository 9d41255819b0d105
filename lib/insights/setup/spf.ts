import { BlockList, isIP } from "node:net";
import { type SpfState, spfRecords } from "./rules";

/** Look-ups that a receiver makes for a record at most (RFC 7208, section 4.6.4). What comes after them has no effect. */
const MAX_LOOKUPS = 10;
/** Networks read of a record at most. No service has that many. */
const MAX_NETWORKS = 500;

/** The TXT records at a name; null if the look-up failed. */
export type LookUpTexts = (name: string) => Promise<readonly string[] | null>;

/**
 * Whether an SPF record allows an email service to send: by its include, also within other includes, or by its addresses.
 * `unknown`: an include depends on the email; `unavailable`: a look-up failed, and what was found doesn't allow it.
 */
export async function spfState(record: string, include: string, lookUp: LookUpTexts): Promise<SpfState> {
  const own = newWalk(include);
  if (await allows(record, own, lookUp)) return "ok";
  if (own.networks.length > 0 && (await hasNetworksOf(include, own, lookUp))) return "ok";
  if (own.failed) return "unavailable";
  return own.hasMacro ? "unknown" : "incomplete";
}

type Network = { address: string; family: "ipv4" | "ipv6"; prefix: number };

/** What was found on the way through a record and its includes. `wanted`: the include to find. */
type Walk = { wanted: string | null; left: number; networks: Network[]; failed: boolean; hasMacro: boolean };

const newWalk = (wanted: string | null): Walk => ({
  ...{ wanted, left: MAX_LOOKUPS, networks: [], failed: false, hasMacro: false },
});

/** Evaluates a record in the order a receiver does, until it allows the wanted include. Collects its networks. */
async function allows(record: string, walk: Walk, lookUp: LookUpTexts): Promise<boolean> {
  const terms = record.trim().toLowerCase().split(/\s+/).slice(1);
  const end = terms.findIndex((term) => /^[+\-~?]?all$/.test(term));
  for (const term of end < 0 ? terms : terms.slice(0, end)) {
    if (walk.left < 0) return false;
    const unqualified = term.replace(/^[+\-~?]/, "");
    const passes = unqualified === term || term.startsWith("+");
    const [mechanism = ""] = unqualified.split(/[:/]/, 1);
    const value = unqualified.slice(mechanism.length + 1);
    const network = passes && toNetwork(mechanism, value);
    if (network && walk.networks.length < MAX_NETWORKS) walk.networks.push(network);
    if (mechanism === "include" && passes) {
      if (await reaches(value, walk, lookUp)) return true;
    } else if (["include", "a", "mx", "ptr", "exists"].includes(mechanism)) walk.left -= 1;
  }
  if (walk.left < 0) return false;
  // The record lets any server send.
  if (/^\+?all$/.test(terms[end] ?? "")) return true;
  // Any `all` comes before it.
  const redirect = end < 0 ? terms.find((term) => term.startsWith("redirect=")) : undefined;
  return redirect !== undefined && reaches(redirect.slice("redirect=".length), walk, lookUp);
}

/** Whether the record at a name is the wanted one, or allows it. */
async function reaches(name: string, walk: Walk, lookUp: LookUpTexts): Promise<boolean> {
  walk.left -= 1;
  if (walk.left < 0) return false;
  if (name === walk.wanted) return true;
  if (name.includes("%")) {
    walk.hasMacro = true;
    return false;
  }
  const texts = await lookUp(name);
  if (texts === null) walk.failed = true;
  const [record] = spfRecords(texts ?? []);
  return record !== undefined && allows(record, walk, lookUp);
}

/** Whether the networks found so far contain all of those that an include allows, as if someone had copied them. */
async function hasNetworksOf(include: string, own: Walk, lookUp: LookUpTexts): Promise<boolean> {
  const service = newWalk(null);
  const allowsAll = await reaches(include, service, lookUp);
  if (service.failed) own.failed = true;
  return (
    !allowsAll &&
    !service.failed &&
    !service.hasMacro &&
    service.left >= 0 &&
    service.networks.length > 0 &&
    service.networks.every((network) => own.networks.some((outer) => contains(outer, network)))
  );
}

function contains(outer: Network, inner: Network): boolean {
  if (outer.family !== inner.family || outer.prefix > inner.prefix) return false;
  const list = new BlockList();
  list.addSubnet(outer.address, outer.prefix, outer.family);
  return list.check(inner.address, inner.family);
}

/** The network of `ip4` and `ip6`; null for other mechanisms and for invalid addresses. */
function toNetwork(mechanism: string, value: string): Network | null {
  if (mechanism !== "ip4" && mechanism !== "ip6") return null;
  const [address = "", length] = value.split("/");
  const isFour = mechanism === "ip4";
  const longest = isFour ? 32 : 128;
  const prefix = length === undefined ? longest : Number(length);
  if (isIP(address) !== (isFour ? 4 : 6) || !Number.isInteger(prefix) || prefix < 0 || prefix > longest) return null;
  return { address, family: isFour ? "ipv4" : "ipv6", prefix };
}
