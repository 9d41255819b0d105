import http from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { routes } from "@/app/_routes";
import * as collectQuestion from "@/app/collect/questions/route";
import * as collect from "@/app/collect/reviews/route";
import * as uploader from "@/app/uploader/route";
import * as order from "@/app/v1/orders/[id]/route";
import * as orders from "@/app/v1/orders/route";
import * as products from "@/app/v1/products/route";
import { signInToPortal } from "@/lib/accounts/sign-in/portal-sign-in";
import type { Methods } from "@/lib/api/methods";
import { errorBody } from "@/lib/platform/http/fields";
import { call, type RequestOptions, type TestResponse } from "@/lib/tools/test/call";
import { aClient, aKey, aUser, hashDatabase } from "@/lib/tools/test/factories";
import { serve } from "@/lib/tools/test/test-server";

// A tenth of the published limits, so that a test can reach them.
process.env.RATE_LIMITS = "0.1";

// Buckets refill over time. Freeze the clock so that a slow machine doesn't change results; tests advance it.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const list = (key: string, address?: string) => call(products, "GET", "/v1/products", { key, address });

function expectLimited(answer: TestResponse): void {
  expect(answer.status).toBe(429);
  expect(answer.json.errors[0].code).toBe("rate_limited");
  errorBody.parse(answer.json);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
}

