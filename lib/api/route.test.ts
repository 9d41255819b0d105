import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { route } from "@/lib/api/route";
import { AppError } from "@/lib/platform/errors";
import { type Contract, endpoint } from "@/lib/platform/http/contract";
import { log } from "@/lib/platform/log";

const at = (path: string, given: Partial<Contract> = {}) =>
  endpoint({ id: "test", method: "GET", path, tag: "Service", summary: "", auth: "public", ...given });

/** Calls an endpoint and returns its response with what was logged. */
async function ask(path: string, contract: Contract, handle: () => unknown = () => undefined) {
  const lines: unknown[] = [];
  for (const level of ["info", "warn", "error"] as const)
    vi.spyOn(log, level).mockImplementation((...line: unknown[]) => void lines.push(...line));
  const answer = await route(contract, handle as never)(new Request(new URL(path, "http://localhost:3000")), {
    address: "203.0.113.1",
  });
  return { status: answer.status, text: await answer.text(), headers: answer.headers, lines };
}
afterEach(() => vi.restoreAllMocks());

describe("the log", () => {
  const pathOf = (lines: unknown[]) => (lines.at(-1) as { path: string }).path;

  it("contains neither searched people nor credentials", async () => {
    const secrets = ["token", "email", "customer_email", "customer_id", "api_key", "q", "signature", "voter_id"];
    const query = secrets.map((name) => `${name}=S3CRET&${name}=S3CRET-again`).join("&");
    const { lines } = await ask(`/v1/tests?${query}&limit=5`, at("/v1/tests"));
    expect(JSON.stringify(lines)).not.toContain("S3CRET");
    expect(pathOf(lines)).toBe(`/v1/tests?${secrets.map((name) => `${name}=***`).join("&")}&limit=5`);
  });

  it("truncates links that grant access by themselves", async () => {
    for (const folder of ["/r/", "/o/", "/d/", "/collect/feedback/", "/images/"]) {
      const { lines } = await ask(`${folder}abcdefghijkl`, at(`${folder}{token}`));
      expect(pathOf(lines)).toBe(`${folder}abcd…`);
    }
  });
});

describe("an error", () => {
  it("that is unexpected is logged in detail, and reported to the caller as internal only", async () => {
    const { status, text, lines } = await ask("/v1/tests", at("/v1/tests"), () => {
      throw new Error("select secret from tests");
    });
    expect(status).toBe(500);
    expect(JSON.parse(text)).toEqual({
      errors: [
        { code: "internal", message: "Something went wrong on our side.", field: null, reason: "internal", params: {} },
      ],
    });
    expect(lines[0]).toMatchObject({ err: { message: "select secret from tests" } });
  });

  it("that the contract doesn't list is an internal error, except in production", async () => {
    const refuse = () => {
      throw new AppError("conflict", { reason: "username_taken", params: { name: "ada" } });
    };
    const { status, lines } = await ask("/v1/tests", at("/v1/tests"), refuse);
    expect(status).toBe(500);
    expect(lines[0]).toMatchObject({
      err: { message: expect.stringContaining("test failed with conflict, which isn't in its contract") },
    });
    expect((await ask("/v1/tests", at("/v1/tests", { errors: ["conflict"] }), refuse)).status).toBe(409);
  });

  it("is a sentence at its field, with its headers", async () => {
    const { status, text, headers } = await ask("/v1/tests", at("/v1/tests", { errors: ["rate_limited"] }), () => {
      throw new AppError("rate_limited", {
        issues: [
          { field: "a[0].b", reason: "not_text" },
          { field: null, reason: "too_long", params: { max: 7 } },
        ],
        headers: { "Retry-After": "7" },
      });
    });
    expect({ status, after: headers.get("retry-after"), type: headers.get("content-type") }).toEqual({
      status: 429,
      after: "7",
      type: "application/json; charset=utf-8",
    });
    expect(JSON.parse(text).errors).toEqual([
      { code: "rate_limited", message: "a[0].b must be text.", field: "a[0].b", reason: "not_text", params: {} },
      {
        code: "rate_limited",
        message: "The body must be at most 7 characters long.",
        field: null,
        reason: "too_long",
        params: { max: 7 },
      },
    ]);
  });

  it("is also a response that violates the contract", async () => {
    const contract = at("/v1/tests", { response: z.object({ data: z.string() }) });
    expect((await ask("/v1/tests", contract, () => ({ data: "x" }))).status).toBe(200);
    expect((await ask("/v1/tests", contract, () => ({ data: 1 }))).status).toBe(500);
  });
});

describe("NUL in a URL", () => {
  it("is rejected with its field", async () => {
    for (const [path, status] of [
      ["/v1/tests?a=%00", 400],
      ["/v1/tests?%00=a", 400],
      ["/v1/%00", 404],
    ] as const)
      expect((await ask(path, at(path.startsWith("/v1/t") ? "/v1/tests" : "/v1/{id}"))).status).toBe(status);
  });
});
