import http from "node:http";
import { describe, expect, it } from "vitest";
import { checkPageBody } from "@/lib/platform/http/page-body";
import { serve } from "@/lib/tools/test/test-server";

const MiB = 1024 * 1024;
const length = (bytes: number) => ({ "content-length": String(bytes) });

describe("the body of a request to a page", () => {
  it("may be large only for forms with photos", () => {
    for (const path of ["/r/abc", "/reviews/new"]) {
      expect(checkPageBody(path, length(110 * MiB))).toBeNull();
      expect(checkPageBody(path, length(110 * MiB + 1))?.status).toBe(413);
    }
    for (const path of ["/portal/sign-in", "/api/auth/callback/credentials", "/docs", "/r/abc/x", "/r"]) {
      expect(checkPageBody(path, length(MiB))).toBeNull();
      expect(checkPageBody(path, length(MiB + 1))?.status).toBe(413);
    }
    expect(checkPageBody("/docs", {})).toBeNull();
  });

  it("is limited for URL-encoded forms, which are slow to read", () => {
    const plain = (bytes: number) => ({
      ...length(bytes),
      "content-type": "application/x-www-form-urlencoded; charset=utf-8",
    });
    for (const path of ["/r/abc", "/api/auth/callback/credentials"]) {
      expect(checkPageBody(path, plain(16 * 1024))).toBeNull();
      expect(checkPageBody(path, plain(16 * 1024 + 1))).toEqual({
        status: 413,
        reason: "form_too_large",
        params: { kib: 16 },
      });
    }
  });

  it("requires a Content-Length", () => {
    expect(checkPageBody("/r/abc", { "transfer-encoding": "chunked" })?.status).toBe(411);
  });

  it("is rejected before it is read if it's too large", async () => {
    const server = await serve([]);
    const status = await new Promise((resolve, reject) => {
      const request = http.request(
        { port: server.port, method: "POST", path: "/portal/sign-in", headers: { "Content-Length": 100 * MiB } },
        (answer) => {
          resolve(answer.statusCode);
          request.destroy();
        },
      );
      request.on("error", reject);
      request.write("x"); // the rest is never sent
    });
    await server.close();
    expect(status).toBe(413);
  });
});
