import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";

const loopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
/** The host without its port; an IPv6 address has a port only after brackets. */
const hostOf = (value: string): string => value.replace(/^(\[.*\]|[^:]*):\d+$/, "$1");

/** Only proxies send these headers. */
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

/** Whether this installation can have the demo, whose keys are public, at all: only while it's reached locally. */
export function demoAllowedHere(): boolean {
  const { HOST, PUBLIC_URL, CANDOR_DEMO } = env();
  return CANDOR_DEMO || (loopback(HOST) && loopback(new URL(PUBLIC_URL).hostname));
}

/**
 * Whether a request may use the demo's credentials. They are public, so a request to another host name or through a
 * proxy is rejected unless CANDOR_DEMO is set. A proxy without its usual headers isn't detected here: everything beyond
 * the demo needs a password of this installation.
 */
export function demoAllowedFor(headers: Headers): boolean {
  if (env().CANDOR_DEMO) return true;
  if (!demoAllowedHere()) return false;
  if (!loopback(hostOf(headers.get("host") ?? "localhost"))) return false;
  if (proxyHeaders.some((name) => headers.has(name))) return false;
  // Our server and Next set http: any other value comes from a proxy that terminates TLS.
  if ((headers.get("x-forwarded-proto") ?? "http") !== "http") return false;
  // Next adds its own X-Forwarded-* headers; ours and a direct visitor's only name loopback addresses.
  const forwarded = [headers.get("x-forwarded-for"), headers.get("x-forwarded-host")].filter((value) => value !== null);
  return forwarded.every((value) =>
    value.split(",").every((part) => loopback(hostOf(part.trim().replace(/^::ffff:/, "")))),
  );
}

/** A public demo sends no email to addresses that strangers type. Throws `forbidden`. */
export function refuseOpenDemo(client: { demo: boolean }): void {
  if (client.demo && env().CANDOR_DEMO) throw new AppError("forbidden", { reason: "demo_sends_nothing" });
}
