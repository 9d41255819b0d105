import { globSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { contracts, routes } from "@/app/_routes";
import { describeEndpoints } from "@/app/_suites/endpoint-suite";
import type { Methods } from "@/lib/api/methods";
import type { Contract } from "@/lib/platform/http/contract";
import { errorBody } from "@/lib/platform/http/fields";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { call, serverKind } from "@/lib/tools/test/call";
import { aClient } from "@/lib/tools/test/factories";
import { expectError } from "@/lib/tools/test/lists";
import { handlerTransport, send, serve, serverTransport } from "@/lib/tools/test/test-server";

describe("the route list", () => {
  // Next's own routes and the catch-all 404 routes have no contract.
  const files = globSync("app/**/route.ts", { cwd: root }).filter(
    (file) => !/^app\/api\/(auth|inngest)\//.test(file) && !file.includes("[[...path]]"),
  );
  const pathOf = (file: string) =>
    `/${path.dirname(path.relative("app", file))}`.replace(/\/\([^)]+\)/g, "").replace(/\[(?:\.\.\.)?(\w+)\]/g, "{$1}");

  it("has one file per route, and one route per file", () => {
    expect(files.map(pathOf).sort()).toEqual(routes.map((route) => route.path).sort());
    expect(new Set(contracts.map(({ id }) => id)).size).toBe(contracts.length);
    expect(new Set(contracts.map(({ method, path }) => `${method} ${path}`)).size).toBe(contracts.length);
  });

  it.each(files)("%s exports the handlers of its own folder for every method", async (file) => {
    const module = (await import(path.join(root, file))) as Methods;
    const offered = Object.values(module).flatMap((handler) => ("contract" in handler ? [handler.contract] : []));
    expect(offered.length).toBeGreaterThan(0);
    for (const contract of offered as Contract[]) {
      expect(contract.path).toBe(pathOf(file));
      expect(contracts).toContain(contract);
    }
    expect(Object.keys(module).sort()).toEqual(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);
  });
});

describeEndpoints(handlerTransport);
// With the built service, its own server is tested instead of the handlers.
if (serverKind === null) describeEndpoints(serverTransport(routes));

describe("the server", () => {
  it("rejects methods that no route can export, accepts trailing slashes, passes other paths to pages", async () => {
    const served = await serve(routes);
    try {
      const ask = (path: string, method: string) => send(served.port, new Request(`http://localhost${path}`), method);
      for (const method of ["PROPFIND", "LOCK", "TRACE"]) {
        const answer = await ask("/v1/orders", method);
        expect({ status: answer.status, allow: answer.headers.get("allow") }).toEqual({
          status: 405,
          allow: "GET, HEAD, OPTIONS, POST",
        });
        errorBody.parse(await answer.json());
      }
      expect((await ask("/v1/orders/", "GET")).status).toBe(401);
      expect((await ask("/v1/orders//", "GET")).status).toBe(299);
      expect((await ask("/v1/nothing", "GET")).status).toBe(299);
    } finally {
      await served.close();
    }
  });

  const raw = (port: number, head: string) =>
    new Promise<string>((resolve, reject) => {
      let answer = "";
      const socket = connect(port, "127.0.0.1", () => socket.write(`${head}\r\nConnection: close\r\n\r\n`));
      socket.on("data", (piece) => {
        answer += piece;
      });
      socket.on("close", () => resolve(answer));
      socket.on("error", reject);
    });

  it("explains an unreadable request head", async () => {
    const served = await serve(routes);
    try {
      for (const [head, status, code] of [
        [`GET /v1/clients?after=${"x".repeat(17_000)} HTTP/1.1\r\nHost: localhost`, 431, "too_large"],
        [`GET /v1/clients HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(17_000)}`, 431, "too_large"],
        ["GET /v1/clients HTTP/1.1\r\nHost: localhost\r\nNo colon", 400, "invalid_parameter"],
        ["GET /v1/cli ents HTTP/1.1\r\nHost: localhost", 400, "invalid_parameter"],
        ["no request at all", 400, "invalid_parameter"],
      ] as const) {
        const [first = "", body = ""] = (await raw(served.port, head)).split("\r\n\r\n");
        expect(first.split("\r\n")[0]).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
        expect(first).toContain("Content-Type: application/json");
        expect(errorBody.parse(JSON.parse(body)).errors).toMatchObject([{ code, field: null }]);
        expect(body).not.toContain("xxx");
      }
    } finally {
      await served.close();
    }
  });

  it("answers 400 to a request without a valid Host", async () => {
    const served = await serve(routes);
    try {
      for (const head of [
        "GET /v1/clients HTTP/1.1\r\nHost: no host/at all",
        "GET /v1/clients HTTP/1.1\r\nHost: a/b@c",
        "GET /v1/clients HTTP/1.1\r\nHost: ",
        "GET /v1/clients?token=sk_1 HTTP/1.0",
        "GET /v1/clients HTTP/1.1\r\nHost: 999.1.1.1",
        "POST /collect/reviews HTTP/1.1\r\nHost: shop.example:99999",
      ]) {
        const [first = "", body = ""] = (await raw(served.port, head)).split("\r\n\r\n");
        expect(first).toMatch(/^HTTP\/1\.1 400 /);
        expect(body).toContain('"invalid_parameter"');
      }
      // Page paths get a plain-text error; without a Host header the page is served.
      for (const host of ["999.1.1.1", "1.2.3.4.5", "a/b@c"]) {
        const answer = await raw(served.port, `GET /portal HTTP/1.1\r\nHost: ${host}`);
        expect(answer).toMatch(/^HTTP\/1\.1 400 .*text\/plain.*\r\n\r\n.*The Host header/s);
      }
      for (const head of ["HTTP/1.1\r\nHost: [::1]:3000", "HTTP/1.1\r\nHost: Shop.example:80", "HTTP/1.0"])
        expect(await raw(served.port, `GET /portal ${head}`)).toMatch(/^HTTP\/1\.1 299 /);
    } finally {
      await served.close();
    }
  });
});

describe("a body with too many issues", () => {
  it("is rejected with the first thousand", async () => {
    const custom_questions = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`q${index}`, 1]));
    const shop = await aClient();
    const body = { client_id: shop.id, api_key: shop.publicKey, product_id: "p", author: "Ada", score: 5 };
    const collect = routes.find(({ path }) => path === "/collect/reviews")?.methods as Methods;
    const answer = await call(collect, "POST", "/collect/reviews", { body: { ...body, custom_questions } });
    expectError(answer, 406, "invalid_field");
    expect(answer.json.errors).toHaveLength(1_000);
  });
});

describe("an unknown path below the API", () => {
  it.each(["/v1", "/collect", "/portal/api"])("%s returns not_found", async (above) => {
    const module = (await import(path.join(root, "app", above, "[[...path]]/route.ts"))) as Methods;
    for (const method of ["GET", "POST", "DELETE"] as const)
      expectError(await call(module, method, `${above}/nothing`), 404, "not_found");
    const { headers } = await call(module, "POST", `${above}/nothing`);
    expect(headers.get("access-control-allow-origin")).toBe(above === "/collect" ? "*" : null);
    // Browsers send JSON from a page, and let it read the response, only after a successful preflight.
    const preflight = await call(module, "OPTIONS", `${above}/nothing`);
    expect(preflight.status).toBe(above === "/collect" ? 204 : 404);
    expect(preflight.headers.get("access-control-allow-headers")).toBe(above === "/collect" ? "Content-Type, *" : null);
  });
});
