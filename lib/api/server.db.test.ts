import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notFoundMethods } from "@/lib/api/methods";
import { serve } from "@/lib/tools/test/test-server";

let server: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  server = await serve([{ path: "/v1/thing", methods: notFoundMethods() }]);
});
afterAll(() => server.close());

/** The response to raw bytes, read to the end of the connection, which the test doesn't close. */
const raw = (bytes: string) =>
  new Promise<string>((resolve, reject) => {
    let answer = "";
    const socket = connect(server.port, "127.0.0.1", () => socket.write(bytes));
    socket.on("data", (piece) => {
      answer += piece;
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
const ask = (line: string, headers = "Host: shop.example") =>
  raw(`${line} HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);

describe("a request for a protocol upgrade", () => {
  const websocket = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";

  it.each([
    [
      "of the API",
      `GET /v1/thing HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n${websocket}\r\n\r\n`,
      /^HTTP\/1\.1 404 /,
    ],
    ["of a page", `GET /portal HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n${websocket}\r\n\r\n`, /^HTTP\/1\.1 299 /],
    [
      "with a body, as some programs send it",
      "POST /v1/thing HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\nContent-Length: 2\r\n\r\n{}",
      /^HTTP\/1\.1 404 /,
    ],
  ])("is answered over HTTP/1.1, and its connection closed: %s", async (_, bytes, status) => {
    const answer = await raw(bytes);
    expect(answer).toMatch(status);
    expect(answer).toMatch(/^connection: close\r$/im);
  });
});

describe("the target of a request", () => {
  it("can be an absolute URL, whose host is used", async () => {
    expect(await ask("GET http://shop.example/v1/thing?a=http://b")).toMatch(/^HTTP\/1\.1 404 .*application\/json/s);
    expect(await ask("GET HTTPS://shop.example:8443/portal//x?a=%20")).toMatch(/\r\n\/portal\/\/x\?a=%20\r\n/);
    expect(await ask("GET http://shop.example")).toMatch(/\r\n\/\r\n/);
    expect(await ask("GET http://shop.example?q=1")).toMatch(/\r\n\/\?q=1\r\n/);
    expect(await ask("GET http://shop.example/portal", "Host: 999.1.1.1")).toMatch(/^HTTP\/1\.1 299 /);
    expect(await ask("GET http://999.1.1.1/portal")).toMatch(/^HTTP\/1\.1 400 /);
    expect(await ask("GET http://a@shop.example/v1/thing")).toMatch(/^HTTP\/1\.1 400 .*"invalid_parameter"/s);
  });

  it("is the server itself for OPTIONS *", async () => {
    const answer = await ask("OPTIONS *");
    expect(answer).toMatch(/^HTTP\/1\.1 204 /);
    expect(answer).toContain("\r\nAllow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n");
  });

  it.each(["GET *", "POST *", "GET thing", "GET ftp://shop.example/x", "GET http:///v1/thing"])(
    "is rejected if it's invalid: %s",
    async (line) => expect(await ask(line)).toMatch(/^HTTP\/1\.1 400 /),
  );
});
