import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";

const loopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
/** Without its port; an IPv6 address has one only after brackets. */
const hostOf = (value: string): string => value.replace(/^(\[.*\]|[^:]*):\d+$/, "$1");

/** Only somebody in between sends these. */
const proxyHeaders = [
  "forwarded",
  "via",
  "x-real-ip",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-forwarded-server",
  "true-client-ip",
  "cf-connecting-ip",
  "fly-client-ip",
];

/** Whether this installation may have the demo, whose keys everybody knows, at all: only while it is reached locally. */
export function demoAllowedHere(): boolean {
  const { HOST, PUBLIC_URL, CANDOR_DEMO } = env();
  return CANDOR_DEMO || (loopback(HOST) && loopback(new URL(PUBLIC_URL).hostname));
}

/**
 * Whether a request may use the demo's credentials. Everybody knows its keys, so a request that came by another name, or
 * through a proxy, is refused unless CANDOR_DEMO says otherwise. A proxy that says nothing of itself is not seen here: what
 * opens more than the demo is behind a password of the installation's own.
 */
export function demoAllowedFor(headers: Headers): boolean {
  if (env().CANDOR_DEMO) return true;
  if (!demoAllowedHere()) return false;
  if (!loopback(hostOf(headers.get("host") ?? "localhost"))) return false;
  if (proxyHeaders.some((name) => headers.has(name))) return false;
  // Ours and Next say http: who says otherwise ended somebody's https.
  if ((headers.get("x-forwarded-proto") ?? "http") !== "http") return false;
  // Next adds X-Forwarded-* of its own; ours and a direct visitor's name loopback only.
  const forwarded = [headers.get("x-forwarded-for"), headers.get("x-forwarded-host")].filter((value) => value !== null);
  return forwarded.every((value) =>
    value.split(",").every((part) => loopback(hostOf(part.trim().replace(/^::ffff:/, "")))),
  );
}

/** A demo that the world may sign in to sends no mail to addresses that strangers type. Throws `forbidden`. */
export function refuseOpenDemo(client: { demo: boolean }): void {
  if (client.demo && env().CANDOR_DEMO) throw new AppError("forbidden", { reason: "demo_sends_nothing" });
}