describe("rate limits", () => {
  it("allow a burst per key, return what is left, and reject further calls with the time to wait", async () => {
    const shop = await aClient();
    const first = await list(shop.key);
    expect(first.headers.get("ratelimit-policy")).toBe('"management";q=100;w=10');
    expect(first.headers.get("ratelimit")).toMatch(/^"management";r=99;t=\d+$/);
    const answers: TestResponse[] = [];
    for (let call = 0; call < 130; call += 1) answers.push(await list(shop.key));
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited).toHaveLength(31);
    expectLimited(limited[0] as TestResponse);
    expect((limited[0] as TestResponse).headers.get("ratelimit")).toMatch(/^"management";r=0;t=\d+$/);
    expect((limited[0] as TestResponse).headers.get("ratelimit-remaining")).toBe("0");
    // Other keys and other people have their own limits.
    expect((await list((await aKey([shop.id])).secret)).status).toBe(200);
    const { basic } = await aUser("viewer", { clients: [shop.id] });
    expect((await call(products, "GET", "/v1/products", { basic })).status).toBe(200);
    // The bucket refills at 10 per second.
    vi.advanceTimersByTime(100);
    expect((await list(shop.key)).status).toBe(200);
    expect((await list(shop.key)).status).toBe(429);
  });

  it("are sent with every response of the management API", async () => {
    const shop = await aClient();
    const { secret } = await aKey([shop.id], ["privacy"]);
    const expectLimitHeaders = async (answer: Promise<TestResponse>) => {
      const { headers, status } = await answer;
      const field = (name: string) => headers.get(`ratelimit-${name}`) ?? "";
      const [, left, seconds] = /^"management";r=(\d+);t=(\d+)$/.exec(headers.get("ratelimit") ?? "") ?? [];
      expect([field("limit"), field("remaining"), field("reset")]).toEqual(["100", left, seconds]);
      return status;
    };
    const key = shop.key;
    const ask = (method: keyof Methods, path: string, module: Partial<Methods>, sent: RequestOptions = {}) =>
      expectLimitHeaders(call(module, method, path, { key, ...sent }));
    expect([
      await ask("GET", "/v1/products", products),
      await ask("HEAD", "/v1/products", products),
      await ask("GET", "/v1/products?limit=0", products),
      await ask("GET", "/v1/products?client_id=nobody", products),
      await ask("GET", "/v1/products", products, { key: secret }),
      await ask("GET", "/v1/orders/none", order),
      await ask("POST", "/v1/orders", orders, { body: {} }),
      await ask("POST", "/v1/orders", orders, { body: "{" }),
      await ask("POST", "/v1/orders", orders, { body: "{}", headers: { "Content-Type": "text/plain" } }),
      await ask("POST", "/v1/orders", orders, { body: {}, headers: { "Idempotency-Key": "" } }),
    ]).toEqual([200, 200, 400, 403, 403, 404, 422, 400, 415, 400]);
    // Unauthenticated callers don't get a RateLimit header.
    expect((await list("sk_wrong", "203.0.113.9")).headers.get("ratelimit")).toBeNull();
  });

  it("count failed credentials by address, before checking the credentials", async () => {
    const shop = await aClient();
    const address = "203.0.113.1";
    const statuses = [];
    for (let attempt = 0; attempt < 7; attempt += 1) statuses.push((await list(`sk_wrong_${attempt}`, address)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expectLimited(await list(shop.key, address));
    expect((await list(shop.key, "203.0.113.2")).status).toBe(200);
  });

  it("count wrong passwords by user name and address, then by its network, then overall", async () => {
    const shop = await aClient();
    const { username, password } = await aUser("viewer", { clients: [shop.id] });
    const from = (pair: readonly [string, string], address: string) =>
      call(products, "GET", "/v1/products", { basic: pair, address });
    expect((await from([username, "wrong"], "203.0.113.3")).status).toBe(401);
    expectLimited(await from([username, password], "203.0.113.3"));
    // The correct password still works from another address. A network has three attempts, all networks together ten.
    expect((await from([username, password], "203.0.113.4")).status).toBe(200);
    for (const last of [5, 6]) expect((await from([username, "wrong"], `203.0.113.${last}`)).status).toBe(401);
    expectLimited(await from([username, password], "203.0.113.4"));
    for (let n = 0; n < 7; n += 1) expect((await from([username, "wrong"], `198.51.${n}.1`)).status).toBe(401);
    expectLimited(await from([username, password], "192.0.2.1"));
  });

  it("count wrong passwords that are tried concurrently", async () => {
    const shop = await aClient();
    const { username, password } = await aUser("viewer", { clients: [shop.id] });
    const guesses = [...Array.from({ length: 19 }, (_, guess) => `wrong ${guess}`), password];
    const byBasic = await Promise.all(
      guesses.map((guess) =>
        call(products, "GET", "/v1/products", { basic: [username, guess], address: "203.0.113.100" }),
      ),
    );
    expect(byBasic.filter(({ status }) => status !== 429)).toHaveLength(1);

    const other = await aUser("viewer", { clients: [shop.id] });
    const local = new Headers({ host: "localhost:3000", "x-candor-address": "203.0.113.140" });
    const answers = await Promise.allSettled(guesses.map((guess) => signInToPortal(other.username, guess, local)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const answer of answers)
      if (answer.status === "rejected") expect(answer.reason).toMatchObject({ code: "rate_limited" });
  });

  it("limit submissions by client and address, and store none above the limit", async () => {
    const shop = await aClient();
    const other = await aClient();
    const submit = (client: typeof shop, n: number, address: string, extra = {}) =>
      call(collect, "POST", "/collect/reviews", {
        address,
        body: {
          client_id: client.id,
          api_key: client.publicKey,
          product_id: "p",
          author: "Ada",
          score: 5,
          content: `${n}`,
          ...extra,
        },
      });
    const answers = [];
    for (let n = 0; n < 14; n += 1) answers.push(await submit(shop, n, "203.0.113.6"));
    expect(answers.map(({ status }) => status)).toEqual([...Array(12).fill(201), 429, 429]);
    const before = await hashDatabase();
    const limited = await submit(shop, 99, "203.0.113.6");
    expectLimited(limited);
    expect(limited.headers.get("access-control-allow-origin")).toBe("*");
    // `author_ip` in the body is data and doesn't select a limit.
    expectLimited(await submit(shop, 100, "203.0.113.6", { author_ip: "198.51.100.1" }));
    expect(await hashDatabase()).toBe(before);
    expect((await submit(shop, 101, "203.0.113.7")).status).toBe(201);
    expect((await submit(other, 102, "203.0.113.6")).status).toBe(201);
  });

  it("limit unauthenticated bytes by address", async () => {
    const shop = await aClient();
    const address = "203.0.113.8";
    const large = (more = {}) => JSON.stringify({ api_key: "pk_wrong", ...more, content: "x".repeat(1_000_000) });
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1)
      statuses.push((await call(collect, "POST", "/collect/reviews", { address, body: large() })).status);
    expect(statuses.slice(0, 4)).toEqual([403, 403, 403, 403]);
    expect(statuses.at(-1)).toBe(429);
    // Applies with or without Content-Length, to any client, even with the correct key.
    const right = { client_id: shop.id, api_key: shop.publicKey, product_id: "p", author: "Ada", score: 5 };
    const limited = await call(collect, "POST", "/collect/reviews", { address, body: right });
    expectLimited(limited);
    expect(limited.headers.get("ratelimit")).toMatch(/^"submission_bytes";r=0;t=\d+$/);
    expect(limited.headers.get("access-control-allow-origin")).toBe("*");
    const headers = { "Content-Length": "200" };
    expectLimited(await call(collectQuestion, "POST", "/collect/questions", { address, body: right, headers }));
    // Images have a separate limit, and other addresses aren't affected.
    expect((await call(uploader, "POST", "/uploader", { address, body: new FormData() })).status).toBe(403);
    const other = await call(collect, "POST", "/collect/reviews", { address: "203.0.113.9", body: right });
    expect(other.status).toBe(201);
  });

  it("reject a body over an address's byte limit without reading it", async () => {
    const server = await serve(routes);
    const MEBIBYTE = 1024 * 1024;
    const startRequest = (path: string, type: string, length: number) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { "Content-Type": type, "Content-Length": length };
        const to = { port: server.port, host: "127.0.0.1", agent: false, method: "POST", path, headers };
        const request = http.request(to, (answer) => {
          resolve(answer.statusCode);
          request.destroy();
        });
        request.on("error", reject);
        request.write("x"); // and never the rest
      });
    const form = "multipart/form-data; boundary=x";
    // Uses up the 64 MiB burst. The page responds 299 here without reading the body.
    expect(await startRequest("/reviews/new", form, 100 * MEBIBYTE)).toBe(299);
    expect(await startRequest("/reviews/new", form, 2)).toBe(429);
    expect(await startRequest("/r/token", form, 2)).toBe(429);
    expect(await startRequest("/uploader", form, 9 * MEBIBYTE)).toBe(429);
    await server.close();
  });
});
