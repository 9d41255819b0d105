import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { notFoundMethods } from "@/lib/api/methods";
import { createServer } from "@/lib/api/server";

vi.hoisted(() => {
  process.env.PUBLIC_URL = "https://reviews.example";
});

/** Returns a page with the headers that Next would get. */
const server = createServer([{ path: "/v1/thing", methods: notFoundMethods() }], (request, response) => {
  response.writeHead(299, { "Content-Type": "application/json" }).end(JSON.stringify(request.headers));
});
let origin: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

describe("with an https PUBLIC_URL", () => {
  it.each(["/v1/thing", "/portal", "/nothing/%"])(
    "asks browsers to stay on https in every response: %s",
    async (path) => {
      const answer = await fetch(`${origin}${path}`);
      expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000");
    },
  );
});

describe("without TRUST_PROXY", () => {
  it("hides a host sent by the visitor from next-auth, and lets the demo see that there was one", async () => {
    const sent = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https", "x-forwarded-for": "8.8.8.8" };
    const answer = await fetch(`${origin}/api/auth/callback/credentials`, { headers: sent });
    const headers = (await answer.json()) as Record<string, string>;
    expect(headers).not.toHaveProperty("x-forwarded-host");
    expect(headers).not.toHaveProperty("x-forwarded-proto");
    expect(headers).toMatchObject({ "x-forwarded-server": "evil.example", "x-forwarded-for": "8.8.8.8" });
  });
});
