import { describe, expect, it } from "vitest";
import { patiently } from "./patiently.ts";

const address = "http://localhost:3000/v1/orders";

/** A service that answers, one after the other, with these; an Error is a lost connection. */
function service(...answers: (Response | Error)[]) {
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
  return { bodies, waits, fetch: patiently(send, { tries: 3, wait }) };
}

const busy = (status: number, after?: string) =>
  new Response("{}", { status, headers: after === undefined ? {} : { "Retry-After": after } });
const post = (headers: Record<string, string> = {}) => new Request(address, { method: "POST", body: "order", headers });
const keyed = { "Idempotency-Key": "k-1" };
const lost = new TypeError("fetch failed");

describe("a patient fetch", () => {
  it("waits as long as it is told, and sends the whole body again", async () => {
    const { fetch, bodies, waits } = service(busy(429, "7"), busy(503, "2"), new Response("done"));
    expect(await (await fetch(post(keyed))).text()).toBe("done");
    expect(bodies).toEqual(["order", "order", "order"]);
    expect(waits).toEqual([7_000, 2_000]);
  });

  it("gives back the last answer when its tries are used up", async () => {
    const { fetch, bodies } = service(busy(429, "1"), busy(429, "1"), busy(429, "9"));
    const answer = await fetch(new Request(address));
    expect({ status: answer.status, after: answer.headers.get("retry-after") }).toEqual({ status: 429, after: "9" });
    expect(bodies).toHaveLength(3);
  });

  it("waits longer each time where nothing says how long", async () => {
    const { fetch, waits } = service(lost, busy(503), new Response("done"));
    expect((await fetch(new Request(address))).status).toBe(200);
    expect(waits).toEqual([1_000, 2_000]);
  });

  it("does not repeat a POST without a key that may have been done", async () => {
    await expect(service(lost).fetch(post())).rejects.toBe(lost);
    expect((await service(busy(503, "1")).fetch(post())).status).toBe(503);
    // Nothing was done here:
    expect((await service(busy(429, "1"), new Response("done")).fetch(post())).status).toBe(200);
    expect((await service(lost, new Response("done")).fetch(post(keyed))).status).toBe(200);
  });

  it("hands on every other answer, a wait beyond reason, and the last lost connection", async () => {
    for (const status of [200, 204, 400, 401, 403, 404, 409, 422, 500])
      expect((await service(new Response(null, { status })).fetch(new Request(address))).status).toBe(status);
    expect((await service(busy(429, "3600")).fetch(new Request(address))).status).toBe(429);
    expect((await service(busy(429, "Fri, 31 Dec 1999 23:59:59 GMT")).fetch(new Request(address))).status).toBe(429);
    await expect(service(lost, lost, lost).fetch(new Request(address))).rejects.toBe(lost);
  });

  it("stops when its caller does", async () => {
    const stop = AbortSignal.abort(new Error("enough"));
    await expect(service(lost).fetch(new Request(address, { signal: stop }))).rejects.toThrow();
  });
});
