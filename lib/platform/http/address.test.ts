import { afterEach, describe, expect, it, vi } from "vitest";

// Settings are read once, so each case loads the module again.
async function addressWith(trust: string, headers: Record<string, string>, socket: string | undefined) {
  vi.resetModules();
  vi.stubEnv("TRUST_PROXY", trust);
  const { ipAddressOf } = await import("@/lib/platform/http/address");
  return ipAddressOf(new Headers(headers), socket);
}
afterEach(() => vi.unstubAllEnvs());

const chain = { "x-forwarded-for": "198.51.100.9, 203.0.113.5, 10.0.0.2" };

describe("the caller's address", () => {
  it.each([
    // No trusted proxy: the socket's address.
    ["", {}, "203.0.113.1", "203.0.113.1"],
    ["", chain, "203.0.113.1", "203.0.113.1"],
    ["", {}, "::ffff:203.0.113.1", "203.0.113.1"],
    ["", {}, "2001:DB8::0:1", "2001:db8::1"],
    ["", { "x-candor-address": "198.51.100.9" }, "203.0.113.1", "203.0.113.1"],
    // A number of hops.
    ["1", chain, "10.0.0.1", "10.0.0.2"],
    ["2", chain, "10.0.0.1", "203.0.113.5"],
    ["9", chain, "10.0.0.1", "198.51.100.9"],
    ["2", {}, "10.0.0.1", "10.0.0.1"],
    ["0", chain, "10.0.0.1", "10.0.0.1"],
    // Networks: the nearest address outside them, whatever precedes it.
    ["10.0.0.0/8", chain, "10.0.0.1", "203.0.113.5"],
    ["10.0.0.0/8, 203.0.113.0/24", chain, "10.0.0.1", "198.51.100.9"],
    ["10.0.0.0/8", chain, "203.0.113.1", "203.0.113.1"],
    ["10.0.0.0/8", { "x-forwarded-for": "10.0.0.3, 10.0.0.2" }, "10.0.0.1", "10.0.0.3"],
    ["::1", { "x-forwarded-for": "[2001:db8::7]:4711" }, "::1", "2001:db8::7"],
    ["127.0.0.1", { "x-forwarded-for": "203.0.113.5:4711" }, "::ffff:127.0.0.1", "203.0.113.5"],
    // The address that the server passes to pages wins.
    ["1", { ...chain, "x-candor-address": "203.0.113.5" }, undefined, "203.0.113.5"],
    ["", { "x-forwarded-for": "198.51.100.9, 203.0.113.5" }, undefined, "203.0.113.5"],
  ])("with TRUST_PROXY=%s and %o from %s is %s", async (trust, headers, socket, expected) => {
    expect(await addressWith(trust, headers as Record<string, string>, socket)).toBe(expected);
  });
});

it("limits an IPv6 caller by network, an IPv4 caller by address", async () => {
  const { networkOf } = await import("@/lib/platform/http/address");
  expect(networkOf("2001:db8:1:2::7")).toBe("2001:db8:1:2::/64");
  expect(networkOf("2001:db8:1:2:ffff::1")).toBe(networkOf("2001:db8:1:2::7"));
  expect(networkOf("2001:db8:1:3::7")).not.toBe(networkOf("2001:db8:1:2::7"));
  expect(networkOf("203.0.113.5")).toBe("203.0.113.5");
  expect(networkOf("")).toBe("");
});
