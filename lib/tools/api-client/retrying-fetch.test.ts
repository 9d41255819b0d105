import { describe, expect, it } from "vitest";
import { createRetryingFetch } from "./retrying-fetch.ts";

const address = "http://localhost:3000/v1/orders";

/** A service that returns these responses in order; an Error is a lost connection. */
function fakeService(...answers: (Response | Error)[]) {
  const bodies: string[] = [];
  const waits: number[] = [];
  const send = async (request: Request): Promise<Response> => {
    bodies.push(await request.text());
    const answer = answers.shift();
    if (!answer) throw new Error("The service was asked too often.");
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const wait = async (milliseconds: number) => waits.push(milliseconds);
  return { bodies, waits, fetch: createRetryingFetch(send, { maxAttempts: 3, sleep: wait }) };
}

const busyResponse = (status: number, after?: string) =>
  new Response("{}", { status, headers: after === undefined ? {} : { "Retry-After": after } });
const post = (headers: Record<string, string> = {}) => new Request(address, { method: "POST", body: "order", headers });
const idempotencyHeaders = { "Idempotency-Key": "k-1" };
const connectionError = new TypeError("fetch failed");

describe("createRetryingFetch", () => {
  it("waits as long as Retry-After says and resends the body", async () => {
    const { fetch, bodies, waits } = fakeService(busyResponse(429, "7"), busyResponse(503, "2"), new Response("done"));
    expect(await (await fetch(post(idempotencyHeaders))).text()).toBe("done");
    expect(bodies).toEqual(["order", "order", "order"]);
    expect(waits).toEqual([7_000, 2_000]);
  });

  it("returns the last response after the last attempt", async () => {
    const { fetch, bodies } = fakeService(busyResponse(429, "1"), busyResponse(429, "1"), busyResponse(429, "9"));
    const answer = await fetch(new Request(address));
    expect({ status: answer.status, after: answer.headers.get("retry-after") }).toEqual({ status: 429, after: "9" });
    expect(bodies).toHaveLength(3);
  });

  it("backs off exponentially without Retry-After", async () => {
    const { fetch, waits } = fakeService(connectionError, busyResponse(503), new Response("done"));
    expect((await fetch(new Request(address))).status).toBe(200);
    expect(waits).toEqual([1_000, 2_000]);
  });

  it("doesn't retry a POST without an idempotency key that may have succeeded", async () => {
    await expect(fakeService(connectionError).fetch(post())).rejects.toBe(connectionError);
    expect((await fakeService(busyResponse(503, "1")).fetch(post())).status).toBe(503);
    // A 429 has no effect, so it is retried:
    expect((await fakeService(busyResponse(429, "1"), new Response("done")).fetch(post())).status).toBe(200);
    expect((await fakeService(connectionError, new Response("done")).fetch(post(idempotencyHeaders))).status).toBe(200);
  });

  it("returns other responses, responses with an excessive Retry-After, and the last connection error", async () => {
    for (const status of [200, 204, 400, 401, 403, 404, 409, 422, 500])
      expect((await fakeService(new Response(null, { status })).fetch(new Request(address))).status).toBe(status);
    expect((await fakeService(busyResponse(429, "3600")).fetch(new Request(address))).status).toBe(429);
    expect(
      (await fakeService(busyResponse(429, "Fri, 31 Dec 1999 23:59:59 GMT")).fetch(new Request(address))).status,
    ).toBe(429);
    await expect(
      fakeService(connectionError, connectionError, connectionError).fetch(new Request(address)),
    ).rejects.toBe(connectionError);
  });

  it("stops when the request is aborted", async () => {
    const stop = AbortSignal.abort(new Error("enough"));
    await expect(fakeService(connectionError).fetch(new Request(address, { signal: stop }))).rejects.toThrow();
  });
});
