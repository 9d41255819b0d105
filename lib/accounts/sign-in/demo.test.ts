import { afterEach, describe, expect, it, vi } from "vitest";

// Settings are read once, so each case reloads the module.
async function demoWith(settings: Record<string, string>) {
  vi.resetModules();
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  return import("@/lib/accounts/sign-in/demo");
}
afterEach(() => vi.unstubAllEnvs());

const local = { HOST: "127.0.0.1", PUBLIC_URL: "http://localhost:3000" };

describe("the demo's credentials", () => {
  it.each([
    [{}, true],
    [{ host: "localhost:3000" }, true],
    [{ host: "127.0.0.1:3000" }, true],
    [{ host: "127.0.0.2" }, true],
    [{ host: "[::1]:3000" }, true],
    [{ host: "[::1]" }, true],
    [{ host: "localhost:3000", "x-forwarded-for": "127.0.0.1", "x-forwarded-host": "localhost:3000" }, true],
    [{ host: "localhost:3000", "x-forwarded-for": "::1" }, true],
    [{ host: "localhost:3000", "x-forwarded-for": "::ffff:127.0.0.1" }, true],
    [{ host: "reviews.example" }, false],
    [{ host: "reviews.example:3000" }, false],
    [{ host: "localhost.evil.example" }, false],
    [{ host: "127.0.0.1.evil.example" }, false],
    [{ host: "10.0.0.1" }, false],
    [{ host: "localhost:3000", "x-forwarded-for": "203.0.113.9" }, false],
    [{ host: "localhost:3000", "x-forwarded-for": "127.0.0.1, 203.0.113.9" }, false],
    [{ host: "localhost:3000", "x-forwarded-for": "2001:db8::1" }, false],
    [{ host: "localhost:3000", "x-forwarded-host": "reviews.example" }, false],
    [{ host: "localhost:3000", forwarded: "for=127.0.0.1" }, false],
    [{ host: "localhost:3000", via: "1.1 proxy" }, false],
    [{ host: "localhost:3000", "x-real-ip": "127.0.0.1" }, false],
    [{ host: "localhost:3000", "cf-connecting-ip": "127.0.0.1" }, false],
    [{ host: "localhost:3000", "x-forwarded-proto": "http" }, true],
    [{ host: "localhost:3000", "x-forwarded-proto": "https" }, false],
    [{ host: "localhost:3000", "x-forwarded-proto": "https,http" }, false],
  ])("with %o: %s", async (headers, allowed) => {
    const { demoAllowedFor } = await demoWith(local);
    expect(demoAllowedFor(new Headers(headers as Record<string, string>))).toBe(allowed);
  });

  it.each([
    [{ HOST: "0.0.0.0", PUBLIC_URL: "http://localhost:3000" }, false],
    [{ HOST: "127.0.0.1", PUBLIC_URL: "https://reviews.example" }, false],
    [{ HOST: "::1", PUBLIC_URL: "http://[::1]:3000" }, true],
    [{ HOST: "0.0.0.0", PUBLIC_URL: "https://reviews.example", CANDOR_DEMO: "true" }, true],
  ])("on an installation of %o: %s", async (settings, allowed) => {
    const { demoAllowedFor, demoAllowedHere } = await demoWith(settings as unknown as Record<string, string>);
    expect(demoAllowedHere()).toBe(allowed);
    expect(demoAllowedFor(new Headers({ host: "localhost:3000" }))).toBe(allowed);
  });
});
